import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { isHoldOver } from '../../../shared/rules/holds.ts';
import { type HourRange, rangesOverlap } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { acceptWait, declineWait } from '../../api/calls.ts';
import { setUrgentTitle } from '../../lib/page-title.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { refreshBoard } from '../../live/refresh.ts';
import { boardAddress, showSpot } from '../../state/board-place.ts';
import { useBoard } from '../../state/board-store.ts';
import { claimTimeNow } from '../../state/claim-time.ts';
import { serverNow, useMinutesLeft } from '../../state/clock.ts';
import { useNearDay } from '../../state/near-day.ts';
import { currentWhole, type OwnTransfer, type OwnWait } from '../../state/own-claims.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { playSound, useSound } from '../../state/sound.ts';
import { IconButton } from '../../ui/button.tsx';
import { useLocalHours } from '../../ui/hours/hours-text.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { Cluster } from '../../ui/layout.tsx';
import { Link } from '../../ui/link.tsx';
import { MEDIA } from '../../ui/media.ts';
import { type OfferAnswer, OfferButtons } from '../../ui/offer-buttons.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useOwnHeight } from '../../ui/use-own-height.ts';
import { ClaimedText } from '../claiming/just-claimed.tsx';
import styles from './offers.module.css';
import { TransferLine, useTransferAnswers } from './transfer-offers.tsx';

interface OffersProps {
  own: readonly OwnWait[];
  transfers: readonly OwnTransfer[];
}

/** Hours held for a character here, and claims offered to one: a banner, the tab's title, and a sound if wanted. */
export function Offers({ own, transfers }: OffersProps): ReactNode {
  const offers = useOffers(own);
  const [first] = offers;
  return (
    <>
      {own.length > 0 ? <OfferSound offers={offers} /> : null}
      {first ? <TabTitle first={first} count={offers.length} /> : null}
      <OfferBanner offers={offers} received={transfers.filter(({ isReceived }) => isReceived)} />
    </>
  );
}

/** Plays once per offer. Mounted before the first offer, because browsers allow sound only after a press. */
function OfferSound({ offers }: { offers: readonly Offer[] }): null {
  useSound();
  const announced = useRef(new Set<number>());
  useEffect(() => {
    const fresh = offers.filter(({ wait }) => !announced.current.has(wait.id));
    for (const { wait } of fresh) announced.current.add(wait.id);
    if (fresh.length > 0) playSound();
  }, [offers]);
  return null;
}

function TabTitle({ first: { wait }, count }: { first: Offer; count: number }): null {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name ?? '');
  const minutes = useMinutesLeft(wait.held_until);
  const title =
    count > 1
      ? t('offer.tabTitleSeveral', { number: count, minutes })
      : t('offer.tabTitle', { spot, minutes });
  useEffect(() => setUrgentTitle(title), [title]);
  useEffect(() => () => setUrgentTitle(null), []);
  return null;
}

