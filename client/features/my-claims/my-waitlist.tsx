import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { type QuietHours, quietUntil } from '../../../shared/rules/quiet-hours.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { acceptWait, declineWait, withdrawWait } from '../../api/calls.ts';
import { pushPreferences, useServerQueries } from '../../api/query.ts';
import { useNearTimeText } from '../../lib/time-text.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { compareText } from '../../lib/words/order.ts';
import { RINGED_MS, waitIn } from '../../state/board-place.ts';
import { useBoard } from '../../state/board-store.ts';
import { useMinutesLeft, useNow, useServerSaveTime } from '../../state/clock.ts';
import { useOwnWaits } from '../../state/own-claims.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert } from '../../ui/alert.tsx';
import { BlockedButton, Button, type ButtonProps } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { type OfferAnswer, OfferButtons } from '../../ui/offer-buttons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showToast } from '../../ui/toast.tsx';
import { WhenText } from '../claiming/when-text.tsx';
import { MyClaimRow, useMyClaims } from './my-claim-row.tsx';
import styles from './my-claims.module.css';

/** Hours held for this browser's characters; nothing if there are none. */
export function HeldHours(): ReactNode {
  const { t } = useTranslation();
  const { claims, withCharacter } = useMyClaims();
  const waits = useOwnWaits();
  const held = waits.flatMap(({ wait, profile }) => {
    const claim = claims.find((one) => one.is_held && one.id === wait.held_claim_id);
    return claim ? [{ wait, claim, access_key: profile.accessKey }] : [];
  });
  if (held.length === 0) return null;
  return (
    <Panel title={t('myClaims.holds.title')} flush className={styles.held}>
      <ul className={styles.rows}>
        {held.map((one) => (
          <HeldRow key={one.wait.id} {...one} withCharacter={withCharacter} />
        ))}
      </ul>
    </Panel>
  );
}

interface HeldProps {
  wait: Wait;
  claim: ClaimOnRespawn;
  access_key: string;
  withCharacter: boolean;
}

function HeldRow({ wait, claim, access_key, withCharacter }: HeldProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  const isOffline = useBoard((board) => board.connection === 'offline');
  const [busy, setBusy] = useState<OfferAnswer | null>(null);
  const [ref, isRinged] = useWaitInAddress<HTMLLIElement>(wait.id);
  const answer = async (how: OfferAnswer): Promise<void> => {
    setBusy(how);
    try {
      await (how === 'take' ? acceptWait : declineWait)(wait.id, access_key);
      showToast({ text: t(how === 'take' ? 'myClaims.holds.taken' : 'myClaims.holds.declined', { spot }) });
    } catch (error) {
      showToast({ tone: 'bad', text: errorText(error) });
    }
    setBusy(null);
  };
  return (
    <MyClaimRow
      ref={ref}
      isRinged={isRinged}
      of={claim}
      withCharacter={withCharacter}
      actions={
        <OfferButtons
          what={{ spot, hours: t('time.range', { start: claim.hour_start, end: claim.hour_end }) }}
          busy={busy}
          isOffline={isOffline}
          onAnswer={(how) => void answer(how)}
        />
      }
    >
      {claim.held_until ? <TimeLeft until={claim.held_until} /> : null}
    </MyClaimRow>
  );
}

/** Its own component, so that nothing else renders every minute. */
function TimeLeft({ until }: { until: string }): ReactNode {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  const now = useNow();
  const count = useMinutesLeft(until);
  return (
    <p className={styles.now}>
      {t('myClaims.holds.until', { until: nearTimeText(Date.parse(until), now), left: t('time.minutesLeft', { count }) })}
    </p>
  );
}

const byDate = (a: Wait, b: Wait): number => compareText(a.date, b.date) || a.hour_start - b.hour_start || a.id - b.id;

