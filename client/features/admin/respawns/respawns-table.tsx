import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import type { Sort } from '../../../lib/use-query-state.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import type { Selection } from '../../../ui/selection/selection.tsx';
import { type DataColumn, DataTable } from '../../../ui/table/data-table.tsx';
import { EditConflictNotice } from '../forms/edit-conflict.tsx';
import { saveOrCancel, useEditFocus } from '../forms/row-edit.ts';
import { ActionsCell, CategoryCell, EnabledCell, LastClaimCell, NameCell } from './respawn-cells.tsx';
import type { RespawnValues } from './respawn-values.ts';
import styles from './respawns.module.css';
import type { RespawnEdit } from './use-respawn-edit.ts';

export interface RespawnsTableProps {
  respawns: readonly Respawn[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  edit: RespawnEdit;
  onDelete: (respawn: Respawn) => void;
  /** null: none can be selected. */
  selection: Selection | null;
}

type RespawnColumn = 'name' | 'enabled' | 'category' | 'claims' | 'last_claim' | 'actions';

export function RespawnsTable({ respawns, sort, onSort, edit, onDelete, selection }: RespawnsTableProps): ReactNode {
  const { t } = useTranslation();
  const mayGuild = useMay('guild');
  const box = useRef<HTMLDivElement>(null);
  const editing = edit.opened?.id ?? null;
  useEditFocus(box, editing);
  const heading = (id: RespawnColumn): { id: RespawnColumn; heading: string } => ({ id, heading: t(`admin.respawns.columns.${id}`) });
  const editOf = ({ id }: Respawn): RespawnEdit | null => (id === editing ? edit : null);

  const columns: DataColumn<Respawn>[] = [
    {
      ...heading('name'),
      part: 'title',
      sortBy: (respawn) => respawn.name,
      cell: (respawn) => <NameCell respawn={respawn} edit={editOf(respawn)} />,
    },
    {
      ...heading('enabled'),
      sortBy: (respawn) => 1 - respawn.is_enabled,
      cell: (respawn) => <EnabledCell respawn={respawn} edit={editOf(respawn)} />,
    },
    {
      ...heading('category'),
      sortBy: (respawn) => respawn.category_name ?? '',
      cell: (respawn) => <CategoryCell respawn={respawn} edit={editOf(respawn)} />,
    },
    {
      ...heading('claims'),
      sortBy: (respawn) => respawn.total_claims,
      cell: (respawn) => <span className={styles.number}>{respawn.total_claims}</span>,
    },
    {
      ...heading('last_claim'),
      sortBy: (respawn) => respawn.last_claim_date ?? '',
      cell: (respawn) => <LastClaimCell respawn={respawn} />,
    },
    {
      ...heading('actions'),
      part: 'actions',
      cell: (respawn) => (
        <ActionsCell respawn={respawn} edit={editOf(respawn)} onEdit={() => edit.start(respawn)} onDelete={() => onDelete(respawn)} />
      ),
    },
  ];

  return (
    <div ref={box} onKeyDownCapture={editing === null ? undefined : (event) => saveOrCancel(event, edit)}>
      <DataTable
        caption={t('admin.respawns.list')}
        columns={mayGuild ? columns : columns.filter(({ part }) => part !== 'actions')}
        records={respawns}
        idOf={(respawn) => String(respawn.id)}
        sort={sort}
        onSort={onSort}
        keep={editing === null ? null : String(editing)}
        below={(respawn) => (respawn.id === editing && hasNotes(edit) ? <RespawnEditNotes edit={edit} /> : null)}
        sortLabel={t('admin.respawns.sort')}
        select={selection ? { selection, nameOf: (respawn) => respawn.name } : undefined}
      />
    </div>
  );
}

/** What there is to say about the row that is edited; null for nothing. */
function RespawnEditNotes({ edit: { others, notice, failure, inTheWay } }: { edit: RespawnEdit }): ReactNode {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  const labelOf = (field: keyof RespawnValues): string => t(`admin.respawns.fields.${field}`);
  const inWords = (field: keyof RespawnValues, values: RespawnValues): string => {
    if (field === 'name') return values.name;
    if (field === 'is_enabled') return values.is_enabled ? t('admin.respawns.enabled') : t('admin.respawns.disabled');
    if (field === 'image') return t('admin.respawns.otherImage');
    return (values.category_id === null ? null : categories.get(values.category_id)?.name) ?? t('admin.respawns.noCategory');
  };
  return (
    <div className={styles.notes}>
      <EditConflictNotice ref={notice} what="respawn" edit={others} labelOf={labelOf} inWords={inWords} />
      {inTheWay ? <Alert tone="accent">{t('admin.respawns.saveFirst')}</Alert> : null}
      {failure ? (
        <Alert tone="bad" title={failure.text}>
          {failure.saved.length > 0 ? t('admin.respawns.savedPart', { fields: failure.saved.map(labelOf).join(', ') }) : null}
        </Alert>
      ) : null}
    </div>
  );
}

/** Whether there is anything to say. */
const hasNotes = ({ others, failure, inTheWay }: RespawnEdit): boolean =>
  others.theirs !== null || others.outcome !== null || failure !== null || inTheWay;
