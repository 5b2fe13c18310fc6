import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesInWords } from '../../../../shared/rules/shown-params.ts';
import type { System } from '../../../../shared/schemas/system.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import { Panel } from '../../../ui/panel.tsx';
import styles from './system.module.css';
import { useMinute } from './use-minute.ts';

const KINDS = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const PARTS = ['claims', 'archive', 'activity', 'undo'] as const;

/** What it is that runs here, how large it has become, and who looks at it. */
export function Facts({ system }: { system: System }): ReactNode {
  const { t, i18n } = useTranslation();
  const minute = useMinute();
  const bytes = (n: number): string => bytesInWords(n, formatLocale(i18n.language));
  const { version, build, node, started_at, public_url, database, watching, clock, disk } = system;
  const size = database.bytes === null ? t('admin.system.unknownSize') : bytes(database.bytes);
  const parts = PARTS.flatMap((part) => {
    const n = database.parts[part];
    return n ? [`${t(`admin.system.parts.${part}`)} ${bytes(n)}`] : [];
  });
  return (
    <Panel title={t('admin.system.facts')}>
      <dl className={styles.facts}>
        <Fact name={t('admin.system.version')} more={t('admin.system.runs', { node, at: minute(started_at) })}>
          {build ? t('admin.system.versionOf', { version, build }) : t('admin.system.noBuild', { version })}
        </Fact>
        <Fact name={t('admin.system.database')} more={parts.join(' · ')}>
          {t('admin.system.databaseOf', { kind: KINDS[database.kind], size })}
        </Fact>
        <Fact name={t('admin.system.watching')} more={t('admin.system.choosing', { count: watching.choosing })}>
          {t('admin.system.watchingMembers', { count: watching.members })}, {t('admin.system.watchingAdmins', { count: watching.admins })}
        </Fact>
        <Fact name={t('admin.system.clock')} more={t('admin.system.serverSave', { at: minute(clock.next_server_save) })}>
          {`${minute(clock.time)} · SS+${clock.hour}`}
        </Fact>
        <Fact name={t('admin.system.disk')} more={public_url ?? ''}>
          {disk ? t('admin.system.freeOf', { free: bytes(disk.free), total: bytes(disk.total) }) : t('admin.system.notKnown')}
        </Fact>
      </dl>
    </Panel>
  );
}

function Fact({ name, more, children }: { name: string; more: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {more === '' ? null : <dd className={styles.more}>{more}</dd>}
    </div>
  );
}
