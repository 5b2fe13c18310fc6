import type { TFunction } from 'i18next';
import type { ComponentType, ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { deleteVerifiedCode, doToCharacter, verifyByHand } from '../../../api/admin-calls.ts';
import type { Sort } from '../../../lib/use-query-state.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { confirm } from '../../../state/overlays.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { DateText } from '../../../ui/hours/time-text.tsx';
import { BanIcon, CheckIcon, ClockIcon, MinusCircleIcon } from '../../../ui/icons.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { type Action, useAction } from '../../../ui/use-action.ts';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import type { Column } from '../table/admin-table.tsx';
import { MemberButton } from '../table/member-link.tsx';
import {
  actionsFor,
  CHARACTER_STATUSES,
  type CharacterAction,
  type CharacterStatus,
  statusOf,
} from './character-status.ts';
import styles from './characters.module.css';

export const RECENT_FIRST: Sort = { id: 'created', desc: true };
export const VERIFIED_FIRST: Sort = { id: 'verified-first', desc: false };
const RANK: { [status in CharacterStatus]: number } = {
  verified: 0,
  pending: 1,
  revoked: 2,
  banned: 3,
};

/** The character's page on the game's site. */
export const pageOf = (name: string): string =>
  `https://www.tibia.com/community/?${new URLSearchParams({ name })}`;

type ColumnId = 'name' | 'status' | 'type' | 'code' | 'created' | 'verified' | 'key' | 'actions';
type ConfirmedAction = Exclude<CharacterAction, 'verify' | 'restore'>;

export function useCharacterColumns(
  onConfirm: (action: ConfirmedAction, record: VerifiedCode) => void,
): Column<VerifiedCode>[] {
  const { t } = useTranslation();
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
  return [
    {
      ...column('name'),
      part: 'title',
      sortBy: (record) => record.character_name,
      cell: ({ character_name: name }) => (
        <a
          href={pageOf(name)}
          target="_blank"
          rel="noopener noreferrer"
          title={t('admin.characters.openPage')}
          className={styles.page}
        >
          {name}
        </a>
      ),
    },
    {
      ...column('status'),
      sortBy: (record) => CHARACTER_STATUSES.indexOf(statusOf(record)),
      cell: (record) => <StatusText status={statusOf(record)} />,
    },
    {
      ...column('type'),
      sortBy: (record) => record.member_type,
      cell: (record) => <MemberTypeBadge memberType={record.member_type} />,
    },
    {
      ...column('code'),
      cell: ({ code, character_name: name }) =>
        code === null ? (
          none
        ) : (
          <CopyableCode text={code} copyLabel={t('admin.characters.copyCode', { name })} />
        ),
    },
    {
      ...column('created'),
      sortBy: (record) => Date.parse(record.created_at),
      cell: (record) => <DateText at={record.created_at} />,
    },
    {
      ...column('verified'),
      sortBy: ({ verified_at }) => (verified_at === null ? 0 : Date.parse(verified_at)),
      cell: ({ verified_at }) => (verified_at === null ? none : <DateText at={verified_at} />),
    },
    {
      ...column('key'),
      cell: ({ access_key: key, character_name: name }) =>
        key === null ? (
          none
        ) : (
          <CopyableCode text={key} copyLabel={t('admin.characters.copyKey', { name })} />
        ),
    },
    {
      ...column('actions'),
      part: 'actions',
      cell: (record) => <Actions record={record} onConfirm={onConfirm} />,
    },
    {
      id: VERIFIED_FIRST.id,
      heading: t('admin.characters.verifiedFirst'),
      sortBy: (record) => RANK[statusOf(record)],
    },
  ];
}

const ICONS: { [status in CharacterStatus]: ComponentType<{ size?: number }> } = {
  pending: ClockIcon,
  verified: CheckIcon,
  revoked: MinusCircleIcon,
  banned: BanIcon,
};

/** A status by a word and a shape, not by colour alone. */
export function StatusText({ status }: { status: CharacterStatus }): ReactNode {
  const { t } = useTranslation();
  const StatusIcon = ICONS[status];
  return (
    <span className={classes(styles.status, styles[status])}>
      <StatusIcon size={14} />
      {t(`admin.characters.statuses.${status}`)}
    </span>
  );
}

/** Actions that replace each other share a key: the button keeps the focus when the record changes. */
const BUTTON_KEYS: { [action in CharacterAction]: string } = {
  verify: 'verify',
  revoke: 'access',
  restore: 'access',
  ban: 'ban',
  unban: 'ban',
  delete: 'delete',
};

interface ActionsProps {
  record: VerifiedCode;
  onConfirm: (action: ConfirmedAction, record: VerifiedCode) => void;
}

function Actions({ record, onConfirm }: ActionsProps): ReactNode {
  const { t } = useTranslation();
  const name = record.character_name;
  const verify = useVerify(name);
  const restore = useAction({
    work: () => doToCharacter('restore-character-access', name),
    done: () => showToast({ text: t('admin.characters.done.restore', { name }) }),
    failed: (reason) => t('admin.characters.failed.restore', { reason }),
  });
  const atOnce: { [A in CharacterAction]?: Action<void> } = { verify, restore };
  return (
    <span className={classes(tab.rowActions, styles.actions)}>
      <MemberButton name={name} />
      {actionsFor(record).map((action) => (
        <Button
          key={BUTTON_KEYS[action]}
          small
          variant="quiet"
          busy={atOnce[action]?.isBusy}
          className={classes(action === 'delete' && tab.destructive)}
          aria-label={t(`admin.characters.actionNames.${action}`, { name })}
          onClick={() =>
            action === 'verify' || action === 'restore'
              ? atOnce[action]?.run()
              : onConfirm(action, record)
          }
        >
          {t(`admin.characters.actions.${action}`)}
        </Button>
      ))}
    </span>
  );
}

function useVerify(name: string): Action<void> {
  const { t } = useTranslation();
  return useAction({
    work: () => verifyByHand(name),
    done: () => showToast({ text: t('admin.characters.done.verify', { name }) }),
    failed: (reason) => t('admin.characters.failed.verify', { reason }),
  });
}

/** Verifies a character that has no record yet. */
export function VerifyButton({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  const verify = useVerify(name);
  return (
    <Button
      small
      busy={verify.isBusy}
      aria-label={t('admin.characters.actionNames.verify', { name })}
      onClick={() => verify.run()}
    >
      {t('admin.characters.actions.verify')}
    </Button>
  );
}

function perform(action: ConfirmedAction, { id, character_name }: VerifiedCode): Promise<void> {
  switch (action) {
    case 'revoke':
      return doToCharacter('revoke-character-access', character_name);
    case 'ban':
      return doToCharacter('ban-character', character_name);
    case 'unban':
      return doToCharacter('unban-character', character_name);
    case 'delete':
      return deleteVerifiedCode(id);
  }
}

/**
 * Asks before an admin takes something away from a character or ends its ban.
 * @param list takes the focus if the row is removed
 */
export function useConfirmCharacterAction(
  list: RefObject<HTMLElement | null>,
): (action: ConfirmedAction, record: VerifiedCode) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  return (action, record) => {
    const name = record.character_name;
    confirm({
      title: t(`admin.characters.confirm.${action}.title`, { name }),
      text: (
        <>
          <p>{consequence(t, action, record)}</p>
          {action === 'ban' ? <AffectedWeeklyClaims how="endForGood" characters={[name]} /> : null}
          {action === 'revoke' ? <AffectedWeeklyClaims how="stop" characters={[name]} /> : null}
        </>
      ),
      confirmLabel: t(`admin.characters.confirm.${action}.confirm`),
      harmless: action === 'unban',
      onConfirm: async () => {
        await perform(action, record);
        const text = t(`admin.characters.done.${action}`, { name });
        if (action !== 'delete') showToast({ text });
        else
          offerUndo(text, {
            action: 'verification_deleted',
            matches: ({ verification_id }) => verification_id === record.id,
          });
      },
      errorText: (error) => t(`admin.characters.failed.${action}`, { reason: errorText(error) }),
      focusAfter:
        action === 'delete' || (action === 'unban' && isOnlyBan(record)) ? list : undefined,
    });
  };
}

/** A record that exists only to show a ban: it is removed with it. */
const isOnlyBan = ({ code, verified_at }: VerifiedCode): boolean =>
  code === null && verified_at === null;

function consequence(
  t: TFunction,
  action: ConfirmedAction,
  { access_key, access_revoked, verified_at }: VerifiedCode,
): string {
  switch (action) {
    case 'revoke':
      return t('admin.characters.confirm.revoke.text');
    case 'ban':
      return access_key === null
        ? t('admin.characters.confirm.ban.withoutKey')
        : t('admin.characters.confirm.ban.withKey');
    case 'unban':
      if (access_key === null) return t('admin.characters.confirm.unban.withoutKey');
      return access_revoked
        ? t('admin.characters.confirm.unban.withRevokedKey')
        : t('admin.characters.confirm.unban.withKey');
    case 'delete':
      if (verified_at === null) return t('admin.characters.confirm.delete.pending');
      return access_key === null
        ? t('admin.characters.confirm.delete.withoutKey')
        : t('admin.characters.confirm.delete.withKey');
  }
}