/** The banner at the bottom of every page: the held hours, the deadline and the two answers. */
function OfferBanner({
  offers,
  received,
}: {
  offers: readonly Offer[];
  received: readonly OwnTransfer[];
}): ReactNode {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  // A member has a day to answer a transfer: too long to have it on every page.
  const [postponed, setPostponed] = useState<ReadonlySet<number>>(new Set());
  const isMine = pathname === '/mine';
  const { lines, answering, forget } = useTransferAnswers(received);
  const visibleTransfers = lines.filter(
    ({ own, isGone }) => isGone || isMine || !postponed.has(own.transfer.id),
  );
  const { visibleOffers, answer, dismiss } = useOfferAnswers(offers);
  const showDone = useDoneToast();
  const isShown = visibleOffers.length + visibleTransfers.length > 0;
  const isSmall = useMediaQuery(MEDIA.small);
  const openOffers = visibleOffers.filter(({ isGone }) => !isGone);
  const openTransfers = visibleTransfers.filter(({ isGone }) => !isGone);
  const openCount = openOffers.length + openTransfers.length;
  const isOneLine = isSmall && FORMS.includes(pathname) && openCount > 0;
  const banner = useOwnHeight<HTMLElement>(isShown, '--offer');
  const isOpen = offers.length + visibleTransfers.length > 0;
  // The pressed button disappears, so move the focus.
  const focusMain = (): void => document.querySelector('main')?.focus({ preventScroll: true });
  const onAnswer = async (offer: Offer, choice: OfferAnswer): Promise<void> => {
    if (!(await answer(offer, choice))) return;
    focusMain();
    showDone(offer, choice);
  };
  const postpone = (id: number): void => {
    setPostponed((before) => new Set(before).add(id));
    focusMain();
  };
  return (
    <>
      <Announced offers={offers} received={received} />
      {isShown ? (
        <section
          ref={banner}
          aria-label={visibleOffers.length > 0 ? t('offer.title') : t('transfer.banner')}
          className={styles.banner}
          data-held={isOpen || undefined}
        >
          {isOneLine ? (
            <OneLine
              offer={openOffers[0]?.offer}
              transfer={openTransfers[0]?.own}
              count={openCount}
            />
          ) : (
            <>
              {visibleOffers.map((one) => (
                <OfferLine
                  key={one.offer.wait.id}
                  {...one}
                  onAnswer={onAnswer}
                  onDismiss={dismiss}
                />
              ))}
              {visibleTransfers.map(({ own, isGone }) => {
                const { id } = own.transfer;
                return (
                  <TransferLine
                    key={id}
                    own={own}
                    isGone={isGone}
                    onAnswer={() => answering(own)}
                    onDone={() => forget(id)}
                    onLater={isMine ? undefined : () => postpone(id)}
                  />
                );
              })}
            </>
          )}
        </section>
      ) : null}
    </>
  );
}

/** Pages whose summary sticks to the bottom of a phone: the banner takes one line below it. */
const FORMS = ['/input', '/submit-claims', '/admin/input'];

interface OneLineProps {
  offer: Offer | undefined;
  transfer: OwnTransfer | undefined;
  count: number;
}

/** The first open offer and how many more there are: a press leads to all of them, with their answers. */
function OneLine({ offer, transfer, count }: OneLineProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => offer && board.byKind.respawn.get(offer.wait.respawn_id)?.name);
  return (
    <Link to="/mine" className={styles.oneLine}>
      {offer ? (
        <span className={`${styles.first} ellipsis`}>
          <span className="own">{t('offer.label')}</span> <b>{spot}</b>
        </span>
      ) : transfer ? (
        <span className={`${styles.first} ellipsis own`}>
          {t(`transfer.label.${transfer.transfer.kind}`, { from: transfer.transfer.from })}
        </span>
      ) : null}
      {offer ? <Minutes until={offer.wait.held_until} /> : null}
      {count > 1 ? <span>+{count - 1}</span> : null}
      <b>{t('offer.show')}</b>
    </Link>
  );
}

/** Announced once, without the running minutes. Always mounted: screen readers announce only changes of a live region. */
function Announced({
  offers,
  received,
}: {
  offers: readonly Offer[];
  received: readonly OwnTransfer[];
}): ReactNode {
  const { t } = useTranslation();
  const spots = useBoard((board) => board.byKind.respawn);
  const nameOf = ({ wait }: Offer): string => spots.get(wait.respawn_id)?.name ?? '';
  return (
    <p role="alert" className="visually-hidden">
      {[
        ...offers.map((offer) =>
          t('offer.announced', {
            spot: nameOf(offer),
            start: offer.hour_start,
            end: offer.hour_end,
          }),
        ),
        ...received.map(({ transfer: { from, offered } }) =>
          t('transfer.announced', { from, spot: offered.respawn_name }),
        ),
      ].join(' ')}
    </p>
  );
}

interface OfferLineProps extends ShownOffer {
  onAnswer: (offer: Offer, choice: OfferAnswer) => Promise<void>;
  onDismiss: (offer: Offer) => void;
}

