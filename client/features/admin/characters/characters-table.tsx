import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { classes } from '../../../ui/classes.ts';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { DateText } from '../../../ui/hours/date-text.tsx';
import { BanIcon, CheckIcon, ClockIcon, MinusCircleIcon } from '../../../ui/icons.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import type { Selection } from '../../../ui/selection/selection.tsx';
import { type DataColumn, DataTable } from '../../../ui/table/data-table.tsx';
import { CharacterActions } from './character-actions.tsx';
import type { CharacterDeed } from './character-confirmation.tsx';
import { CHARACTER_STATUSES, type CharacterStatus, statusOf } from './character-status.ts';
import styles from './characters.module.css';
import type { CharacterView } from './use-character-view.ts';

interface CharactersTableProps {
  records: readonly VerifiedCode[];
  sort: CharacterView['sort'];
  onSort: CharacterView['setSort'];
  onDeed: (deed: CharacterDeed) => void;
  /** null: none can be selected. */
  selection: Selection | null;
}

/** The game's own page about a character. */
const pageOf = (name: string): string => `https://www.tibia.com/community/?${new URLSearchParams({ name })}`;

type Column = 'name' | 'status' | 'type' | 'code' | 'created' | 'verified' | 'key' | 'actions';

export function CharactersTable({ records, sort, onSort, onDeed, selection }: CharactersTableProps): ReactNode {
  const { t } = useTranslation();
  const heading = (id: Column): { id: Column; heading: string } => ({ id, heading: t(`admin.characters.columns.${id}`) });
  const none = (
    <span className={styles.none}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('admin.characters.none')}</span>
    </span>
  );
  const columns: DataColumn<VerifiedCode>[] = [
    {
      ...heading('name'),
      part: 'title',
      sortBy: (record) => record.character_name,
      cell: ({ character_name: name }) => (
        <a href={pageOf(name)} target="_blank" rel="noopener noreferrer" title={t('admin.characters.openPage')} className={styles.page}>
          {name}
        </a>
      ),
    },
    {
      ...heading('status'),
      sortBy: (record) => CHARACTER_STATUSES.indexOf(statusOf(record)),
      cell: (record) => <StatusWord status={statusOf(record)} />,
    },
    { ...heading('type'), sortBy: (record) => record.member_type, cell: (record) => <MemberTypeBadge memberType={record.member_type} /> },
    {
      ...heading('code'),
      cell: ({ code, character_name: name }) =>
        code === null ? none : <CopyableCode text={code} copyLabel={t('admin.characters.copyCode', { name })} />,
    },
    {
      ...heading('created'),
      sortBy: (record) => Date.parse(record.created_at),
      cell: (record) => <DateText at={record.created_at} />,
    },
    {
      ...heading('verified'),
      sortBy: ({ verified_at }) => (verified_at === null ? 0 : Date.parse(verified_at)),
      cell: ({ verified_at }) => (verified_at === null ? none : <DateText at={verified_at} />),
    },
    {
      ...heading('key'),
      cell: ({ access_key: key, character_name: name }) =>
        key === null ? none : <CopyableCode text={key} copyLabel={t('admin.characters.copyKey', { name })} />,
    },
    { ...heading('actions'), part: 'actions', cell: (record) => <CharacterActions record={record} onDeed={onDeed} /> },
  ];
  return (
    <DataTable
      caption={t('admin.characters.list')}
      columns={columns}
      records={records}
      idOf={(record) => String(record.id)}
      sort={sort}
      onSort={onSort}
      sortLabel={t('admin.characters.sort')}
      select={selection ? { selection, nameOf: (record) => record.character_name } : undefined}
    />
  );
}

const ICONS: { [status in CharacterStatus]: ComponentType<{ size?: number }> } = {
  pending: ClockIcon,
  verified: CheckIcon,
  revoked: MinusCircleIcon,
  banned: BanIcon,
};

/** A status by a word and a shape, not by colour alone. */
function StatusWord({ status }: { status: CharacterStatus }): ReactNode {
  const { t } = useTranslation();
  const StatusIcon = ICONS[status];
  return (
    <span className={classes(styles.status, styles[status])}>
      <StatusIcon size={14} />
      {t(`admin.characters.statuses.${status}`)}
    </span>
  );
}
