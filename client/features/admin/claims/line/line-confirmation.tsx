import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wait } from '../../../../../shared/schemas/wait.ts';
import { deleteClaim, withdrawWait } from '../../../../api/calls.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { ConfirmDialog } from '../../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../../ui/toast.tsx';
import styles from '../claims.module.css';
import { useDayInWords } from '../use-day-in-words.ts';

export interface LineConfirmationProps {
  wait: Wait;
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Says what a member loses before it is done. A wait whose turn comes meanwhile has hours that are held: it is these that end. */
export function LineConfirmation({ wait: asked, onClose, focusAfter }: LineConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dayInWords = useDayInWords();
  const wait = useBoard((board) => board.byKind.wait.get(asked.id)) ?? asked;
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name) ?? '';
  const { id, character_name: name, held_claim_id: held, hour_start: start, hour_end: end } = wait;
  const isHold = wait.status === 'offered' && held !== null;
  const deed = isHold ? 'confirmEnd' : 'confirmWithdraw';
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={t(`admin.line.${deed}.title`, { name })}
      text={
        <div className={styles.doomed}>
          <p>
            {spot}, {dayInWords(wait)}, {t('time.range', { start, end })}
          </p>
          <p>{t(`admin.line.${deed}.text`, { name })}</p>
        </div>
      }
      confirmLabel={t(`admin.line.${deed}.confirm`)}
      onConfirm={async () => {
        await (isHold ? deleteClaim(held) : withdrawWait(id, null));
        showToast({ text: t(`admin.line.${deed}.done`, { name }) });
      }}
      errorText={(error) => t(`admin.line.${deed}.failed`, { reason: errorText(error) })}
    />
  );
}
