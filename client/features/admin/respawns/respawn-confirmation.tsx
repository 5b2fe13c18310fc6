import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_CLAIMS_TO_UNDO } from '../../../../shared/schemas/activity.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { deleteRespawn } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOfferUndo } from '../activity/undo.ts';
import styles from './respawns.module.css';

export interface RespawnConfirmationProps {
  respawn: Respawn;
  onClose: () => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

/** Says what goes with it, and what can be restored; the number of claims stays live while it is open. */
export function RespawnConfirmation({ respawn, onClose, focusAfterDelete }: RespawnConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const { id, name, total_claims } = useBoard((board) => board.byKind.respawn.get(respawn.id)) ?? respawn;
  const isFinal = total_claims > MAX_CLAIMS_TO_UNDO;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.respawns.confirmDelete.title', { name })}
      text={
        <div className={styles.consequences}>
          <p>{t('admin.respawns.confirmDelete.claims', { count: total_claims })}</p>
          <p>{t(isFinal ? 'admin.respawns.confirmDelete.final' : 'admin.respawns.confirmDelete.restorable')}</p>
          {total_claims > 1 ? <p>{t('admin.notifications.oneMessage')}</p> : null}
        </div>
      }
      confirmLabel={t('admin.respawns.confirmDelete.confirm')}
      onConfirm={async () => {
        await deleteRespawn(id);
        if (isFinal) showToast({ text: t('admin.respawns.deleted') });
        else offerUndo(t('admin.respawns.deleted'), { action: 'respawn_deleted', matches: ({ respawn_id }) => respawn_id === id });
      }}
      errorText={(error) => t('admin.respawns.deleteFailed', { reason: errorText(error) })}
      focusAfter={focusAfterDelete}
    />
  );
}