function OfferLine({ offer, state, isGone, onAnswer, onDismiss }: OfferLineProps): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  const localHours = useLocalHours();
  const errorText = useErrorText();
  const { wait, profile, hour_start: start, hour_end: end } = offer;
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name ?? '');
  const isOffline = useBoard((board) => board.connection === 'offline');
  const several = useSession((session) => session.profiles.length > 1);
  const busy = state.status === 'busy' ? state.choice : null;
  const hours = t('time.range', { start, end });
  return (
    <div className={styles.offer}>
      <div className={styles.text}>
        <p className={styles.what}>
          {isGone ? null : (
            <span className="own">
              {several ? t('offer.labelFor', { name: profile.characterName }) : t('offer.label')}
            </span>
          )}{' '}
          <b>{spot}</b> <span className="nowrap">{hours}</span>
        </p>
        <p className="muted">
          {nearDay(wait.date)} · <span className="nowrap">{localHours(wait.date, start, end)}</span>
          {isGone ? null : (
            <>
              {' · '}
              <Minutes until={wait.held_until} />
            </>
          )}
        </p>
        {state.status === 'failed' ? (
          <p role="alert" className="bad">
            {errorText(state.error)}
          </p>
        ) : null}
        {state.status === 'over' ? <p className="bad">{t('offer.expired')}</p> : null}
        {state.status === 'withdrawn' ? <p className="bad">{t('offer.withdrawn')}</p> : null}
      </div>
      {isGone && busy === null ? (
        <IconButton
          label={t('common.dismiss')}
          icon={<CloseIcon />}
          onClick={() => onDismiss(offer)}
        />
      ) : (
        <Cluster className={styles.actions}>
          <OfferButtons
            what={{ spot, hours }}
            busy={busy}
            isOffline={isOffline}
            onAnswer={(choice) => void onAnswer(offer, choice)}
          />
        </Cluster>
      )}
    </div>
  );
}

/** Its own component, so that nothing else renders every minute. */
function Minutes({ until }: { until: string }): ReactNode {
  const { t } = useTranslation();
  const count = useMinutesLeft(until);
  return <b className={styles.minutes}>{t('time.minutesLeft', { count })}</b>;
}

function useDoneToast(): (offer: Offer, choice: OfferAnswer) => void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return ({ wait, profile, hour_start: start, hour_end: end }, choice) => {
    const spot = useBoard.getState().byKind.respawn.get(wait.respawn_id)?.name ?? '';
    const facts = { name: profile.characterName, spot, hours: t('time.range', { start, end }) };
    if (choice === 'decline') {
      const waits = useBoard.getState().waitsByRespawn.get(wait.respawn_id) ?? [];
      const hours = { hour_start: start, hour_end: end };
      const isAwaited = waits.some(
        (one) => one.id !== wait.id && one.date === wait.date && rangesOverlap(one, hours),
      );
      showToast({
        tone: 'plain',
        text: t(isAwaited ? 'offer.declined' : 'offer.declinedFree', facts),
      });
      return;
    }
    const onPress = (): void => {
      void navigate(boardAddress(wait.date, claimTimeNow(false).today));
      showSpot({ respawn_id: wait.respawn_id, date: wait.date });
    };
    const claim = {
      respawn_id: wait.respawn_id,
      character_name: profile.characterName,
      date: wait.date,
      hour_start: start,
      hour_end: end,
    };
    showToast({
      text: <ClaimedText claim={claim} spot={spot} dateInView={wait.date} />,
      action: { label: t('board.quickClaim.showClaim'), onPress },
    });
  };
}

type AnswerState =
  | { status: 'open' }
  | { status: 'busy'; choice: OfferAnswer }
  | { status: 'failed'; error: unknown }
  /** Answered; the board will show it in a moment. */
  | { status: 'done' }
  | { status: 'over' }
  /** An undo restored the hours, and the entry waits again. */
  | { status: 'withdrawn' };

interface ShownOffer {
  offer: Offer;
  state: AnswerState;
  /** It is no longer held and can't be answered. */
  isGone: boolean;
}

const OPEN: AnswerState = { status: 'open' };

interface OfferAnswers {
  /** Open offers, and past ones with something left to report. */
  visibleOffers: readonly ShownOffer[];
  /** Resolves to whether it succeeded. */
  answer: (offer: Offer, choice: OfferAnswer) => Promise<boolean>;
  dismiss: (offer: Offer) => void;
}

