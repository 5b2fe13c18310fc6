import type { TFunction } from 'i18next';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changeInBulk,
  deleteAccessKey,
  deleteVerifiedCode,
  doToCharacter,
  setKeyRevoked,
  verifyByHand,
} from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { confirm } from '../../../state/overlays.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { MoreIcon } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { MenuItem, MenuList } from '../../../ui/menu-list.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import { useOfferUndo, useOfferUndoOf } from '../forms/undo.ts';
import tab from '../tab.module.css';
import { MemberButton } from '../table/member-link.tsx';
import styles from './people.module.css';
import { actionsFor, type Person, type PersonAction } from './person.ts';

/** The two views of the list. Each revokes and restores by its own call, with its own messages in the specification. */
export type PeopleView = 'keys' | 'characters';

type ConfirmedAction = Exclude<PersonAction, 'verify' | 'restore'>;
export type OnConfirm = (action: ConfirmedAction, person: Person) => void;

interface PersonActionsProps {
  person: Person;
  view: PeopleView;
  onEdit: () => void;
  onConfirm: OnConfirm;
  /** On the member's own page: there is no other to open. */
  isPage: boolean;
}

/** The page of the member, its type, what a pending one waits for, and the others in a menu. */
export function PersonActions({
  person,
  view,
  onEdit,
  onConfirm,
  isPage,
}: PersonActionsProps): ReactNode {
  const { t } = useTranslation();
  const { id, key, character_name: name } = person;
  const verify = useAction({
    work: () => verifyByHand(name),
    done: () => showToast({ text: t('admin.characters.done.verify', { name }) }),
    failed: (reason) => t('admin.characters.failed.verify', { reason }),
  });
  const isOfKeys = view === 'keys' && key !== null;
  const restore = useAction({
    work: async () => {
      if (isOfKeys) await setKeyRevoked(key.id, false);
      else await doToCharacter('restore-character-access', name);
    },
    done: () =>
      showToast({
        text: isOfKeys
          ? t('admin.keys.enabledMessage')
          : t('admin.characters.done.restore', { name }),
      }),
    failed: (reason) =>
      isOfKeys
        ? t('admin.keys.enableFailed', { reason })
        : t('admin.characters.failed.restore', { reason }),
  });
  const actions = actionsFor(person);
  const isPending = actions.includes('verify') && key === null;
  const run = (action: PersonAction): void => {
    if (action === 'verify') verify.run();
    else if (action === 'restore') restore.run();
    else onConfirm(action, person);
  };
  return (
    <span className={classes(tab.rowActions, styles.actions)}>
      {isPage ? null : <MemberButton name={name} />}
      {isPending ? (
        <Button
          small
          variant="quiet"
          busy={verify.isBusy}
          aria-label={t('admin.characters.actionNames.verify', { name })}
          onClick={() => verify.run()}
        >
          {t('admin.characters.actions.verify')}
        </Button>
      ) : null}
      {key?.is_revoked === 0 ? (
        <Button
          small
          variant="quiet"
          data-edit={id}
          onClick={onEdit}
          aria-label={t('admin.keys.editName', { name })}
        >
          {t('common.edit')}
        </Button>
      ) : null}
      <Menu
        align="end"
        trigger={
          <IconButton
            small
            aria-busy={verify.isBusy || restore.isBusy}
            label={t('admin.events.more', { name })}
            icon={<MoreIcon />}
          />
        }
      >
        <MenuList>
          {actions
            .filter((action) => action !== 'verify' || !isPending)
            .map((action) => (
              <MenuItem
                key={action}
                danger={action === 'ban' || action === 'delete' || action === 'deleteKey'}
                label={t(`admin.characters.actionNames.${action}`, { name })}
                onSelect={() => run(action)}
              >
                {t(`admin.characters.actions.${action}`)}
              </MenuItem>
            ))}
        </MenuList>
      </Menu>
    </span>
  );
}

/**
 * Asks before an admin takes something away from a character or ends its ban.
 * @param list takes the focus if the row is removed
 */
export function useConfirmPersonAction(
  view: PeopleView,
  list: RefObject<HTMLElement | null>,
): OnConfirm {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const offerUndoOf = useOfferUndoOf();
  return (action, person) => {
    const { key, record, records, character_name: name } = person;
    const keyId = key?.id ?? 0;
    const isOfKeys = key !== null && action === 'revoke' && view === 'keys';
    const ends = { ban: 'endForGood', revoke: 'stop', deleteKey: 'end' } as const;
    const deletesMany = action === 'delete' && records.length > 1;
    const deleteRecords = async (): Promise<void> => {
      const ids = records.map(({ id }) => id);
      const { activity_id } = await changeInBulk('verified-codes', ids, { do: 'delete' });
      offerUndoOf(t('admin.characters.done.delete', { name }), activity_id);
    };
    const perform = async (): Promise<void> => {
      if (action === 'deleteKey') await deleteAccessKey(keyId);
      else if (action === 'delete') await deleteVerifiedCode(record?.id ?? 0);
      else if (action !== 'revoke') await doToCharacter(`${action}-character`, name);
      else if (isOfKeys) await setKeyRevoked(keyId, true);
      else await doToCharacter('revoke-character-access', name);
    };
    const done = (): void => {
      if (action === 'deleteKey')
        offerUndo(t('admin.keys.deletedMessage'), {
          action: 'access_key_deleted',
          matches: ({ access_key_id }) => access_key_id === keyId,
        });
      else if (action === 'delete')
        offerUndo(t('admin.characters.done.delete', { name }), {
          action: 'verification_deleted',
          matches: ({ verification_id }) => verification_id === record?.id,
        });
      else
        showToast({
          text: isOfKeys
            ? t('admin.keys.revokedMessage')
            : t(`admin.characters.done.${action}`, { name }),
        });
    };
    confirm({
      title: t(`admin.characters.confirm.${action}.title`, { name }),
      text: (
        <>
          <p>{consequence(t, action, person)}</p>
          {action === 'ban' || action === 'revoke' || action === 'deleteKey' ? (
            <AffectedWeeklyClaims how={ends[action]} characters={[name]} />
          ) : null}
        </>
      ),
      confirmLabel: t(`admin.characters.confirm.${action}.confirm`),
      harmless: action === 'unban',
      onConfirm: async () => {
        if (deletesMany) return deleteRecords();
        await perform();
        done();
      },
      errorText: (error) => {
        const reason = errorText(error);
        if (action === 'deleteKey') return t('admin.keys.deleteFailed', { reason });
        return isOfKeys
          ? t('admin.keys.revokeFailed', { reason })
          : t(`admin.characters.failed.${action}`, { reason });
      },
      focusAfter: action === 'deleteKey' || (key === null && action !== 'ban') ? list : undefined,
    });
  };
}

function consequence(t: TFunction, action: ConfirmedAction, { key, record }: Person): string {
  switch (action) {
    case 'revoke':
    case 'deleteKey':
      return t(`admin.characters.confirm.${action}.text`);
    case 'ban':
      return key === null
        ? t('admin.characters.confirm.ban.withoutKey')
        : t('admin.characters.confirm.ban.withKey');
    case 'unban':
      if (key === null) return t('admin.characters.confirm.unban.withoutKey');
      return key.is_revoked
        ? t('admin.characters.confirm.unban.withRevokedKey')
        : t('admin.characters.confirm.unban.withKey');
    case 'delete':
      if (record?.verified_at === null) return t('admin.characters.confirm.delete.pending');
      return key === null
        ? t('admin.characters.confirm.delete.withoutKey')
        : t('admin.characters.confirm.delete.withKey');
  }
}
