import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { rangesOverlap } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { partOf, releaseClaim } from '../../api/calls.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { currentClaim } from '../../state/own-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Stack } from '../../ui/layout.tsx';
import { showToast } from '../../ui/toast.tsx';
import styles from './claiming.module.css';
import { releaseNow, useOwnFacts } from './own/own-actions.ts';
import { WhenText } from './when-text.tsx';

/** Shows which hours are freed and which stay; hours that pass while it is open stay too. */
export function ReleaseDialog({
  claim: released,
  onClose,
}: {
  claim: ClaimOnRespawn;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const { respawn_id, character_name } = released;
  const spot = useBoard((board) => board.byKind.respawn.get(respawn_id)?.name) ?? '';
  const claim = useBoard((board) => currentClaim(board, released));
  const isWaitlistOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  const waits = useBoard((board) => board.waitsByRespawn.get(respawn_id));
  const profile = useSession(({ profiles }) =>
    profiles.find((one) => nameKey(one.characterName) === nameKey(character_name)),
  );
  const facts = useOwnFacts();
  const main = useRef(document.querySelector('main'));
  const release = claim ? releaseNow(claim, facts) : null;
  const isOver = !release || !profile;
  useEffect(() => {
    if (isOver) onClose();
  }, [isOver, onClose]);
  if (!claim || isOver) return null;
  const { gone, stays } = release;
  const isAwaited =
    isWaitlistOn &&
    (waits ?? []).some((wait) => wait.date === claim.date && rangesOverlap(wait, gone));
  const hours = t('time.range', { start: gone.hour_start, end: gone.hour_end });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      focusAfter={main}
      title={t('myClaims.release.title', { spot })}
      text={
        <Stack>
          <dl className={styles.split}>
            <dt>{t('myClaims.release.freed')}</dt>
            <dd>
              <WhenText
                date={claim.date}
                start={gone.hour_start}
                end={gone.hour_end}
                today={today}
              />
            </dd>
            <dt>{t('myClaims.release.kept')}</dt>
            <dd>
              {stays ? (
                <WhenText
                  date={claim.date}
                  start={stays.hour_start}
                  end={stays.hour_end}
                  today={today}
                />
              ) : (
                t('myClaims.release.nothingKept')
              )}
            </dd>
          </dl>
          <p>{t(isAwaited ? 'myClaims.release.toWaitlist' : 'myClaims.release.toEveryone')}</p>
        </Stack>
      }
      confirmLabel={t('myClaims.release.confirm', { hours })}
      onConfirm={async () => {
        await releaseClaim(claim.id, partOf(claim), profile.accessKey);
        showToast({ text: t('myClaims.release.done', { spot, hours }) });
      }}
      errorText={(error) => t('myClaims.release.failed', { reason: errorText(error) })}
    />
  );
}
