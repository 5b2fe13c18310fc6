import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { deleteRespawn } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../store/board-store.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './respawns.module.css';

export interface RespawnConfirmationProps {
  respawn: Respawn;
  onClose: () => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

/** Says what goes with it; the number of claims stays live while it is open. */
export function RespawnConfirmation({ respawn, onClose, focusAfterDelete }: RespawnConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { id, name, total_claims } = useBoard((board) => board.byKind.respawn.get(respawn.id)) ?? respawn;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.respawns.confirmDelete.title', { name })}
      text={
        <div className={styles.consequences}>
          <p>{t('admin.respawns.confirmDelete.text')}</p>
          <p>{t('admin.respawns.confirmDelete.claims', { count: total_claims })}</p>
        </div>
      }
      confirmLabel={t('admin.respawns.confirmDelete.confirm')}
      onConfirm={async () => {
        await deleteRespawn(id);
        showToast({ text: t('admin.respawns.deleted') });
      }}
      errorText={(error) => t('admin.respawns.deleteFailed', { reason: errorText(error) })}
      focusAfter={focusAfterDelete}
    />
  );
}
