import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { lengthOf, whatIsLeft } from '../../../../shared/rules/stretch.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { boardDates } from '../../../lib/board-dates.ts';
import { claimSearch } from '../../../lib/claim-request.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { announceChoosing } from '../../../live/announce-choosing.ts';
import { boardAddress, shownSpot } from '../../../state/board-place.ts';
import { activeEventIn, useBoard } from '../../../state/board-store.ts';
import {
  type Attempt,
  type Claimant,
  type ClaimDraft,
  IDLE,
  isAnswerOpen,
  isNamed,
} from '../../../state/claim-draft.ts';
import { useClaimTime } from '../../../state/claim-time.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useNearDay } from '../../../state/near-day.ts';
import { useClaimPage } from '../../../state/permissions.ts';
import { useChoosing } from '../../../state/presence-store.ts';
import { switchProfile } from '../../../state/session-store.ts';
import { usualHours } from '../../../state/usual-hours.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ChoosingLines } from '../../../ui/hours/choosing-lines.tsx';
import { HourRangeInput } from '../../../ui/hours/hour-range.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { Link } from '../../../ui/link.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAvailability, useHeldClaims } from '../draft/availability.ts';
import type { OwnClaim } from '../draft/check.ts';
import { coveredPeriod, rowOf } from '../draft/draft.ts';
import { judge, type Notice, type Verdict } from '../draft/judge.ts';
import { attemptOf, sendClaims, submissionBody } from '../draft/submission.ts';
import { useShowClaimed } from '../just-claimed.tsx';
import { SubmissionFailure, useSubmissionFailure } from '../submission-failure.tsx';
import { useRefusalText } from '../words.ts';
import { discardDraft, stepDraft, usualFit } from './choose-hours.ts';
import { ChosenHours, ChosenLabel, useHoursLabel } from './chosen-hours.tsx';
import styles from './claim-in-place.module.css';
import { boxOf } from './hours-box.ts';
import { PanelFrame } from './panel-frame.tsx';
import { WhoClaims } from './who-claims.tsx';

interface DraftProps {
  draft: ClaimDraft;
  onClose: () => void;
}

/** The overlay of the draft claim on the board: its hours where they were chosen, and its panel. */
export function ClaimInPlace({ draft, onClose }: DraftProps): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date, phase, anchor, date_in_view } = draft;
  const verdict = useVerdict(draft);
  const labelOf = useHoursLabel();
  const chosen = useRef<HTMLDivElement>(null);
  const { hours } = verdict;
  // The card may have been drawn again since it was pressed.
  const own = anchor.closest<HTMLElement>('[data-hours-of]');
  const box = own?.isConnected ? own : boxOf(respawn_id);
  const isDrawn = box !== null && hours !== null && date === date_in_view;
  return (
    <>
      {isDrawn ? <ChosenHours box={box} hours={hours} ref={chosen} /> : null}
      {phase === 'drawing' && hours ? (
        <ChosenLabel anchor={chosen} text={labelOf(date, hours)} />
      ) : null}
      {phase === 'asking' ? (
        <PanelFrame
          respawn_id={respawn_id}
          labelOf={(name) => t('board.claimName', { name })}
          at={() => (isDrawn ? chosen.current : null) ?? (anchor.isConnected ? anchor : box)}
          anchor={anchor}
          onClose={onClose}
        >
          <ClaimPanel draft={draft} verdict={verdict} onClose={onClose} />
        </PanelFrame>
      ) : null}
    </>
  );
}

interface CurrentVerdict extends Verdict {
  /** Reads the spot's taken hours and the character's claims from the server again. */
  askAgain: () => void;
}

