import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import {
  firstFit,
  lengthOf,
  type StretchLimits,
  whatIsLeft,
} from '../../../../shared/rules/stretch.ts';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { boardDates } from '../../../lib/board-dates.ts';
import { claimSearch } from '../../../lib/claim-request.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useIsMounted } from '../../../lib/use-is-mounted.ts';
import { announceChoosing } from '../../../live/announce-choosing.ts';
import { boardAddress, shownSpot } from '../../../state/board-place.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useClaimPage, useClaimTime } from '../../../state/permissions.ts';
import { useChoosing } from '../../../state/presence-store.ts';
import { switchProfile } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ChoosingLines } from '../../../ui/hours/choosing-lines.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAvailability, useHeldClaims } from '../draft/availability.ts';
import {
  checkHours,
  claimantFacts,
  claimsOf,
  hasClaim,
  limitsOf,
  type OwnClaim,
  ownClaimOf,
  type RuleRefusal,
  type Taken,
  takenOnBoard,
} from '../draft/check.ts';
import { isNamed, rowOf } from '../draft/draft.ts';
import {
  isAnswerOpen,
  type SubmissionState,
  submissionBody,
  useSubmission,
} from '../draft/submission.ts';
import { useShowClaimed } from '../just-claimed.tsx';
import { SubmissionFailure, useSubmissionFailure } from '../submission-failure.tsx';
import { useRefusalText } from '../words.ts';
import { ChosenHours, ChosenLabel, HoursHandles, useHoursLabel } from './chosen-hours.tsx';
import { type ClaimDraft, changeDraft, discardDraft, useClaimDraft } from './claim-draft.ts';
import styles from './claim-in-place.module.css';
import { boxOf } from './hours-box.ts';
import { PanelFrame } from './panel-frame.tsx';
import { WhoClaims } from './who-claims.tsx';

/** The overlay of the draft claim on the board: its hours where they were chosen, and its panel. */
export function ClaimInPlace({ onClose }: { onClose: () => void }): ReactNode {
  const draft = useClaimDraft((state) => state.draft);
  return draft ? <Draft draft={draft} onClose={onClose} /> : null;
}

function Draft({ draft, onClose }: { draft: ClaimDraft; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date, phase, anchor, date_in_view } = draft;
  const claim = useCheckedDraft(draft);
  const labelOf = useHoursLabel();
  const chosen = useRef<HTMLDivElement>(null);
  const { hours } = claim;
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
          <ClaimPanel draft={draft} claim={claim} onClose={onClose} />
        </PanelFrame>
      ) : null}
    </>
  );
}

interface CheckedDraft {
  event: ActiveEvent | null;
  /** The chosen hours that are still free; null: none. */
  hours: HourRange | null;
  limits: StretchLimits;
  taken: readonly Taken[];
  /** The claim that has taken some of the chosen hours since. */
  lostTo: Taken | null;
  /** The claims that the character has on the date already. */
  own: readonly OwnClaim[];
  /** Why this character cannot claim them. */
  refusal: RuleRefusal | null;
  submission: SubmissionState;
  /** Submits the claim, or asks again for a lost answer. Returns the stored claims, or null. */
  submit: () => Promise<ClaimRow[] | null>;
  /** The draft changed: drops the last failure. */
  forget: () => void;
}

/** Any hour: without hours, only the claimant and the date can be refused. */
const SOME_HOUR: HourRange = { hour_start: 23, hour_end: 24 };

