import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetVerification, type PendingVerification } from '../../../state/pending-verifications.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { dropAttempt, keptAttempt } from './kept-attempt.ts';

export interface DeleteDialogProps {
  /** The one to delete; null closes the dialog. */
  pending: PendingVerification | null;
  confirmLabel: string;
  onClose: () => void;
  onDeleted?: () => void;
  focusAfter?: RefObject<HTMLElement | null>;
}

/** Asks before a code is forgotten: it may stand in a comment already. */
export function DeleteDialog({ pending, confirmLabel, onClose, onDeleted, focusAfter }: DeleteDialogProps): ReactNode {
  const { t } = useTranslation();
  // The words stay while the dialog closes.
  const [last, setLast] = useState(pending);
  if (pending && pending !== last) setLast(pending);
  const { characterName = '', code = '' } = last ?? {};
  return (
    <ConfirmDialog
      open={pending !== null}
      onOpenChange={(open) => open || onClose()}
      title={t('verify.startOver.title', { name: characterName })}
      text={t('verify.startOver.text', { code })}
      confirmLabel={confirmLabel}
      focusAfter={focusAfter}
      onConfirm={() => {
        if (!pending) return;
        if (keptAttempt(pending.code) !== null) dropAttempt();
        forgetVerification(pending);
        onDeleted?.();
      }}
    />
  );
}
