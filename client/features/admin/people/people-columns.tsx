import type { ComponentType, ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import {
  type AccessKeyTypeInput,
  accessKeyTypeInput,
} from '../../../../shared/schemas/access-key.ts';
import { setKeyMemberType } from '../../../api/admin-calls.ts';
import { useDayText } from '../../../lib/time-text.ts';
import type { Sort } from '../../../lib/use-query-state.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useHasDiscordApp } from '../../../state/permissions.ts';
import { classes } from '../../../ui/classes.ts';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { DateText } from '../../../ui/hours/time-text.tsx';
import { BanIcon, CheckIcon, ClockIcon, MinusCircleIcon } from '../../../ui/icons.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { RowEditActions } from '../forms/row-actions.tsx';
import { type RowEdit, useRowEdit } from '../forms/row-edit.tsx';
import type { Column } from '../table/admin-table.tsx';
import styles from './people.module.css';
import { createdAt, PERSON_STATUSES, type Person, type PersonStatus, statusOf } from './person.ts';
import { type OnConfirm, type PeopleView, PersonActions } from './person-actions.tsx';

export const RECENT_FIRST: Sort = { id: 'created', desc: true };
export const VERIFIED_FIRST: Sort = { id: 'verified-first', desc: false };
const RANK: { [status in PersonStatus]: number } = {
  verified: 0,
  pending: 1,
  none: 2,
  revoked: 3,
  banned: 4,
};

/** The character's page on the game's site. */
export const pageOf = (name: string): string =>
  `https://www.tibia.com/community/?${new URLSearchParams({ name })}`;

export type ColumnId =
  keyof typeof import('../../../../shared/locales/en.json')['admin']['characters']['columns'];
type TypeEdit = RowEdit<Person, AccessKeyTypeInput, AccessKeyTypeInput>;

interface PeopleColumnsOptions {
  /** null: no row can be edited, as in a file. */
  edit: TypeEdit | null;
  view: PeopleView;
  /** Asks before an action. */
  onConfirm: OnConfirm;
  /** For the member's own page: its actions lead to no other. */
  isPage?: boolean;
}

/** A character's key and verification records, for the lists, their files and the member's page. */
export function usePeopleColumns({
  edit,
  view,
  onConfirm,
  isPage = false,
}: PeopleColumnsOptions): (Column<Person> & { id: ColumnId | typeof VERIFIED_FIRST.id })[] {
  const { t } = useTranslation();
  const dayText = useDayText();
  const hasDiscord = useShowsDiscord();
  const column = (id: ColumnId): { id: ColumnId; heading: string } => ({
    id,
    heading: t(`admin.characters.columns.${id}`),
  });
  const none = (
    <span className="faint">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('admin.characters.none')}</span>
    </span>
  );
  const editOf = ({ id }: Person): TypeEdit | null => (edit?.opened?.id === id ? edit : null);
  const creatorOf = ({ key }: Person): string =>
    key === null ? '' : (key.created_by_username ?? t('admin.keys.byVerification'));
  const discord: Column<Person> & { id: ColumnId } = {
    ...column('discord'),
    sortBy: ({ key }) => key?.discord_name ?? '',
    cell: ({ key }) => key?.discord_name ?? none,
    csv: ({ key }) => key?.discord_name ?? '',
  };
  return [
    {
      ...column('name'),
      part: 'title',
      sortBy: ({ character_name }) => character_name,
      cell: ({ character_name: name }) => (
        <a
          href={pageOf(name)}
          target="_blank"
          rel="noopener noreferrer"
          title={t('admin.characters.openPage')}
          className={`${styles.page} subtle-link`}
        >
          {name}
        </a>
      ),
      csv: ({ character_name }) => character_name,
    },
    {
      ...column('status'),
      sortBy: (person) => PERSON_STATUSES.indexOf(statusOf(person)),
      cell: (person) => <StatusText status={statusOf(person)} />,
      csv: (person) => t(`admin.characters.statuses.${statusOf(person)}`),
    },
    {
      ...column('type'),
      sortBy: ({ member_type }) => member_type,
      cell: (person) => {
        const open = editOf(person);
        return open ? (
          <TypeSelect edit={open} person={person} />
        ) : (
          <MemberTypeBadge memberType={person.member_type} />
        );
      },
      csv: ({ member_type }) => member_type,
    },
    {
      ...column('code'),
      cell: ({ record, character_name: name }) =>
        record?.code ? (
          <CopyableCode text={record.code} copyLabel={t('admin.characters.copyCode', { name })} />
        ) : (
          none
        ),
    },
    {
      ...column('created'),
      sortBy: (person) => Date.parse(createdAt(person)),
      cell: (person) => <DateText at={createdAt(person)} />,
      csv: createdAt,
    },
    {
      ...column('verified'),
      sortBy: ({ record }) => Date.parse(record?.verified_at ?? '1970-01-01'),
      cell: ({ record }) => (record?.verified_at ? <DateText at={record.verified_at} /> : none),
      csv: ({ record }) => record?.verified_at ?? '',
    },
    {
      ...column('key'),
      cell: ({ key, character_name: name }) =>
        key === null ? (
          none
        ) : (
          <CopyableCode text={key.key_value} copyLabel={t('admin.characters.copyKey', { name })} />
        ),
      csv: ({ key }) => key?.key_value ?? '',
    },
    {
      ...column('created_by'),
      cell: creatorOf,
      csv: creatorOf,
    },
    {
      ...column('last_claim'),
      sortBy: ({ last_claim_date }) => last_claim_date ?? '',
      cell: ({ last_claim_date: date }) => (date ? dayText(date, 'dateAndYear') : none),
      csv: ({ last_claim_date }) => last_claim_date ?? '',
    },
    ...(hasDiscord ? [discord] : []),
    {
      ...column('actions'),
      part: 'actions',
      cell: (person) => {
        const open = editOf(person);
        const name = person.character_name;
        return open ? (
          <RowEditActions
            edit={open}
            saveLabel={t('admin.keys.saveName', { name })}
            cancelLabel={t('admin.keys.cancelName', { name })}
          />
        ) : (
          <PersonActions
            person={person}
            view={view}
            isPage={isPage}
            onEdit={() => edit?.start(person)}
            onConfirm={onConfirm}
          />
        );
      },
    },
    {
      id: VERIFIED_FIRST.id,
      heading: t('admin.characters.verifiedFirst'),
      sortBy: (person) => RANK[statusOf(person)],
    },
  ];
}

