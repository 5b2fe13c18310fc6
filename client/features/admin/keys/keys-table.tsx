import type { ColumnSort } from '@tanstack/react-table';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { formatLocale } from '../../../lib/format-locale.ts';
import { Alert } from '../../../ui/alert.tsx';
import { classes } from '../../../ui/classes.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { type DataColumn, DataTable } from '../../../ui/data-table.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { KeyActions } from './key-actions.tsx';
import type { KeyDeed } from './key-confirmation.tsx';
import styles from './keys.module.css';
import { MemberTypeSelect } from './member-type-select.tsx';
import type { TypeEdit } from './use-type-edit.ts';

export interface KeysTableProps {
  keys: readonly AccessKey[];
  sort: ColumnSort;
  onSort: (sort: ColumnSort) => void;
  edit: TypeEdit;
  onDeed: (deed: KeyDeed) => void;
}

export function KeysTable({ keys, sort, onSort, edit, onDeed }: KeysTableProps): ReactNode {
  const { t, i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useFocusInEditedRow(box, edit);
  const locale = formatLocale(i18n.language);
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
  const heading = (id: KeyColumn): { id: KeyColumn; heading: string } => ({ id, heading: t(`admin.keys.columns.${id}`) });

  const columns: DataColumn<AccessKey>[] = [
    { ...heading('character'), part: 'title', sortBy: (key) => key.character_name, cell: (key) => key.character_name },
    {
      ...heading('type'),
      sortBy: (key) => key.member_type,
      cell: (key) =>
        edit.state?.id === key.id ? (
          <MemberTypeSelect
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
      cell: (key) => (
        <span className={styles.keyCell}>
          <code className={styles.key}>{key.key_value}</code>
          <CopyButton text={key.key_value} label={t('admin.keys.copyName', { name: key.character_name })} />
        </span>
      ),
    },
    {
      ...heading('created'),
      sortBy: (key) => Date.parse(key.created_at),
      cell: ({ created_at }) => {
        const at = new Date(created_at);
        return (
          <time dateTime={created_at} title={minute.format(at)} className={styles.date}>
            {day.format(at)}
          </time>
        );
      },
    },
    {
      ...heading('created_by'),
      sortBy: (key) => key.created_by_username ?? '',
      cell: (key) => key.created_by_username ?? <span className={styles.verified}>{t('admin.keys.byVerification')}</span>,
    },
    {
      ...heading('status'),
      sortBy: (key) => key.is_revoked,
      cell: (key) => (
        <span className={classes(styles.status, key.is_revoked ? styles.revoked : styles.active)}>
          {key.is_revoked ? t('admin.keys.revoked') : t('admin.keys.active')}
        </span>
      ),
    },
    { ...heading('actions'), part: 'actions', cell: (key) => <KeyActions accessKey={key} edit={edit} onDeed={onDeed} /> },
  ];

  return (
    <div ref={box} onKeyDownCapture={(event) => saveOrCancel(event, edit)}>
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
        showMoreLabel={(count) => t('admin.keys.showMore', { count })}
      />
    </div>
  );
}

type KeyColumn = 'character' | 'type' | 'key' | 'created' | 'created_by' | 'status' | 'actions';

/** Enter on the closed list of types saves, Escape cancels; in the open list they mean what they always do. */
function saveOrCancel(event: KeyboardEvent, edit: TypeEdit): void {
  const { target } = event;
  if (!edit.state || !(target instanceof Element) || isOpenList(target)) return;
  if (event.key === 'Escape') edit.cancel();
  else if (event.key === 'Enter' && target instanceof HTMLSelectElement) edit.save();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const isOpenList = (target: Element): boolean => CSS.supports('selector(:open)') && target.matches(':open');

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
