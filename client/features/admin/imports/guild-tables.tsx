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
    <Panel title={t('admin.import.title')}>
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
  id: 'respawns' | 'categories' | 'memberTypes' | 'members' | 'events';
  name: string;
  headings: readonly string[];
  rows: () => CsvCell[][];
  count: number;
}

/** The tables whose records are all on this page. Claims and the log are downloaded in their tabs. */
function useTables(): readonly GuildTable[] {
  const { t } = useTranslation();
  const { respawn, category, member_type, event } = useBoard((board) => board.byKind);
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
    {
      id: 'memberTypes',
      name: t('admin.import.tables.memberTypes'),
      headings: [
        t('admin.members.fields.member_type'),
        t('admin.members.fields.voucher_duration_hours'),
        t('admin.members.fields.can_submit'),
        t('admin.members.fields.earliest_submission_date'),
        t('admin.members.fields.allow_secondary_claims'),
        t('admin.members.fields.max_hours_per_day'),
        t('admin.members.fields.max_hours_per_event'),
        t('admin.members.fields.background_color'),
        t('admin.members.fields.guild_ranks'),
      ],
      rows: () =>
        [...member_type.values()].map((type) => [
          type.member_type,
          type.voucher_duration_hours,
          yes(type.can_submit),
          type.earliest_submission_date,
          yes(type.allow_secondary_claims),
          type.max_hours_per_day,
          type.max_hours_per_event,
          type.background_color,
          type.guild_ranks.join(', '),
        ]),
      count: member_type.size,
    },
    {
      id: 'categories',
      name: t('admin.import.tables.categories'),
      headings: [t('admin.categories.name')],
      rows: () => inNameOrder(category.values(), ({ name }) => name).map(({ name }) => [name]),
      count: category.size,
    },
    {
      id: 'events',
      name: t('admin.import.tables.events'),
      headings: [
        t('admin.activity.fields.name'),
        t('admin.activity.fields.type'),
        t('admin.activity.fields.start_time'),
        t('admin.activity.fields.end_time'),
        t('admin.respawns.columns.claims'),
      ],
      rows: () =>
        [...event.values()].map(({ name, type, start_time, end_time, claim_count }) => [
          name,
          t(`admin.events.type.${type}`),
          start_time,
          end_time,
          claim_count,
        ]),
      count: event.size,
    },
  ];
}
