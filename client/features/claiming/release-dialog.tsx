import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { hoursOver } from '../../../shared/rules/claim-time.ts';
import { type HourRange, hoursIn } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { hoursToOffer, type OccupiedDay } from '../../../shared/rules/waits.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { partOf, releaseClaim } from '../../api/calls.ts';
import { claimKey } from '../../lib/claims.ts';
import { occupiedOn } from '../../lib/occupied.ts';
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

/** More than these on the waitlist are counted. */
const MAX_NAMED = 3;

/** R9.6: whether an entry is offered a freed hour, together with hours that are free already. */
function getsOffer(wait: Wait, gone: HourRange, day: OccupiedDay): boolean {
  const wanted_hours = hoursIn(gone).reduce((bits, hour) => bits | (1 << hour), 0);
  return wait.status === 'waiting' && hoursToOffer({ ...wait, wanted_hours }, day) !== null;
}

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
  const { date: today, hour } = useServerSaveTime();
  const { respawn_id, character_name } = released;
  const spot = useBoard((board) => board.byKind.respawn.get(respawn_id)?.name) ?? '';
  const claim = useBoard((board) => currentClaim(board, released));
  // Offers pause while either is off.
  const isWaitlistOn = useBoard(({ byKind }) => {
    const settings = byKind.config.get(CONFIG_ID);
    return settings?.waits_enabled === 1 && settings.submission_enabled === 1;
  });
  const waits = useBoard((board) => board.waitsByRespawn.get(respawn_id));
  const claims = useBoard((board) => board.claimsByRespawn.get(respawn_id));
  const elsewhere = useBoard((board) => board.occupiedByRespawn.get(respawn_id));
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
  if (!claim || claim.date === null || isOver) return null;
  const { gone, stays } = release;
  const { date } = claim;
  const others = (claims ?? []).filter(
    (one) =>
      (one.date ?? date) === date && !one.is_secondary_claim && claimKey(one) !== claimKey(claim),
  );
  // A claim outside the active event is among these itself.
  const outside = occupiedOn(elsewhere, date).filter(
    ({ id, hour_start }) => id !== claim.id || hour_start !== claim.hour_start,
  );
  const day: OccupiedDay = {
    taken: [...others, ...outside, ...(stays ? [stays] : [])],
    over: hoursOver(date, { today, hour, may_enter_past: false }),
  };
  const waiting = isWaitlistOn
    ? (waits ?? []).filter((wait) => wait.date === date && getsOffer(wait, gone, day))
    : [];
  const more = waiting.length - MAX_NAMED;
  const names = [
    ...waiting.slice(0, MAX_NAMED).map((wait) => wait.character_name),
    ...(more > 0 ? [`+${more}`] : []),
  ].join(', ');
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
              <WhenText date={claim.date} start={gone.hour_start} end={gone.hour_end} />
            </dd>
            <dt>{t('myClaims.release.kept')}</dt>
            <dd>
              {stays ? (
                <WhenText date={claim.date} start={stays.hour_start} end={stays.hour_end} />
              ) : (
                t('myClaims.release.nothingKept')
              )}
            </dd>
          </dl>
          <p>
            {names ? t('myClaims.release.toWaitlist', { names }) : t('myClaims.release.toEveryone')}
          </p>
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