/** Judges the draft again with every change of the board and every answer, and announces its hours to other viewers. */
function useVerdict(draft: ClaimDraft): CurrentVerdict {
  const { respawn_id, date, claimant } = draft;
  const board = useBoard();
  const time = useClaimTime(claimant.access_key === null);
  const period = coveredPeriod(date, activeEventIn(board));
  const availability = useAvailability([{ respawn_id, period }]);
  const heldClaims = useHeldClaims(claimant.character_name, respawn_id, [period]);
  const held = heldClaims.in(period);
  const verdict = judge(draft, {
    board,
    time,
    taken: availability.takenIn(respawn_id, period),
    held: held.status === 'ready' ? held.value : [],
  });
  const { hours, refusal } = verdict;
  const [hour_start, hour_end] = refusal ? [] : [hours?.hour_start, hours?.hour_end];
  const announced = verdict.event?.type === 'single_claim' ? null : date;
  useEffect(() => {
    announceChoosing(
      hour_start === undefined || hour_end === undefined
        ? null
        : [{ respawn_id, date: announced, hour_start, hour_end }],
    );
  }, [respawn_id, announced, hour_start, hour_end]);
  useEffect(() => () => announceChoosing(null), []);
  const askAgain = (): void => {
    availability.askAgain();
    heldClaims.askAgain();
  };
  return { ...verdict, askAgain };
}

/** The claimant, the refusal, and the one button; Enter presses it. */
function ClaimPanel({
  draft,
  verdict,
  onClose,
}: DraftProps & { verdict: CurrentVerdict }): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date, claimant, submission, isTried } = draft;
  const { event, voucher, hours, limits, taken, refusal, notice, maySubmit } = verdict;
  const showClaimed = useShowClaimed();
  const failureOf = useSubmissionFailure();
  const choosing = useChoosing(respawn_id, date);
  const whyId = useId();
  const isFixed = isAnswerOpen(submission);
  const form = useRef<HTMLFormElement>(null);
  const days = useDays(draft, event);
  const isElsewhere = notice !== null && notice.kind !== 'failed' && (!hours || refusal !== null);
  const freeDay = isElsewhere ? days.nextFree() : null;
  const nextFree = freeDay ? (
    <NextFree
      date={freeDay.date}
      onPress={() => {
        // The pressed button disappears.
        form.current?.querySelector<HTMLElement>('[data-claim]')?.focus();
        days.go(freeDay);
      }}
    />
  ) : null;
  // Decided once: hours that changed since the press, or change now, are asked about.
  const [isSent] = useState(
    () =>
      draft.isSentAtOnce &&
      maySubmit &&
      !notice &&
      hours !== null &&
      draft.range !== null &&
      lengthOf(hours) === lengthOf(draft.range),
  );
  useEffect(() => {
    if (isSent) form.current?.requestSubmit();
  }, [isSent]);

  // The character was refused when the panel opened, and no longer is.
  useEffect(() => {
    if (draft.range || refusal || isFixed) return;
    const free = days.on(date);
    if (free.range) days.go(free);
  });

  const onClaimant = (next: Claimant): void => {
    // Hours that the last claimant was refused were never chosen for this one.
    const hoursFor = draft.range ? {} : { range: days.on(date, next).range };
    stepDraft({ type: 'type', change: { claimant: next, ...hoursFor } });
  };
  const nextAttempt = (): Attempt | null => {
    if (submission.status === 'unsure') return submission.attempt;
    if (!hours || !maySubmit) return null;
    const row = rowOf(date, hours, voucher);
    const body = submissionBody([row], { claimant, respawn_id, voucher, event });
    return attemptOf(body, submission.attempt);
  };
  const onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (submission.status === 'busy') return;
    if (!isNamed(claimant)) {
      stepDraft({ type: 'refuse', failure: null });
      return;
    }
    const attempt = nextAttempt();
    if (attempt) {
      stepDraft({ type: 'sent', attempt });
      const answer = await sendClaims(attempt);
      if (Array.isArray(answer)) {
        onClose();
        showClaimed(answer, claimant.access_key, date);
        return;
      }
      // If the panel was closed meanwhile, say it in a message.
      if (!stepDraft({ type: 'refuse', failure: answer }))
        showToast({ tone: 'bad', ...failureOf(answer.error) });
    }
    verdict.askAgain();
  };

  return (
    <form ref={form} noValidate className={styles.panel} onSubmit={(event) => void onSubmit(event)}>
      <HoursLine draft={draft} event={event} hours={hours} />
      {hours ? (
        <HourRangeInput
          date={date}
          hours={hours}
          limits={limits}
          taken={taken}
          disabled={isFixed || refusal?.code === 'claim.characterHasClaim'}
          onChange={(range) => stepDraft({ type: 'stretch', range })}
        />
      ) : null}
      <WhoClaims
        claimant={claimant}
        error={isTried && !isNamed(claimant) ? t('errors.character.nameRequired') : undefined}
        disabled={isFixed}
        onChange={onClaimant}
      />
      <div id={whyId} className={styles.why}>
        {notice ? <NoticeAlert notice={notice} nextFree={nextFree} /> : null}
      </div>
      <Cluster align="start" justify="end" className={styles.actions}>
        <MoreOptions draft={draft} hours={hours} />
        <Button
          type="submit"
          variant="primary"
          busy={submission.status === 'busy'}
          aria-disabled={!maySubmit || undefined}
          aria-describedby={maySubmit ? undefined : whyId}
          data-claim
        >
          {submission.status === 'unsure'
            ? t('common.tryAgain')
            : hours
              ? t('board.quickClaim.claim', { hours: lengthOf(hours) })
              : t('board.quickClaim.claimNothing')}
        </Button>
      </Cluster>
      <ChoosingLines choosing={choosing} date={date} />
    </form>
  );
}

