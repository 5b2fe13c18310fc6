import type { ReactNode, RefObject } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import {
  type AccessKey,
  type AccessKeyTypeInput,
  accessKeyTypeInput,
} from '../../../../shared/schemas/access-key.ts';
import { deleteAccessKey, setKeyMemberType, setKeyRevoked } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { useHasDiscordApp } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { DateText } from '../../../ui/hours/time-text.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { StatusText } from '../characters/character-columns.tsx';
import { newestByName, verificationOf } from '../characters/character-status.ts';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import { RowActions, RowEditActions } from '../forms/row-actions.tsx';
import { type RowEdit, useRowEdit } from '../forms/row-edit.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import type { Column } from '../table/admin-table.tsx';
import { MemberLink } from '../table/member-link.tsx';
import styles from './keys.module.css';

type ColumnId =
  | 'character'
  | 'type'
  | 'key'
  | 'created'
  | 'created_by'
  | 'discord'
  | 'verification'
  | 'status'
  | 'actions';
type ConfirmedAction = 'revoke' | 'delete';
type OnConfirm = (action: ConfirmedAction, accessKey: AccessKey) => void;

type TypeEdit = RowEdit<AccessKey, AccessKeyTypeInput, AccessKeyTypeInput>;

/** In the order of the column. */
const VERIFICATIONS: readonly ReturnType<typeof verificationOf>[] = [
  'verified',
  'pending',
  'banned',
  null,
];

/**
 * @param edit null: no row can be edited, as in a file
 * @param onConfirm asks before an action
 */
export function useKeyColumns(edit: TypeEdit | null, onConfirm: OnConfirm): Column<AccessKey>[] {
  const { t } = useTranslation();
  const hasDiscord = useShowsDiscord();
  const column = (id: ColumnId): { id: ColumnId; heading: string } => ({
    id,
    heading: t(`admin.keys.columns.${id}`),
  });
  const editOf = ({ id }: AccessKey): TypeEdit | null => (edit?.opened?.id === id ? edit : null);
  const statusOf = ({ is_revoked }: AccessKey): string =>
    t(is_revoked ? 'admin.keys.revoked' : 'admin.keys.active');
  const byVerification = t('admin.keys.byVerification');
  const discord: Column<AccessKey> = {
    ...column('discord'),
    sortBy: (key) => key.discord_name ?? '',
    cell: (key) => key.discord_name,
    csv: (key) => key.discord_name ?? '',
  };
  const verification = useVerificationOfKeys();
  return [
    {
      ...column('character'),
      part: 'title',
      sortBy: (key) => key.character_name,
      cell: (key) => <MemberLink name={key.character_name} />,
      csv: (key) => key.character_name,
    },
    {
      ...column('type'),
      sortBy: (key) => key.member_type,
      cell: (key) => {
        const open = editOf(key);
        return open ? (
          <TypeSelect edit={open} accessKey={key} />
        ) : (
          <MemberTypeBadge memberType={key.member_type} />
        );
      },
      csv: (key) => key.member_type,
    },
    {
      ...column('key'),
      cell: (key) => (
        <CopyableCode
          text={key.key_value}
          copyLabel={t('admin.keys.copyName', { name: key.character_name })}
        />
      ),
      csv: (key) => key.key_value,
    },
    {
      ...column('created'),
      sortBy: (key) => Date.parse(key.created_at),
      cell: (key) => <DateText at={key.created_at} />,
      csv: (key) => key.created_at,
    },
    {
      ...column('created_by'),
      sortBy: (key) => key.created_by_username ?? '',
      cell: (key) => key.created_by_username ?? <span className="faint">{byVerification}</span>,
      csv: (key) => key.created_by_username ?? byVerification,
    },
    ...(hasDiscord ? [discord] : []),
    {
      ...column('verification'),
      sortBy: (key) => VERIFICATIONS.indexOf(verification(key)),
      cell: (key) => {
        const status = verification(key);
        return status === null ? (
          <span className="faint">{t('admin.keys.notVerified')}</span>
        ) : (
          <StatusText status={status} />
        );
      },
    },
    {
      ...column('status'),
      sortBy: (key) => key.is_revoked,
      cell: (key) => (
        <span className={classes(tab.status, key.is_revoked ? 'bad' : styles.active)}>
          {statusOf(key)}
        </span>
      ),
      csv: statusOf,
    },
    {
      ...column('actions'),
      part: 'actions',
      cell: (key) => {
        const open = editOf(key);
        const { id, character_name: name, is_revoked } = key;
        if (open) {
          const saveLabel = t('admin.keys.saveName', { name });
          const cancelLabel = t('admin.keys.cancelName', { name });
          return <RowEditActions edit={open} saveLabel={saveLabel} cancelLabel={cancelLabel} />;
        }
        return (
          <RowActions
            id={id}
            edit={
              is_revoked
                ? null
                : { label: t('admin.keys.editName', { name }), onPress: () => edit?.start(key) }
            }
            remove={{
              label: t('admin.keys.deleteName', { name }),
              onPress: () => onConfirm('delete', key),
            }}
          >
            <RevokeButton accessKey={key} onRevoke={() => onConfirm('revoke', key)} />
          </RowActions>
        );
      },
    },
  ];
}

