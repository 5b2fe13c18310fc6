import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { deleteAccessKey, setKeyRevoked } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOfferUndo } from '../activity/undo.ts';

export interface KeyDeed {
  what: 'revoke' | 'delete';
  accessKey: AccessKey;
}

export interface KeyConfirmationProps {
  deed: KeyDeed;
  onClose: () => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

export function KeyConfirmation({ deed: { what, accessKey }, onClose, focusAfterDelete }: KeyConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const { id, character_name: name } = accessKey;
  const revokes = what === 'revoke';
  const texts = revokes ? 'confirmRevoke' : 'confirmDelete';
  const carryOut = async (): Promise<void> => {
    if (revokes) {
      await setKeyRevoked(id, true);
      showToast({ text: t('admin.keys.revokedMessage') });
    } else {
      await deleteAccessKey(id);
      offerUndo(t('admin.keys.deletedMessage'), { action: 'access_key_deleted', matches: ({ access_key_id }) => access_key_id === id });
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t(`admin.keys.${texts}.title`, { name })}
      text={t(`admin.keys.${texts}.text`)}
      confirmLabel={t(`admin.keys.${texts}.confirm`)}
      onConfirm={carryOut}
      errorText={(error) => t(revokes ? 'admin.keys.revokeFailed' : 'admin.keys.deleteFailed', { reason: errorText(error) })}
      focusAfter={revokes ? undefined : focusAfterDelete}
    />
  );
}
