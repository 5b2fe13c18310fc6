import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination } from '../../../../shared/schemas/destination.ts';
import { deleteDestination, rotateDestinationSecret, updateDestination } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './notifications.module.css';
import type { Secret } from './secret-dialog.tsx';

export interface DestinationDeed {
  what: 'pause' | 'rotate' | 'delete';
  destination: Destination;
}

export interface DestinationConfirmationProps {
  deed: DestinationDeed;
  onClose: () => void;
  /** Told of a new secret, which is shown once. */
  onSecret: (secret: Secret) => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

/** Says what comes of it before it is done; how much waits is told live. */
export function DestinationConfirmation({ deed, onClose, onSecret, focusAfterDelete }: DestinationConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { what } = deed;
  const { id, name, waiting } = useBoard((board) => board.byKind.destination.get(deed.destination.id)) ?? deed.destination;
  const does = {
    pause: async () => {
      await updateDestination(id, { is_enabled: 0 });
      showToast({ text: t('admin.notifications.confirm.pause.done', { name }) });
    },
    rotate: async () => {
      const { secret } = await rotateDestinationSecret(id);
      onSecret({ name, secret, isRotated: true });
    },
    delete: async () => {
      await deleteDestination(id);
      showToast({ text: t('admin.notifications.confirm.delete.done', { name }) });
    },
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      harmless={what !== 'delete'}
      title={t(`admin.notifications.confirm.${what}.title`, { name })}
      text={
        <div className={styles.consequences}>
          <p>{t(`admin.notifications.confirm.${what}.text`)}</p>
          {what !== 'rotate' && waiting > 0 ? <p>{t('admin.notifications.confirm.waiting', { count: waiting })}</p> : null}
        </div>
      }
      confirmLabel={t(`admin.notifications.confirm.${what}.confirm`)}
      onConfirm={does[what]}
      errorText={(error) => t(`admin.notifications.confirm.${what}.failed`, { reason: errorText(error) })}
      focusAfter={what === 'delete' ? focusAfterDelete : undefined}
    />
  );
}
