import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { Sort } from '../../../lib/use-query-state.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { classes } from '../../../ui/classes.ts';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { DateText } from '../../../ui/hours/time-text.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import type { Selection } from '../../../ui/selection/selection.tsx';
import { type DataColumn, DataTable } from '../../../ui/table/data-table.tsx';
import { saveOrCancel } from '../forms/row-edit.ts';
import tab from '../tab.module.css';
import { KeyActions } from './key-actions.tsx';
import type { KeyDeed } from './key-confirmation.tsx';
import styles from './keys.module.css';
import { KEY_COLUMNS, type SortableKeyColumn } from './use-key-view.ts';
import type { TypeEdit } from './use-type-edit.ts';

export interface KeysTableProps {
  keys: readonly AccessKey[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  edit: TypeEdit;
  onDeed: (deed: KeyDeed) => void;
  /** null: none can be selected. */
  selection: Selection | null;
}

export function KeysTable({ keys, sort, onSort, edit, onDeed, selection }: KeysTableProps): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const box = useRef<HTMLDivElement>(null);
  useFocusInEditedRow(box, edit);
  const heading = (id: SortableKeyColumn | 'key' | 'actions'): { id: string; heading: string } => ({
    id,
    heading: t(`admin.keys.columns.${id}`),
  });
  const sortable = (id: SortableKeyColumn) => ({ ...heading(id), sortBy: KEY_COLUMNS[id] });

  const columns: DataColumn<AccessKey>[] = [
    { ...sortable('character'), part: 'title', cell: (key) => key.character_name },
    {
      ...sortable('type'),
      cell: (key) =>
        edit.state?.id === key.id ? (
          <MemberTypeSelect
            types={types}
            wide={false}
            label={t('admin.keys.typeOf', { name: key.character_name })}
            value={edit.state.memberType}
            onChange={edit.choose}
            disabled={edit.state.busy}
          />
        ) : (
          <MemberTypeBadge memberType={key.member_type} />
        ),
    },
    {
      ...heading('key'),
      cell: (key) => <CopyableCode text={key.key_value} copyLabel={t('admin.keys.copyName', { name: key.character_name })} />,
    },
    { ...sortable('created'), cell: (key) => <DateText at={key.created_at} /> },
    {
      ...sortable('created_by'),
      cell: (key) => key.created_by_username ?? <span className={styles.verified}>{t('admin.keys.byVerification')}</span>,
    },
    {
      ...sortable('status'),
      cell: (key) => (
        <span className={classes(tab.status, key.is_revoked ? styles.revoked : styles.active)}>
          {key.is_revoked ? t('admin.keys.revoked') : t('admin.keys.active')}
        </span>
      ),
    },
    { ...heading('actions'), part: 'actions', cell: (key) => <KeyActions accessKey={key} edit={edit} onDeed={onDeed} /> },
  ];

  return (
    <div ref={box} onKeyDownCapture={(event) => (edit.state ? saveOrCancel(event, edit) : undefined)}>
      <DataTable
        caption={t('admin.keys.list')}
        columns={columns}
        records={keys}
        idOf={(key) => String(key.id)}
        sort={sort}
        onSort={onSort}
        keep={edit.state && String(edit.state.id)}
        below={(key) => (edit.state?.id === key.id && edit.state.failure ? <Alert tone="bad">{edit.state.failure}</Alert> : null)}
        sortLabel={t('admin.keys.sort')}
        select={selection ? { selection, nameOf: (key) => key.character_name } : undefined}
      />
    </div>
  );
}

/** The list of types has the focus while a row is edited, and again when it was refused; after it the row's first action. */
function useFocusInEditedRow(box: RefObject<HTMLDivElement | null>, { state, last }: TypeEdit): void {
  const editing = state?.id ?? null;
  const failure = state?.failure ?? null;
  useEffect(() => {
    // A refusal asks anew, though the list is the same.
    const wanted = editing !== null || failure ? 'tbody select' : `[data-actions="${last}"] button`;
    box.current?.querySelector<HTMLElement>(wanted)?.focus();
  }, [box, editing, failure, last]);
}