/** Checks the draft again with every change of the board. */
function useCheckedDraft({ respawn_id, date, range, claimant }: ClaimDraft): CheckedDraft {
  const failureOf = useSubmissionFailure();
  const board = useBoard();
  const time = useClaimTime(claimant.access_key === null);
  const isMounted = useIsMounted();
  const submission = useSubmission((error) => {
    // If the panel was closed meanwhile, say it in a message.
    if (!isMounted()) showToast({ tone: 'bad', ...failureOf(error) });
  });
  const isOpen = isAnswerOpen(submission.state);
  const facts = claimantFacts(board, date, claimant, time);
  const { period, event, voucher } = facts;
  const availability = useAvailability([{ respawn_id, period }]);
  const heldClaims = useHeldClaims(claimant.character_name, respawn_id, [period]);
  const taken = availability.takenIn(respawn_id, period);
  const limits = limitsOf(facts, taken);
  // The sent request stays, even if the hour ends or the claim arrives before the response.
  const hours = range && (isOpen ? range : whatIsLeft(range, limits));
  const held = heldClaims.in(period);
  const own =
    held.status === 'ready' && held.value.length > 0
      ? held.value.map((claim) => ownClaimOf(claim, board))
      : claimsOf(facts);
  const refusal = ((): RuleRefusal | null => {
    if (isOpen) return null;
    if (hasClaim(facts) || own.length > 0) return { code: 'claim.characterHasClaim', params: {} };
    return checkHours(facts, { respawn_id, date }, hours ?? SOME_HOUR);
  })();
  useAnnounceHours(
    respawn_id,
    event?.type === 'single_claim' ? null : date,
    refusal ? null : hours,
  );

  const send = async (): Promise<ClaimRow[] | null> => {
    if (submission.state.status === 'unsure') return submission.submitAgain();
    if (!hours || refusal) return null;
    return submission.submit(
      submissionBody([rowOf(date, hours, voucher)], { claimant, respawn_id, voucher, event }),
    );
  };
  const submit = async (): Promise<ClaimRow[] | null> => {
    if (submission.state.status === 'busy' || !isNamed(claimant)) return null;
    const stored = await send();
    if (!stored) {
      availability.askAgain();
      heldClaims.askAgain();
    }
    return stored;
  };
  const lostTo =
    (range &&
      taken.find((one) => rangesOverlap(one, range) && nameKey(one.character_name) !== '')) ??
    null;
  return {
    event,
    hours,
    limits,
    taken,
    lostTo,
    own,
    refusal,
    submission: submission.state,
    submit,
    forget: submission.forget,
  };
}

/** Announces the chosen hours to other viewers, as the form does. */
function useAnnounceHours(respawn_id: number, date: string | null, hours: HourRange | null): void {
  const [hour_start, hour_end] = [hours?.hour_start, hours?.hour_end];
  useEffect(() => {
    announceChoosing(
      hour_start === undefined || hour_end === undefined
        ? null
        : [{ respawn_id, date, hour_start, hour_end }],
    );
  }, [respawn_id, date, hour_start, hour_end]);
  useEffect(() => () => announceChoosing(null), []);
}

interface PanelProps {
  draft: ClaimDraft;
  claim: CheckedDraft;
}

/** The claimant, the refusal, and the one button; Enter presses it. */
function ClaimPanel({ draft, claim, onClose }: PanelProps & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, date, claimant } = draft;
  const { hours, limits, taken, refusal, submission, submit, forget } = claim;
  const showClaimed = useShowClaimed();
  const choosing = useChoosing(respawn_id, date);
  const [tried, setTried] = useState(false);
  const whyId = useId();
  const isUnsure = submission.status === 'unsure';
  const isReady = isUnsure || (hours !== null && refusal === null);
  const change = (next: Change): void => {
    forget();
    changeDraft(next);
  };

  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const stored = await submit();
    if (!stored) return;
    onClose();
    showClaimed(stored, claimant.access_key, date);
  };

  return (
    <form noValidate className={styles.panel} onSubmit={(event) => void onSubmit(event)}>
      <HoursLine draft={draft} claim={claim} onChange={change} />
      {hours ? (
        <HoursHandles
          date={date}
          hours={hours}
          limits={limits}
          taken={taken}
          disabled={isAnswerOpen(submission) || refusal?.code === 'claim.characterHasClaim'}
          onChange={(range) => change({ range })}
        />
      ) : null}
      <WhoClaims
        claimant={claimant}
        error={tried && !isNamed(claimant) ? t('errors.character.nameRequired') : undefined}
        disabled={isAnswerOpen(submission)}
        onChange={(next) => change({ claimant: next })}
      />
      <div id={whyId} className={styles.why}>
        <RefusalAlert draft={draft} claim={claim} />
      </div>
      <div className={styles.actions}>
        <MoreOptions draft={draft} hours={hours} />
        <Button
          type="submit"
          variant="primary"
          busy={submission.status === 'busy'}
          aria-disabled={!isReady || undefined}
          aria-describedby={isReady ? undefined : whyId}
          data-claim
        >
          {isUnsure
            ? t('board.quickClaim.retry')
            : hours
              ? t('board.quickClaim.claim', { hours: lengthOf(hours) })
              : t('board.quickClaim.claimNothing')}
        </Button>
      </div>
      <ChoosingLines choosing={choosing} date={date} />
    </form>
  );
}

type Change = Parameters<typeof changeDraft>[0];