interface DayProps {
  draft: ClaimDraft;
  event: ActiveEvent | null;
}

/** "SS+16 to SS+19 · Sun 02:00 to 05:00", on a date that can be changed, or on the days of an event. */
function HoursLine({ draft, event, hours }: DayProps & { hours: HourRange | null }): ReactNode {
  const { t } = useTranslation();
  const labelOf = useHoursLabel();
  const dayText = useDayText();
  return (
    <div className={styles.hours}>
      {event?.type === 'single_claim' ? (
        <p>
          {t('time.clockRange', {
            start: dayText(eventDate(event.start_time)),
            end: dayText(eventDate(event.end_time)),
          })}
        </p>
      ) : (
        <DayStepper draft={draft} event={event} />
      )}
      {hours ? <b>{labelOf(draft.date, hours)}</b> : null}
    </div>
  );
}

/** The hours for a date, as the board allows them; null: none can be claimed. */
interface DayChoice {
  date: string;
  range: HourRange | null;
}

interface Days {
  /** The dates that can be chosen. */
  dates: readonly string[];
  /** The chosen hours on a date as far as they are free, else the usual ones or the nearest to them. */
  on: (date: string, claimant?: Claimant) => DayChoice;
  /** The first later date with all of the chosen hours, else with some. */
  nextFree: () => DayChoice | null;
  go: (choice: DayChoice) => void;
}

function useDays(draft: ClaimDraft, event: ActiveEvent | null): Days {
  const { wanted } = draft;
  const time = useClaimTime(draft.claimant.access_key === null);
  const dates = boardDates(event, time.today).filter(
    (one) => time.may_enter_past || one >= time.today,
  );
  const on: Days['on'] = (date, claimant = draft.claimant) => {
    const board = useBoard.getState();
    const thatDay = { ...draft, date, claimant, range: null, submission: IDLE };
    const { limits, refusal } = judge(thatDay, { board, time });
    if (refusal) return { date, range: null };
    const usual = usualHours(board, claimant, { date, longest: limits.voucher, clock: time.clock });
    return { date, range: (wanted && whatIsLeft(wanted, limits)) ?? usualFit(limits, usual) };
  };
  return {
    dates,
    on,
    nextFree: () => {
      const later = dates.filter((date) => date > draft.date).map((date) => on(date));
      const isWhole = ({ range }: DayChoice): boolean =>
        range !== null && (!wanted || lengthOf(range) === lengthOf(wanted));
      return later.find(isWhole) ?? later.find(({ range }) => range !== null) ?? null;
    },
    go: (change) => void stepDraft({ type: 'type', change }),
  };
}

