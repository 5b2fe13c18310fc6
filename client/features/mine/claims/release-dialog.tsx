import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { partOf, releaseClaim } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../store/board-store.ts';
import type { OwnDeeds } from '../../../store/own-deeds.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from '../mine.module.css';
import { WhenText } from '../when-text.tsx';

export interface ReleaseDialogProps {
  /** As it is now. */
  claim: ClaimOnRespawn;
  deeds: OwnDeeds;
  access_key: string;
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Says which hours go and which stay before they are given back; while it is open the hours that are over stay, too. */
export function ReleaseDialog({ claim, deeds: { release }, access_key, onClose, focusAfter }: ReleaseDialogProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  const hasLine = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  if (!release) return null;
  const { gone, stays } = release;
  const hours = t('time.range', { start: gone.hour_start, end: gone.hour_end });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={t('mine.release.title', { spot })}
      text={
        <div className={styles.question}>
          <dl className={styles.split}>
            <dt>{t('mine.release.goes')}</dt>
            <dd>
              <WhenText date={claim.date} start={gone.hour_start} end={gone.hour_end} />
            </dd>
            <dt>{t('mine.release.stays')}</dt>
            <dd>{stays ? <WhenText date={claim.date} start={stays.hour_start} end={stays.hour_end} /> : t('mine.release.nothingStays')}</dd>
          </dl>
          <p>{t(hasLine ? 'mine.release.toLine' : 'mine.release.toAnybody')}</p>
        </div>
      }
      confirmLabel={t('mine.release.confirm', { hours })}
      onConfirm={async () => {
        await releaseClaim(claim.id, partOf(claim), access_key);
        showToast({ text: t('mine.release.done', { spot, hours }) });
      }}
      errorText={(error) => t('mine.release.failed', { reason: errorText(error) })}
    />
  );
}