/** "SS+16 to SS+19 · Sun 02:00 to 05:00", on a date that can be changed, or on the days of an event. */
function HoursLine({
  draft,
  claim: { hours, event, submission },
  onChange,
}: PanelProps & { onChange: (change: Change) => void }): ReactNode {
  const { t } = useTranslation();
  const labelOf = useHoursLabel();
  const dayText = useDayText();
  return (
    <div className={styles.hours}>
      {event?.type === 'single_claim' ? (
        <p>
          {t('submit.event.period', {
            start: dayText(eventDate(event.start_time)),
            end: dayText(eventDate(event.end_time)),
          })}
        </p>
      ) : (
        <DayStepper
          draft={draft}
          event={event}
          isFixed={isAnswerOpen(submission)}
          onChange={onChange}
        />
      )}
      {hours ? <b>{labelOf(draft.date, hours)}</b> : null}
    </div>
  );
}

interface DayStepperProps {
  draft: ClaimDraft;
  event: ActiveEvent | null;
  isFixed: boolean;
  onChange: (change: Change) => void;
}

/** The date, and its neighbours one press away. The same hours are kept where they are free, as far as they are. */
function DayStepper({
  draft: { respawn_id, date, range, claimant },
  event,
  isFixed,
  onChange,
}: DayStepperProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const time = useClaimTime(claimant.access_key === null);
  /** The chosen hours: a date on which they are taken does not change them for the next one. */
  const chosen = useRef({ kept: range, wanted: range });
  const dates = boardDates(event, time.today).filter(
    (one) => time.may_enter_past || one >= time.today,
  );
  const at = dates.indexOf(date);
  const go = (next: string): void => {
    if (range !== chosen.current.kept) chosen.current.wanted = range;
    const { wanted } = chosen.current;
    const facts = claimantFacts(useBoard.getState(), next, claimant, time);
    const limits = limitsOf(facts, takenOnBoard(facts, respawn_id));
    const kept = (wanted && whatIsLeft(wanted, limits)) ?? firstFit(limits);
    chosen.current.kept = kept;
    onChange({ date: next, range: kept });
  };
  const step = (to: string | undefined, label: string, icon: ReactNode): ReactNode => {
    const isBlocked = to === undefined || isFixed;
    return (
      <IconButton
        small
        label={label}
        icon={icon}
        aria-disabled={isBlocked || undefined}
        onClick={() => !isBlocked && go(to)}
      />
    );
  };
  return (
    <div className={styles.day}>
      {step(dates[at - 1], t('board.timeline.previousDay'), <ChevronLeftIcon />)}
      <span aria-live="polite">{dayText(date)}</span>
      {step(at < 0 ? undefined : dates[at + 1], t('board.timeline.nextDay'), <ChevronRightIcon />)}
    </div>
  );
}

/** The last failure, why this character cannot claim, or the claim that took some of the hours. */
function RefusalAlert({ draft: { range }, claim }: PanelProps): ReactNode {
  const { t } = useTranslation();
  const { event, hours, lostTo, own, refusal, submission } = claim;
  const refusalText = useRefusalText();
  if (submission.status === 'refused' || submission.status === 'unsure')
    return <SubmissionFailure state={submission} />;
  if (refusal?.code === 'claim.characterHasClaim')
    return (
      <OwnClaims
        own={own}
        why={refusalText(refusal)}
        hasOtherDays={event?.type !== 'single_claim'}
      />
    );
  if (refusal) return <Alert tone="bad">{refusalText(refusal)}</Alert>;
  if (!range || submission.status === 'busy') return null;
  const left = hours && t('time.range', { start: hours.hour_start, end: hours.hour_end });
  if (lostTo) {
    const taken = t('time.range', { start: lostTo.hour_start, end: lostTo.hour_end });
    const params = { name: lostTo.character_name, taken };
    return left ? (
      <Alert tone="accent">{t('board.quickClaim.partlyTaken', { ...params, left })}</Alert>
    ) : (
      <Alert tone="bad">{t('board.quickClaim.taken', params)}</Alert>
    );
  }
  return left ? null : <Alert tone="bad">{t('board.quickClaim.ended')}</Alert>;
}

interface OwnClaimsProps {
  own: readonly OwnClaim[];
  why: string;
  /** Not in a single_claim event, whose claims cover all its days. */
  hasOtherDays: boolean;
}

/** The claims that the character has on the date, each a link to it on the board, and what else can be done. */
function OwnClaims({ own, why, hasOtherDays }: OwnClaimsProps): ReactNode {
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
      {hasOtherDays ? <p>{t('board.quickClaim.otherDay')}</p> : null}
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
