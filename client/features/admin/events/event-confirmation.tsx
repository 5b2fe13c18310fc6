import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_CLAIMS_TO_UNDO } from '../../../../shared/schemas/activity.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { deleteEvent, setEventActive } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOfferUndo } from '../activity/undo.ts';
import styles from './events.module.css';

export interface EventDeed {
  what: 'activate' | 'deactivate' | 'delete';
  event: Event;
}

export interface EventConfirmationProps {
  deed: EventDeed;
  onClose: () => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

/** Says what comes of it before it is done; the numbers stay live while it is open. */
export function EventConfirmation({ deed: { what, event }, onClose, focusAfterDelete }: EventConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const events = useBoard((board) => board.byKind.event);
  const { id, name, claim_count, is_active } = events.get(event.id) ?? event;
  const common = { open: true, onOpenChange: onClose };
  if (what === 'delete') {
    return (
      <ConfirmDialog
        {...common}
        title={t('admin.events.confirmDelete.title', { name })}
        text={
          <div className={styles.consequences}>
            <p>
              {t(claim_count > MAX_CLAIMS_TO_UNDO ? 'admin.events.confirmDelete.final' : 'admin.events.confirmDelete.claims', {
                count: claim_count,
              })}
            </p>
            {is_active ? <p>{t('admin.events.confirmDelete.active')}</p> : null}
            {claim_count > 1 ? <p>{t('admin.notifications.oneMessage')}</p> : null}
          </div>
        }
        confirmLabel={t('admin.events.confirmDelete.confirm')}
        onConfirm={async () => {
          await deleteEvent(id);
          if (claim_count > MAX_CLAIMS_TO_UNDO) showToast({ text: t('admin.events.deleted') });
          else offerUndo(t('admin.events.deleted'), { action: 'event_deleted', matches: ({ event_id }) => event_id === id });
        }}
        errorText={(error) => t('admin.events.deleteFailed', { reason: errorText(error) })}
        focusAfter={focusAfterDelete}
      />
    );
  }
  if (what === 'deactivate') {
    return (
      <ConfirmDialog
        {...common}
        harmless
        title={t('admin.events.confirmDeactivate.title', { name })}
        text={t('admin.events.confirmDeactivate.text')}
        confirmLabel={t('admin.events.confirmDeactivate.confirm')}
        onConfirm={async () => {
          await setEventActive(id, false);
          showToast({ text: t('admin.events.deactivated') });
        }}
        errorText={(error) => t('admin.events.deactivateFailed', { reason: errorText(error) })}
      />
    );
  }
  const other = [...events.values()].find((one) => one.is_active && one.id !== id);
  return (
    <ConfirmDialog
      {...common}
      harmless
      title={t('admin.events.confirmActivate.title', { name })}
      text={
        <div className={styles.consequences}>
          <p>{t('admin.events.confirmActivate.text')}</p>
          {other ? <p>{t('admin.events.confirmActivate.other', { other: other.name })}</p> : null}
        </div>
      }
      confirmLabel={t('admin.events.confirmActivate.confirm')}
      onConfirm={async () => {
        await setEventActive(id, true);
        showToast({ text: t('admin.events.activated') });
      }}
      errorText={(error) => t('admin.events.activateFailed', { reason: errorText(error) })}
    />
  );
}
