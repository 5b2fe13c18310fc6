import type { TFunction } from 'i18next';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { deleteVerifiedCode, doToCharacter } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOfferUndo } from '../activity/undo.ts';

export interface CharacterDeed {
  what: 'revoke' | 'ban' | 'unban' | 'delete';
  record: VerifiedCode;
}

interface CharacterConfirmationProps {
  deed: CharacterDeed;
  onClose: () => void;
  /** Where the focus goes when the row goes. */
  list: RefObject<HTMLElement | null>;
}

const carryOut = ({ what, record: { id, character_name } }: CharacterDeed): Promise<void> => {
  switch (what) {
    case 'revoke':
      return doToCharacter('revoke-character-access', character_name);
    case 'ban':
      return doToCharacter('ban-character', character_name);
    case 'unban':
      return doToCharacter('unban-character', character_name);
    case 'delete':
      return deleteVerifiedCode(id);
  }
};

/** Asks before an admin takes something away from a character, or lets it back in, and says what goes along. */
export function CharacterConfirmation({ deed, onClose, list }: CharacterConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const { what, record } = deed;
  const name = record.character_name;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t(`admin.characters.confirm.${what}.title`, { name })}
      text={consequence(t, deed)}
      confirmLabel={t(`admin.characters.confirm.${what}.confirm`)}
      harmless={what === 'unban'}
      onConfirm={async () => {
        await carryOut(deed);
        const said = t(`admin.characters.done.${what}`, { name });
        if (what !== 'delete') showToast({ text: said });
        else offerUndo(said, { action: 'verification_deleted', matches: ({ verification_id }) => verification_id === record.id });
      }}
      errorText={(error) => t(`admin.characters.failed.${what}`, { reason: errorText(error) })}
      focusAfter={what === 'delete' || goesWithItsBan(record, what) ? list : undefined}
    />
  );
}

/** A record that was made only to show a ban. */
const goesWithItsBan = ({ code, verified_at }: VerifiedCode, what: CharacterDeed['what']): boolean =>
  what === 'unban' && code === null && verified_at === null;

/** What the deed takes along, as this record stands. */
function consequence(t: TFunction, { what, record }: CharacterDeed): string {
  const { access_key, access_revoked, verified_at } = record;
  switch (what) {
    case 'revoke':
      return t('admin.characters.confirm.revoke.text');
    case 'ban':
      return access_key === null ? t('admin.characters.confirm.ban.withoutKey') : t('admin.characters.confirm.ban.withKey');
    case 'unban':
      if (access_key === null) return t('admin.characters.confirm.unban.withoutKey');
      return access_revoked ? t('admin.characters.confirm.unban.withRevokedKey') : t('admin.characters.confirm.unban.withKey');
    case 'delete':
      if (verified_at === null) return t('admin.characters.confirm.delete.pending');
      return access_key === null ? t('admin.characters.confirm.delete.withoutKey') : t('admin.characters.confirm.delete.withKey');
  }
}