const ICONS: { [status in PersonStatus]: ComponentType<{ size?: number }> } = {
  pending: ClockIcon,
  verified: CheckIcon,
  revoked: MinusCircleIcon,
  banned: BanIcon,
  none: MinusCircleIcon,
};

/** A status by a word and a shape, not by colour alone. */
function StatusText({ status }: { status: PersonStatus }): ReactNode {
  const { t } = useTranslation();
  const StatusIcon = ICONS[status];
  return (
    <span className={classes(styles.status, styles[status])}>
      {status === 'none' ? null : <StatusIcon size={14} />}
      {t(`admin.characters.statuses.${status}`)}
    </span>
  );
}

/** Whether Discord users are listed: there is an app, or links of an earlier one. */
export function useShowsDiscord(): boolean {
  const hasApp = useHasDiscordApp();
  const hasLinks = useBoard((board) => [...board.byKind.access_key.values()].some(isConnected));
  return hasApp || hasLinks;
}

export const isConnected = ({ discord_user_id }: { discord_user_id: string | null }): boolean =>
  discord_user_id !== null;

export function useTypeEdit(people: readonly Person[]): TypeEdit {
  const { t } = useTranslation();
  return useRowEdit<Person, AccessKeyTypeInput, AccessKeyTypeInput>({
    name: 'access key row',
    fields: {
      memberType: {
        label: t('admin.characters.columns.type'),
        from: ({ member_type }) => member_type,
      },
    },
    schema: accessKeyTypeInput,
    live: ({ id }) => people.find((person) => person.id === id && person.key !== null),
    update: async ({ key }, _change, { input }) => {
      if (key) await setKeyMemberType(key.id, input.memberType);
    },
    refusalOf: (reason) => ({ field: 'memberType', text: t('admin.keys.typeFailed', { reason }) }),
    saved: t('admin.keys.typeChanged'),
  });
}

function TypeSelect({ edit, person }: { edit: TypeEdit; person: Person }): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const { field, fieldState } = useController({ control: edit.form.control, name: 'memberType' });
  return (
    <span data-edit-fields className={styles.type}>
      <MemberTypeSelect
        types={types}
        wide={false}
        label={t('admin.keys.typeOf', { name: person.character_name })}
        value={field.value}
        onChange={field.onChange}
        disabled={edit.busy}
        invalid={fieldState.invalid}
      />
    </span>
  );
}
