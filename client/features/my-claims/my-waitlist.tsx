import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { type QuietHours, quietUntil } from '../../../shared/rules/quiet-hours.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { pushPreferences, useServerQueries } from '../../api/query.ts';
import { useNearTimeText } from '../../lib/time-text.ts';
import { compareText } from '../../lib/words/order.ts';
import { RINGED_MS, waitIn } from '../../state/board-place.ts';
import { useBoard } from '../../state/board-store.ts';
import { useNow } from '../../state/clock.ts';
import { openOverlay } from '../../state/overlays.ts';
import { currentWhole, useOwnWaits } from '../../state/own-claims.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert } from '../../ui/alert.tsx';
import { Panel } from '../../ui/panel.tsx';
import { MyClaimRow, OnlineButton, useMyClaims } from './my-claim-row.tsx';
import styles from './my-claims.module.css';

const byDate = (a: Wait, b: Wait): number =>
  compareText(a.date, b.date) || a.hour_start - b.hour_start || a.id - b.id;

/** The waitlist entries of this browser's characters. If the waitlist is off, shown only while there are entries. */
export function MyWaitlist(): ReactNode {
  const { t } = useTranslation();
  const { withCharacter } = useMyClaims();
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  const own = [...useOwnWaits()].sort((a, b) => byDate(a.wait, b.wait));
  const quiet = useQuietHours(own.map(({ profile }) => profile));
  if (!isOn && own.length === 0) return null;
  return (
    <Panel title={t('myClaims.waitlist.title')} flush className={styles.panel}>
      <div className={styles.list}>
        {own.length === 0 ? (
          <p className={styles.none}>{t('myClaims.waitlist.none')}</p>
        ) : (
          <ul>
            {own.map(({ wait, profile }) => (
              <WaitlistRow
                key={wait.id}
                wait={wait}
                quiet={quiet.get(profile.accessKey)}
                withCharacter={withCharacter}
              />
            ))}
          </ul>
        )}
        {isOn ? null : <p className={styles.note}>{t('errors.wait.disabled')}</p>}
      </div>
    </Panel>
  );
}

interface WaitlistRowProps {
  wait: Wait;
  /** Its character's; undefined: not known. */
  quiet: QuietHours | undefined;
  withCharacter: boolean;
}

/** An entry and its position. The offer of an entry is answered at the bottom of the page, as on every page. */
function WaitlistRow({ wait, quiet, withCharacter }: WaitlistRowProps): ReactNode {
  const { t } = useTranslation();
  const isOffered = wait.status === 'offered';
  const held = useBoard((board) =>
    currentWhole(board, { id: wait.held_claim_id ?? 0, character_name: wait.character_name }),
  );
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name) ?? '';
  const [ref, isRinged] = useWaitInAddress<HTMLLIElement>(wait.id);
  return (
    <MyClaimRow
      ref={ref}
      isRinged={isRinged}
      of={held ? { ...wait, hour_start: held.hour_start, hour_end: held.hour_end } : wait}
      withCharacter={withCharacter}
      actions={
        isOffered ? null : (
          <OnlineButton
            onClick={() => openOverlay('leaveWaitlist', { wait_id: wait.id })}
            aria-label={t('myClaims.waitlist.leaveName', { spot })}
          >
            {t('board.waitlist.leave')}
          </OnlineButton>
        )
      }
    >
      <p className="muted fine tabular">
        <b className={styles.place}>
          {isOffered
            ? t('myClaims.waitlist.offered')
            : t('myClaims.waitlist.position', { position: wait.position })}
        </b>
        {wait.min_hours > 1
          ? ` · ${t('myClaims.waitlist.minimum', { hours: wait.min_hours })}`
          : null}
      </p>
      {quiet && !isOffered ? <QuietHoursNote hours={quiet} /> : null}
    </MyClaimRow>
  );
}

/** A notification was opened too late: its offer is gone. */
export function MissedOffer(): ReactNode {
  const { t } = useTranslation();
  const linkedId = waitIn(useLocation().search);
  const own = useOwnWaits();
  return linkedId === null || own.some(({ wait }) => wait.id === linkedId) ? null : (
    <Alert>{t('myClaims.holds.expired')}</Alert>
  );
}

/** R9.13: during quiet hours the character is skipped on the waitlist. */
function QuietHoursNote({ hours }: { hours: QuietHours }): ReactNode {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  const now = useNow();
  const until = quietUntil(new Date(now), hours);
  return until ? (
    <p className="muted fine tabular">
      {t('myClaims.waitlist.skipped', { until: nearTimeText(until.getTime(), now) })}
    </p>
  ) : null;
}

/** The quiet hours of characters, by access key; they aren't part of the board. Missing ones are left out. */
function useQuietHours(profiles: readonly Profile[]): ReadonlyMap<string, QuietHours> {
  const characters = [...new Map(profiles.map((profile) => [profile.accessKey, profile])).values()];
  const answers = useServerQueries(characters.map(pushPreferences));
  return new Map(
    characters.flatMap(({ accessKey }, at): [string, QuietHours][] => {
      const hours = answers[at]?.data;
      return hours ? [[accessKey, hours]] : [];
    }),
  );
}

/**
 * Scrolls to the waitlist entry that the address names.
 * @returns a ref for it, and whether to highlight it
 */
function useWaitInAddress<E extends HTMLElement>(wait_id: number): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const { search, key } = useLocation();
  const isLinked = waitIn(search) === wait_id;
  const [isRinged, setIsRinged] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll again when the same link is opened again
  useEffect(() => {
    if (!isLinked) return;
    ref.current?.scrollIntoView({ block: 'center' });
    setIsRinged(true);
    const timer = setTimeout(() => setIsRinged(false), RINGED_MS);
    return () => clearTimeout(timer);
  }, [isLinked, key]);
  return [ref, isLinked && isRinged];
}
