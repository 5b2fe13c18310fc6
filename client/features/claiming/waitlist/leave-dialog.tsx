import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { withdrawWait } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useOwnWaits } from '../../../state/own-claims.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { WhenText } from '../when-text.tsx';

/** Asks wherever a member leaves a waitlist, because the position can't be restored. It closes when the entry ends otherwise. */
export function LeaveDialog({
  wait_id,
  onClose,
}: {
  wait_id: number;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const own = useOwnWaits().find(({ wait }) => wait.id === wait_id);
  const respawn_id = own?.wait.respawn_id;
  const spot =
    useBoard((board) =>
      respawn_id === undefined ? undefined : board.byKind.respawn.get(respawn_id)?.name,
    ) ?? '';
  const main = useRef(document.querySelector('main'));
  const isOver = own === undefined;
  useEffect(() => {
    if (isOver) onClose();
  }, [isOver, onClose]);
  if (isOver) return null;
  const { wait, profile } = own;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      focusAfter={main}
      title={t('myClaims.waitlist.confirmLeave.title', { spot })}
      text={
        <Stack>
          <WhenText date={wait.date} start={wait.hour_start} end={wait.hour_end} />
          <p>
            {t(
              wait.status === 'offered'
                ? 'myClaims.waitlist.confirmLeave.offered'
                : 'myClaims.waitlist.confirmLeave.text',
              {
                position: wait.position,
              },
            )}
          </p>
        </Stack>
      }
      confirmLabel={t('board.waitlist.leave')}
      onConfirm={async () => {
        await withdrawWait(wait.id, profile.accessKey).finally(refreshBoard);
        showToast({ text: t('myClaims.waitlist.left', { spot }) });
      }}
      errorText={(error) => t('myClaims.waitlist.leaveFailed', { reason: errorText(error) })}
    />
  );
}
