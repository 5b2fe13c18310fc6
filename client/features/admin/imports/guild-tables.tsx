import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvCell, toCsv } from '../../../../shared/csv.ts';
import { importMembers, importRespawns } from '../../../api/admin-calls.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadIcon, UploadIcon } from '../../../ui/icons.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { usePeopleColumns } from '../people/people-columns.tsx';
import { usePeople } from '../people/use-people.ts';
import { csvOf } from '../table/admin-table.tsx';
import { MEMBER_COLUMNS, SPOT_COLUMNS } from './import-columns.ts';
import { ImportDialog } from './import-dialog.tsx';
import styles from './imports.module.css';

/** The guild's tables as CSV files: each can be saved, and respawns and members can be imported. */
export function GuildTables(): ReactNode {
  const { t } = useTranslation();
  const tables = useTables();
  const { date: today } = useServerSaveTime();
  const [imported, setImported] = useState<'respawns' | 'members' | null>(null);
  const close = (): void => setImported(null);
  const save = ({ name, headings, rows }: GuildTable): void => {
    saveFile(
      `${name.toLowerCase().replaceAll(' ', '-')}-${today}.csv`,
      toCsv(headings, rows()),
      'text/csv',
    );
  };
  return (
    <Panel title={t('admin.tabs.settings/import-export')}>
      <p className="muted small anywhere">{t('admin.import.text')}</p>
      <ul className={styles.tables}>
        {tables.map((table) => {
          const { id, name, count } = table;
          return (
            <li key={id}>
              <span className={styles.tableName}>
                {name} <span className="muted tabular">{count}</span>
              </span>
              {id === 'respawns' || id === 'members' ? (
                <Button
                  small
                  variant="quiet"
                  aria-label={t('admin.import.importName', { name })}
                  onClick={() => setImported(id)}
                >
                  <UploadIcon />
                  {t('admin.import.import')}
                </Button>
              ) : null}
              <Button
                small
                variant="quiet"
                aria-label={t('admin.import.saveName', { name })}
                disabled={count === 0}
                onClick={() => save(table)}
              >
                <DownloadIcon />
                {t('admin.table.export')}
              </Button>
            </li>
          );
        })}
      </ul>
      <p className="muted small anywhere">{t('admin.import.secret')}</p>
      <p className="muted small anywhere">{t('admin.import.otherDownloads')}</p>
      {imported === 'respawns' ? <ImportRespawns onClose={close} /> : null}
      {imported === 'members' ? <ImportMembers onClose={close} /> : null}
    </Panel>
  );
}

const EXAMPLE_ROWS = 5;

function ImportRespawns({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const example = [...respawns.values()]
    .slice(0, EXAMPLE_ROWS)
    .map(({ name, category_name, is_enabled }) => [
      name,
      category_name ?? '',
      t(is_enabled ? 'admin.activity.yes' : 'admin.activity.no'),
    ]);
  return (
    <ImportDialog
      title={t('admin.import.respawns.title')}
      text={t('admin.import.respawns.text')}
      columns={SPOT_COLUMNS}
      example={{ name: 'respawns.csv', rows: example }}
      send={(rows, preview) =>
        importRespawns({ rows: rows.map(({ name = '', ...row }) => ({ name, ...row })), preview })
      }
      onClose={onClose}
    />
  );
}

function ImportMembers({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const keys = useBoard((board) => board.byKind.access_key);
  const example = [...keys.values()]
    .slice(0, EXAMPLE_ROWS)
    .map(({ character_name, member_type }) => [character_name, member_type]);
  return (
    <ImportDialog
      title={t('admin.import.members.title')}
      text={t('admin.import.members.text')}
      columns={MEMBER_COLUMNS}
      example={{ name: 'members.csv', rows: example }}
      send={(rows, preview) =>
        importMembers({
          rows: rows.map(({ character_name = '', ...row }) => ({ character_name, ...row })),
          preview,
        })
      }
      onClose={onClose}
    />
  );
}

interface GuildTable {
  id: 'respawns' | 'members';
  name: string;
  headings: readonly string[];
  rows: () => CsvCell[][];
  count: number;
}

/** The tables whose records are all on this page. Claims and the log are downloaded in their tabs. */
function useTables(): readonly GuildTable[] {
  const { t } = useTranslation();
  const respawn = useBoard((board) => board.byKind.respawn);
  const people = usePeople();
  const peopleFile = csvOf(usePeopleColumns({ edit: null, view: 'keys', onConfirm: () => {} }));
  const yes = (flag: 0 | 1): string => t(flag ? 'admin.activity.yes' : 'admin.activity.no');
  return [
    {
      id: 'respawns',
      name: t('admin.import.tables.respawns'),
      headings: [
        t('admin.respawns.columns.name'),
        t('admin.respawns.columns.category'),
        t('admin.respawns.fields.is_enabled'),
        t('admin.respawns.columns.claims'),
        t('admin.respawns.columns.last_claim'),
      ],
      rows: () =>
        inNameOrder(respawn.values(), ({ name }) => name).map((spot) => [
          spot.name,
          spot.category_name ?? '',
          yes(spot.is_enabled),
          spot.total_claims,
          spot.last_claim_date,
        ]),
      count: respawn.size,
    },
    {
      id: 'members',
      name: t('admin.import.tables.members'),
      headings: peopleFile.headings,
      rows: () => inNameOrder(people, ({ character_name }) => character_name).map(peopleFile.rowOf),
      count: people.length,
    },
  ];
}