function NextFree({ date, onPress }: { date: string; onPress: () => void }): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  return (
    <Button small onClick={onPress}>
      {t('board.quickClaim.nextFree', { date: nearDay(date) })}
    </Button>
  );
}

/** The date, and its neighbours one press away. The same hours are kept where they are free, as far as they are. */
function DayStepper({ draft, event }: DayProps): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  const { date, submission } = draft;
  const { dates, on, go } = useDays(draft, event);
  const at = dates.indexOf(date);
  const step = (to: string | undefined, label: string, icon: ReactNode): ReactNode => {
    const isBlocked = to === undefined || isAnswerOpen(submission);
    return (
      <IconButton
        small
        label={label}
        icon={icon}
        aria-disabled={isBlocked || undefined}
        onClick={() => !isBlocked && go(on(to))}
      />
    );
  };
  return (
    <div className={styles.day}>
      {step(dates[at - 1], t('board.timeline.previousDay'), <ChevronLeftIcon />)}
      <span aria-live="polite">{nearDay(date)}</span>
      {step(at < 0 ? undefined : dates[at + 1], t('board.timeline.nextDay'), <ChevronRightIcon />)}
    </div>
  );
}

/** The last failure, why this character cannot claim, or the claim that took some of the hours. */
function NoticeAlert({ notice, nextFree }: { notice: Notice; nextFree: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const rangeText = ({ hour_start: start, hour_end: end }: HourRange): string =>
    t('time.range', { start, end });
  switch (notice.kind) {
    case 'failed':
      return <SubmissionFailure state={notice.failure} />;
    case 'own-claims':
      return <OwnClaims own={notice.own} why={refusalText(notice.refusal)} nextFree={nextFree} />;
    case 'refused':
      return (
        <Alert tone="bad" action={nextFree}>
          {refusalText(notice.refusal)}
        </Alert>
      );
    case 'ended':
      return (
        <Alert tone="bad" action={nextFree}>
          {t('board.quickClaim.ended')}
        </Alert>
      );
    case 'taken': {
      const { by, left } = notice;
      const params = { name: by.character_name, taken: rangeText(by) };
      return left ? (
        <Alert tone="accent">
          {t('board.quickClaim.partlyTaken', { ...params, left: rangeText(left) })}
        </Alert>
      ) : (
        <Alert tone="bad" action={nextFree}>
          {t('board.quickClaim.taken', params)}
        </Alert>
      );
    }
  }
}

interface OwnClaimsProps {
  own: readonly OwnClaim[];
  why: string;
  nextFree: ReactNode;
}

/** The claims that the character has on the date, each a link to it on the board, and the way to the next free date. */
function OwnClaims({ own, why, nextFree }: OwnClaimsProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  return (
    <Alert tone="bad" title={why}>
      {own.map(({ respawn_id, respawn_name: respawn, date, hour_start: start, hour_end: end }) => (
        <p key={`${respawn} ${start}`}>
          <Link
            to={boardAddress(date, today)}
            state={respawn_id === null ? null : shownSpot(respawn_id)}
            onClick={discardDraft}
          >
            {t('submit.heldClaim', { respawn, hours: t('time.range', { start, end }) })}
          </Link>
        </p>
      ))}
      {nextFree}
    </Alert>
  );
}

/** Opens the form with the draft filled in. */
function MoreOptions({ draft, hours }: { draft: ClaimDraft; hours: HourRange | null }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const page = useClaimPage();
  const { respawn_id, date, claimant } = draft;
  const onPress = (): void => {
    const { access_key, character_name, member_type } = claimant;
    // The form claims for the selected character.
    if (access_key !== null) switchProfile(character_name);
    discardDraft();
    const search = claimSearch({
      respawn_id,
      date,
      ...(hours ? { hour: hours.hour_start, hours: lengthOf(hours) } : {}),
    });
    void navigate(
      page + search,
      access_key === null ? { state: { requested_claimant: { character_name, member_type } } } : {},
    );
  };
  return <Button onClick={onPress}>{t('board.quickClaim.moreOptions')}</Button>;
}