export function useVerificationOfKeys(): (key: AccessKey) => ReturnType<typeof verificationOf> {
  const records = useBoard((board) => board.byKind.verified_code);
  const newest = newestByName(records.values());
  return ({ character_name }) => verificationOf(newest.get(nameKey(character_name)));
}

/** Whether Discord users are listed: there is an app, or links of an earlier one. */
export function useShowsDiscord(): boolean {
  const hasApp = useHasDiscordApp();
  const hasLinks = useBoard((board) => [...board.byKind.access_key.values()].some(isConnected));
  return hasApp || hasLinks;
}

export const isConnected = ({ discord_user_id }: AccessKey): boolean => discord_user_id !== null;

export function useTypeEdit(): TypeEdit {
  const { t } = useTranslation();
  const keys = useBoard((board) => board.byKind.access_key);
  return useRowEdit<AccessKey, AccessKeyTypeInput, AccessKeyTypeInput>({
    name: 'access key row',
    fields: {
      memberType: { label: t('admin.keys.columns.type'), from: ({ member_type }) => member_type },
    },
    schema: accessKeyTypeInput,
    live: ({ id }) => keys.get(id),
    update: ({ id }, _change, { input }) => setKeyMemberType(id, input.memberType),
    refusalOf: (reason) => ({ field: 'memberType', text: t('admin.keys.typeFailed', { reason }) }),
    saved: t('admin.keys.typeChanged'),
  });
}

function TypeSelect({ edit, accessKey }: { edit: TypeEdit; accessKey: AccessKey }): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const { field, fieldState } = useController({ control: edit.form.control, name: 'memberType' });
  return (
    <span data-edit-fields className={styles.type}>
      <MemberTypeSelect
        types={types}
        wide={false}
        label={t('admin.keys.typeOf', { name: accessKey.character_name })}
        value={field.value}
        onChange={field.onChange}
        disabled={edit.busy}
        invalid={fieldState.invalid}
      />
    </span>
  );
}

/** Revokes or enables: one button, so that it keeps the focus when the key changes. */
function RevokeButton({
  accessKey,
  onRevoke,
}: {
  accessKey: AccessKey;
  onRevoke: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { id, character_name: name, is_revoked } = accessKey;
  const enable = useAction({
    work: () => setKeyRevoked(id, false),
    done: () => showToast({ text: t('admin.keys.enabledMessage') }),
    failed: (reason) => t('admin.keys.enableFailed', { reason }),
  });
  return (
    <Button
      small
      variant="quiet"
      aria-busy={enable.isBusy}
      onClick={is_revoked ? () => enable.run() : onRevoke}
      aria-label={t(is_revoked ? 'admin.keys.enableName' : 'admin.keys.revokeName', { name })}
    >
      {t(is_revoked ? 'admin.keys.enable' : 'admin.keys.revoke')}
    </Button>
  );
}

/**
 * Asks before a key is revoked or deleted.
 * @param list takes the focus when the row is removed
 */
export function useConfirmKeyAction(list: RefObject<HTMLElement | null>): OnConfirm {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  return (action, { id, character_name: name }) => {
    const revokes = action === 'revoke';
    const words = revokes ? 'confirmRevoke' : 'confirmDelete';
    const run = async (): Promise<void> => {
      if (revokes) {
        await setKeyRevoked(id, true);
        showToast({ text: t('admin.keys.revokedMessage') });
      } else {
        await deleteAccessKey(id);
        offerUndo(t('admin.keys.deletedMessage'), {
          action: 'access_key_deleted',
          matches: ({ access_key_id }) => access_key_id === id,
        });
      }
    };
    confirm({
      title: t(`admin.keys.${words}.title`, { name }),
      text: (
        <>
          <p>{t(`admin.keys.${words}.text`)}</p>
          <AffectedWeeklyClaims how={revokes ? 'stop' : 'end'} characters={[name]} />
        </>
      ),
      confirmLabel: t(`admin.keys.${words}.confirm`),
      onConfirm: run,
      errorText: (error) =>
        t(revokes ? 'admin.keys.revokeFailed' : 'admin.keys.deleteFailed', {
          reason: errorText(error),
        }),
      focusAfter: revokes ? undefined : list,
    });
  };
}
