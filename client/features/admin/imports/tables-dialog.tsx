import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toCsv } from '../../../../shared/csv.ts';
import { importMembers, importRespawns } from '../../../api/calls.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { DownloadIcon, UploadIcon } from '../../../ui/icons.tsx';
import { ImportDialog } from './import-dialog.tsx';
import styles from './imports.module.css';
import { type GuildTable, useTables } from './use-tables.ts';

/** The guild's tables as files: each can be saved, and spots and members be made and changed by one. */
export function TablesButton(): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState<'list' | 'respawns' | 'members' | null>(null);
  const close = (): void => setShown(null);
  return (
    <>
      <Button onClick={() => setShown('list')}>
        <DownloadIcon />
        {t('admin.import.open')}
      </Button>
      {shown === 'list' ? <TablesDialog onImport={setShown} onClose={close} /> : null}
      {shown === 'respawns' ? <ImportRespawns onClose={close} /> : null}
      {shown === 'members' ? <ImportMembers onClose={close} /> : null}
    </>
  );
}

function TablesDialog({ onImport, onClose }: { onImport: (what: 'respawns' | 'members') => void; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const tables = useTables();
  const save = ({ name, headings, rows }: GuildTable): void => {
    const date = new Date().toISOString().slice(0, 10);
    saveFile(`${name.toLowerCase().replaceAll(' ', '-')}-${date}.csv`, toCsv(headings, rows()), 'text/csv');
  };
  return (
    <Dialog open onOpenChange={onClose} title={t('admin.import.title')} description={t('admin.import.text')}>
      <ul className={styles.tables}>
        {tables.map((table) => {
          const { id, name, count } = table;
          return (
            <li key={id}>
              <span className={styles.tableName}>
                {name} <span className={styles.number}>{count}</span>
              </span>
              {id === 'respawns' || id === 'members' ? (
                <Button small variant="quiet" aria-label={t('admin.import.importName', { name })} onClick={() => onImport(id)}>
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
                {t('admin.keys.export')}
              </Button>
            </li>
          );
        })}
      </ul>
      <p className={styles.note}>{t('admin.import.secret')}</p>
      <p className={styles.note}>{t('admin.import.elsewhere')}</p>
    </Dialog>
  );
}

/** Of the guild's own, so many show how a file is to look. */
const IN_EXAMPLE = 5;

function ImportRespawns({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const example = [...respawns.values()]
    .slice(0, IN_EXAMPLE)
    .map(({ name, category_name, is_enabled }) => [name, category_name ?? '', t(is_enabled ? 'admin.activity.yes' : 'admin.activity.no')]);
  return (
    <ImportDialog
      title={t('admin.import.respawns.title')}
      text={t('admin.import.respawns.text')}
      columns={[
        { field: 'name', headings: [t('admin.respawns.columns.name'), 'name', 'respawn'], required: true },
        { field: 'category', headings: [t('admin.respawns.columns.category'), 'category'] },
        { field: 'enabled', headings: [t('admin.respawns.fields.is_enabled'), 'enabled', 'is_enabled'] },
      ]}
      example={{ name: 'respawns.csv', rows: example }}
      send={(rows, preview) => importRespawns({ rows: rows.map(({ name = '', ...row }) => ({ name, ...row })), preview })}
      onClose={onClose}
    />
  );
}

function ImportMembers({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const keys = useBoard((board) => board.byKind.access_key);
  const example = [...keys.values()].slice(0, IN_EXAMPLE).map(({ character_name, member_type }) => [character_name, member_type]);
  return (
    <ImportDialog
      title={t('admin.import.members.title')}
      text={t('admin.import.members.text')}
      columns={[
        { field: 'character_name', headings: [t('admin.keys.columns.character'), 'character', 'character_name', 'name'], required: true },
        { field: 'member_type', headings: [t('admin.keys.columns.type'), 'type', 'member_type'] },
      ]}
      example={{ name: 'members.csv', rows: example }}
      send={(rows, preview) =>
        importMembers({ rows: rows.map(({ character_name = '', ...row }) => ({ character_name, ...row })), preview })
      }
      onClose={onClose}
    />
  );
}