/** The waitlist entries of this browser's characters. If the waitlist is off, shown only while there are entries. */
export function MyWaitlist(): ReactNode {
  const { t } = useTranslation();
  const { withCharacter } = useMyClaims();
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  const own = [...useOwnWaits()].sort((a, b) => byDate(a.wait, b.wait));
  const [leavingId, setLeavingId] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  // Offered entries are listed as held hours.
  const waiting = own.filter(({ wait }) => wait.status === 'waiting');
  const quiet = useQuietHours(waiting.map(({ profile }) => profile));
  const leaving = own.find(({ wait }) => wait.id === leavingId);
  if (!isOn && waiting.length === 0) return null;
  return (
    <Panel title={t('myClaims.waitlist.title')} flush className={styles.panel}>
      <div ref={list} tabIndex={-1} className={styles.list}>
        {waiting.length === 0 ? (
          <EmptyState title={t('myClaims.waitlist.none')} text={t('myClaims.waitlist.noneText')} />
        ) : (
          <ul className={styles.rows}>
            {waiting.map(({ wait, profile }) => (
              <WaitlistRow
                key={wait.id}
                wait={wait}
                quiet={quiet.get(profile.accessKey)}
                withCharacter={withCharacter}
                onLeave={() => setLeavingId(wait.id)}
              />
            ))}
          </ul>
        )}
        {isOn ? null : <p className={styles.note}>{t('myClaims.waitlist.disabled')}</p>}
      </div>
      {leaving ? (
        <LeaveDialog wait={leaving.wait} access_key={leaving.profile.accessKey} onClose={() => setLeavingId(null)} focusAfter={list} />
      ) : null}
    </Panel>
  );
}

interface WaitlistRowProps {
  wait: Wait;
  /** Its character's; undefined: not known. */
  quiet: QuietHours | undefined;
  withCharacter: boolean;
  onLeave: () => void;
}

function WaitlistRow({ wait, quiet, withCharacter, onLeave }: WaitlistRowProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name) ?? '';
  const [ref, isRinged] = useWaitInAddress<HTMLLIElement>(wait.id);
  return (
    <MyClaimRow
      ref={ref}
      isRinged={isRinged}
      of={wait}
      withCharacter={withCharacter}
      actions={
        <OnlineButton onClick={onLeave} aria-label={t('myClaims.waitlist.leaveName', { spot })}>
          {t('myClaims.waitlist.leave')}
        </OnlineButton>
      }
    >
      <p className={styles.facts}>
        <b className={styles.place}>{t('myClaims.waitlist.position', { position: wait.position })}</b>
        {wait.min_hours > 1 ? ` · ${t('myClaims.waitlist.minimum', { hours: wait.min_hours })}` : null}
      </p>
      {quiet ? <QuietHoursNote hours={quiet} /> : null}
    </MyClaimRow>
  );
}

interface LeaveDialogProps {
  /** As it is now. */
  wait: Wait;
  access_key: string;
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Asks first: the position can't be restored. */
function LeaveDialog({ wait, access_key, onClose, focusAfter }: LeaveDialogProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const errorText = useErrorText();
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name) ?? '';
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={t('myClaims.waitlist.confirmLeave.title', { spot })}
      text={
        <Stack>
          <WhenText date={wait.date} start={wait.hour_start} end={wait.hour_end} today={today} />
          <p>
            {t(wait.status === 'offered' ? 'myClaims.waitlist.confirmLeave.offered' : 'myClaims.waitlist.confirmLeave.text', {
              position: wait.position,
            })}
          </p>
        </Stack>
      }
      confirmLabel={t('myClaims.waitlist.leave')}
      onConfirm={async () => {
        await withdrawWait(wait.id, access_key);
        showToast({ text: t('myClaims.waitlist.left', { spot }) });
      }}
      errorText={(error) => t('myClaims.waitlist.leaveFailed', { reason: errorText(error) })}
    />
  );
}

/** A notification was opened too late: its offer is gone. */
export function MissedOffer(): ReactNode {
  const { t } = useTranslation();
  const linkedId = waitIn(useLocation().search);
  const own = useOwnWaits();
  return linkedId === null || own.some(({ wait }) => wait.id === linkedId) ? null : <Alert>{t('myClaims.holds.expired')}</Alert>;
}

/** R9.13: during quiet hours the character is skipped on the waitlist. */
function QuietHoursNote({ hours }: { hours: QuietHours }): ReactNode {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  const now = useNow();
  const until = quietUntil(new Date(now), hours);
  return until ? <p className={styles.facts}>{t('myClaims.waitlist.skipped', { until: nearTimeText(until.getTime(), now) })}</p> : null;
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

/** A button that is disabled with a reason while the server can't be reached. */
function OnlineButton({ variant, small, children, 'aria-label': label, ...rest }: ButtonProps): ReactNode {
  const { t } = useTranslation();
  const isOffline = useBoard((board) => board.connection === 'offline');
  const look = { variant, small, children, 'aria-label': label };
  return isOffline ? <BlockedButton {...look} reason={t('errors.network.failed')} /> : <Button {...look} {...rest} />;
}