/** Sends answers, and reports offers that expired unanswered. The held hours themselves are read from the board. */
function useOfferAnswers(offers: readonly Offer[]): OfferAnswers {
  const [answers, setAnswers] = useState<ReadonlyMap<number, { offer: Offer; state: AnswerState }>>(
    new Map(),
  );
  const setAnswer = (offer: Offer, state: AnswerState): void =>
    setAnswers((before) => new Map(before).set(offer.wait.id, { offer, state }));
  const before = useRef<readonly Offer[]>([]);
  useEffect(() => {
    const now = serverNow();
    const gone = before.current.filter(
      ({ wait }) => !offers.some((offer) => offer.wait.id === wait.id),
    );
    before.current = offers;
    setAnswers((known) => {
      const next = new Map(known);
      for (const offer of gone) {
        const state = known.get(offer.wait.id)?.state ?? OPEN;
        if (state.status === 'busy' || state.status === 'over' || state.status === 'withdrawn')
          continue;
        if (waitsAgain(offer)) {
          next.set(offer.wait.id, { offer, state: { status: 'withdrawn' } });
          continue;
        }
        // Nothing to report if it was taken (here with a lost answer, or in another tab), declined or withdrawn.
        const isLost = isHoldOver(offer.wait, now) && state.status !== 'done' && !isTaken(offer);
        if (isLost) next.set(offer.wait.id, { offer, state: { status: 'over' } });
        else if (state.status !== 'failed' || isTaken(offer)) next.delete(offer.wait.id);
      }
      return next;
    });
  }, [offers]);

  const answer = async (offer: Offer, choice: OfferAnswer): Promise<boolean> => {
    if (answers.get(offer.wait.id)?.state.status === 'busy') return false;
    setAnswer(offer, { status: 'busy', choice });
    try {
      await (choice === 'take' ? acceptWait : declineWait)(offer.wait.id, offer.profile.accessKey);
      setAnswer(offer, { status: 'done' });
      return true;
    } catch (error) {
      // Another tab, or a request whose answer was lost, may have taken it.
      const isDone = choice === 'take' && isTaken(offer);
      setAnswer(offer, isDone ? { status: 'done' } : { status: 'failed', error });
      return isDone;
    } finally {
      refreshBoard();
    }
  };

  const open = offers.map(
    (offer): ShownOffer => ({
      offer,
      state: answers.get(offer.wait.id)?.state ?? OPEN,
      isGone: false,
    }),
  );
  const rest = [...answers.values()]
    .filter(({ offer }) => !offers.some(({ wait }) => wait.id === offer.wait.id))
    .map((one): ShownOffer => ({ ...one, isGone: true }));
  return {
    visibleOffers: [...open, ...rest].filter(({ state }) => state.status !== 'done'),
    answer,
    dismiss: ({ wait }) =>
      setAnswers((known) => {
        const next = new Map(known);
        next.delete(wait.id);
        return next;
      }),
  };
}

const waitsAgain = ({ wait }: Offer): boolean =>
  useBoard.getState().byKind.wait.get(wait.id)?.status === 'waiting';

/** Whether the hold has become a claim of the same character. */
function isTaken({ wait, profile }: Offer): boolean {
  const claim =
    wait.held_claim_id === null
      ? undefined
      : useBoard.getState().byKind.claim.get(wait.held_claim_id);
  return (
    claim !== undefined &&
    !claim.is_held &&
    nameKey(claim.character_name) === nameKey(profile.characterName)
  );
}

interface Offer extends HourRange {
  wait: Wait & { held_until: string };
  profile: Profile;
}

const isOffered = (own: OwnWait): own is OwnWait & Pick<Offer, 'wait'> =>
  own.wait.status === 'offered' && own.wait.held_until !== null;

/** Open offers by deadline; the same list until that changes. */
function useOffers(own: readonly OwnWait[]): readonly Offer[] {
  const offered = useMemo(() => own.filter(isOffered), [own]);
  // Offered hours may be fewer than requested. Strings compare by value.
  const hours = useBoard(
    useShallow((board) =>
      offered.map(({ wait }) => {
        const held = { id: wait.held_claim_id ?? 0, character_name: wait.character_name };
        const claim = currentWhole(board, held);
        return `${claim?.hour_start ?? wait.hour_start} ${claim?.hour_end ?? wait.hour_end}`;
      }),
    ),
  );
  return useMemo(() => {
    const offers = offered.map(({ wait, profile }, i): Offer => {
      const [hour_start = wait.hour_start, hour_end = wait.hour_end] = (hours[i] ?? '')
        .split(' ')
        .map(Number);
      return { wait, profile, hour_start, hour_end };
    });
    return offers.sort((a, b) => Date.parse(a.wait.held_until) - Date.parse(b.wait.held_until));
  }, [offered, hours]);
}
