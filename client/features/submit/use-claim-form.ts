import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { type ChosenHours, MAX_CHOICES } from '../../../shared/live.ts';
import { omit } from '../../../shared/omit.ts';
import type { ClaimTime } from '../../../shared/rules/claim-time.ts';
import { hoursExist } from '../../../shared/rules/claim-time.ts';
import { type StartHour, startHours } from '../../../shared/rules/start-hours.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { announceChoosing } from '../../live/announce-choosing.ts';
import { refreshBoard } from '../../live/refresh.ts';
import { useBoard } from '../../state/board-store.ts';
import {
  type Attempt,
  type Claimant,
  IDLE,
  isAnswerOpen,
  isNamed,
  type SubmissionState,
  withoutFailure,
} from '../../state/claim-draft.ts';
import {
  type Loaded,
  type SpotPeriod,
  takenByOthers,
  useAvailability,
  useHeldClaims,
} from '../claiming/draft/availability.ts';
import {
  checkRow,
  type DatedClaim,
  type HeldClaim,
  hoursOverOn,
  isWholeEvent,
  lastDay,
  type RowFacts,
  type RowProblem,
  sameChoiceOn,
  type Taken,
} from '../claiming/draft/check.ts';
import {
  coveredPeriod,
  type DraftRow,
  durationOf,
  type Period,
  primaryRespawns,
  type RowPart,
  rowParts,
  type SecondaryPart,
  secondaryPart,
} from '../claiming/draft/draft.ts';
import { attemptOf, sendClaims, submissionBody } from '../claiming/draft/submission.ts';
import {
  endedDates,
  type FirstChoice,
  type FormAction,
  type FormState,
  firstFormState,
  followersOf,
  formReducer,
} from './form-state.ts';

export interface ClaimFormInput {
  claimant: Claimant;
  event: ActiveEvent | null;
  /** The longest claim of the claimant's member type, in hours. */
  voucher: number;
  /** R5.5: the claimant's member type may claim a second spot. */
  maySecondary: boolean;
  time: ClaimTime;
  /** Why nothing can be submitted now, while the choices stay; null: it can. */
  closed: string | null;
  first: () => FirstChoice;
  /** The form as the person left it; null: it opens with `first`. */
  kept: () => FormState | null;
  /** Called with each state, to keep it. */
  onState: (state: FormState) => void;
  /** When it changes, `first` is requested now: hours were chosen on the board beside the form. */
  request: string;
  onSubmitted: (claims: ClaimRow[]) => void;
  onRefused?: ((error: unknown) => void) | undefined;
}

export interface ClaimFormModel {
  state: FormState;
  change: (action: FormAction) => void;
  /** The chosen spot; undefined when none is chosen, or it is gone. */
  respawn: Respawn | undefined;
  /** False where every row is split: the parts have spots of their own. */
  needsRespawn: boolean;
  rows: readonly RowView[];
  submission: SubmissionState;
  /** The server cannot be reached: nothing can be submitted, and claims may be out of date. */
  isOffline: boolean;
  /** The first date with a problem that only another choice can solve. */
  blocked: BlockedRow | null;
  /** The first thing that is not chosen yet; null: everything is. */
  missing: Missing | null;
  /** Returns false when something is missing and nothing was sent. */
  submit: () => boolean;
  claimsIn: (respawn_id: number, period: Period) => readonly DatedClaim[];
  sameChoice: (date: string, row: DraftRow | undefined) => DraftRow;
  /** Asks the server again who has which hours. */
  retry: () => void;
  /** The claimant changed: drops the last failure. */
  forget: () => void;
}

interface BlockedRow {
  view: RowView;
  problem: RowProblem;
}

/** The first field that is not chosen yet; a row: it has no start hour. */
type Missing = 'character' | 'respawn' | 'date' | RowView;

/** The form's state: the input, its validation against taken hours, and the submission. */
export function useClaimForm(input: ClaimFormInput): ClaimFormModel {
  const { claimant, event, voucher, maySecondary, time } = input;
  const [state, dispatch] = useReducer(
    formReducer,
    null,
    () => input.kept() ?? firstFormState(input.first()),
  );
  const { onState } = input;
  useEffect(() => onState(state));
  const respawns = useBoard((board) => board.byKind.respawn);
  const respawn = state.respawn_id === null ? undefined : respawns.get(state.respawn_id);
  const [submission, setSubmission] = useState(IDLE);
  const availability = useAvailability(spotPeriodsOf(state, event));
  const heldClaims = useHeldClaims(
    claimant.character_name,
    state.respawn_id,
    state.rows.map((row) => coveredPeriod(row.date, event)),
  );
  const isOpen = isAnswerOpen(submission);
  // Retry a lost answer with the same rows.
  const ended = isOpen ? [] : endedDates(state, event, time);
  if (ended.length > 0) dispatch({ type: 'dates-ended', over: ended, today: time.today });

  const factsOn = (period: Period): Omit<RowFacts, 'held'> => ({
    voucher,
    event,
    maySecondary,
    time,
    respawns,
    respawn_id: state.respawn_id,
    takenAt: (respawn_id) => {
      const all = availability.takenIn(respawn_id, period);
      return isOpen ? takenByOthers(all, claimant.character_name) : all;
    },
  });
  const rows = state.rows.map((row) => {
    const period = coveredPeriod(row.date, event);
    return viewRow(row, period, factsOn(period), {
      held: heldClaims.in(period),
      isOpen,
      claimsFailed: primaryRespawns(row, state.respawn_id).some(
        (place) => availability.stateOf(place.respawn_id, period) === 'failed',
      ),
    });
  });
  const isOffline = useBoard((board) => board.connection === 'offline');
  useAnnounceChoosing(rows, event, input.closed !== null);
  const [blocked = null] = rows.flatMap((view) =>
    view.problem && view.problem.kind !== 'hour-missing' ? [{ view, problem: view.problem }] : [],
  );
  const needsRespawn = rows.length === 0 || rows.some(({ row }) => row.split === null);

  const missing = ((): Missing | null => {
    if (!isNamed(claimant)) return 'character';
    if (needsRespawn && state.respawn_id === null) return 'respawn';
    if (rows.length === 0) return 'date';
    return rows.find(({ problem }) => problem?.kind === 'hour-missing') ?? null;
  })();

  const sameChoice = (date: string, row: DraftRow | undefined): DraftRow =>
    sameChoiceOn(date, row, factsOn(coveredPeriod(date, event)));
  const withFollowers = (action: FormAction & { type: 'hours-chosen' }): FormAction => {
    const { date, ...chosen } = omit(action, 'type', 'followers');
    const { hour_start, custom_duration } = {
      ...state.rows.find((row) => row.date === date),
      ...chosen,
    };
    const take = (row: DraftRow): DraftRow =>
      sameChoice(row.date, {
        ...row,
        hour_start: hour_start ?? null,
        custom_duration: custom_duration ?? null,
      });
    return { ...action, followers: followersOf(state, date).map(take) };
  };

  const forget = (): void => {
    if (submission.status === 'refused' || submission.status === 'unsure')
      setSubmission(withoutFailure(submission));
  };
  const change = (action: FormAction): void => {
    if (submission.status === 'busy') return;
    dispatch(action.type === 'hours-chosen' ? withFollowers(action) : action);
    if (action.type !== 'date-opened' && action.type !== 'submit-tried') forget();
  };
  useOnRequest(input.request, () => {
    const first = input.first();
    if (first.respawn_id !== null || first.hour_start !== null)
      change({ type: 'requested', first });
  });
  const retry = (): void => {
    availability.askAgain();
    heldClaims.askAgain();
  };

  const send = async (attempt: Attempt): Promise<void> => {
    setSubmission({ status: 'busy', attempt });
    const answer = await sendClaims(attempt);
    if (Array.isArray(answer)) {
      setSubmission(IDLE);
      input.onSubmitted(answer);
      return;
    }
    input.onRefused?.(answer.error);
    setSubmission(answer);
    retry();
  };
  const submit = (): boolean => {
    if (submission.status === 'busy') return true;
    // It may be stored already: skip the local checks and let the server decide.
    if (submission.status === 'unsure') {
      void send(submission.attempt);
      return true;
    }
    if (isOffline) {
      // Check at once whether the server is back.
      refreshBoard();
      return true;
    }
    if (input.closed !== null) return false;
    dispatch({ type: 'submit-tried' });
    const wrong = rows.find((view) => view.problem !== null);
    if (wrong) dispatch({ type: 'date-opened', date: wrong.row.date });
    const isPlaced = !needsRespawn || respawn?.is_enabled === 1;
    if (!isNamed(claimant) || !isPlaced || rows.length === 0 || wrong) return false;
    const { respawn_id } = state;
    const body = submissionBody(state.rows, { claimant, respawn_id, voucher, event });
    void send(attemptOf(body, submission.attempt));
    return true;
  };

  return {
    state,
    change,
    respawn,
    needsRespawn,
    rows,
    submission,
    isOffline,
    blocked,
    missing,
    submit,
    claimsIn: availability.claimsIn,
    sameChoice,
    retry,
    forget,
  };
}

/** A row with everything that the form shows of it. */
export interface RowView {
  row: DraftRow;
  /** One date, or all of a single_claim event. */
  period: Period;
  /** The length of its claim unless it is split. */
  duration: number;
  hours: readonly StartHour[];
  /** The occupied hours of the chosen spot, and by whom. */
  taken: readonly Taken[];
  parts: readonly RowPart[];
  secondary: SecondaryPart | null;
  problem: RowProblem | null;
  /** All its dates are over, and the claimant may enter past claims. */
  isPast: boolean;
  claimsFailed: boolean;
  checkFailed: boolean;
}

interface RowAnswers {
  held: Loaded<HeldClaim[]>;
  /** A submission's answer is open: the character's claim is most likely the submitted one. */
  isOpen: boolean;
  claimsFailed: boolean;
}

export function viewRow(
  row: DraftRow,
  period: Period,
  facts: Omit<RowFacts, 'held'>,
  answers: RowAnswers,
): RowView {
  const { voucher, respawn_id } = facts;
  const { isOpen, claimsFailed } = answers;
  const held = isOpen || answers.held.status !== 'ready' ? [] : answers.held.value;
  // On a retry the hour may be over, but the first attempt was in time.
  const time = isOpen ? { ...facts.time, may_enter_past: true } : facts.time;
  const duration = durationOf(row, voucher);
  const taken = facts.takenAt(respawn_id);
  return {
    row,
    period,
    duration,
    taken,
    hours: startHours(duration, voucher, {
      taken,
      over: hoursOverOn(row, facts),
      exist: (hours) => hoursExist(hours, isWholeEvent(facts) ? null : row.date, facts.time),
    }),
    parts: rowParts(row, respawn_id, voucher),
    secondary: secondaryPart(row, voucher),
    problem: checkRow(row, { ...facts, held, time }),
    isPast: facts.time.may_enter_past && lastDay(row, facts) < facts.time.today,
    claimsFailed,
    checkFailed: answers.held.status === 'failed',
  };
}

/** The places whose claims the form needs: the chosen spot on all dates, and the spots of split parts. */
function spotPeriodsOf({ rows, respawn_id }: FormState, event: ActiveEvent | null): SpotPeriod[] {
  return rows.flatMap((row) => {
    const ids = [respawn_id, ...primaryRespawns(row, respawn_id).map((place) => place.respawn_id)];
    const period = coveredPeriod(row.date, event);
    return ids.flatMap((id) => (id === null ? [] : [{ respawn_id: id, period }]));
  });
}

/** Calls back when the request changes; the form opened with the first one. */
function useOnRequest(request: string, callback: () => void): void {
  const known = useRef(request);
  const fill = useEffectEvent(callback);
  useEffect(() => {
    if (known.current === request) return;
    known.current = request;
    fill();
  }, [request]);
}

/** Shows the others which hours are being chosen, as long as they are free and the form is open. */
function useAnnounceChoosing(
  rows: readonly RowView[],
  event: ActiveEvent | null,
  closed: boolean,
): void {
  const choices = closed
    ? []
    : rows.flatMap((view) => choicesOf(view, event)).slice(0, MAX_CHOICES);
  // On each render: the same choices are sent only once.
  useEffect(() => announceChoosing(choices));
  useEffect(() => () => announceChoosing(null), []);
}

function choicesOf({ row, parts, problem }: RowView, event: ActiveEvent | null): ChosenHours[] {
  if (problem) return [];
  const date = event?.type === 'single_claim' ? null : row.date;
  return parts.flatMap(({ respawn_id, hour_start, hour_end }) =>
    respawn_id === null ? [] : [{ respawn_id, date, hour_start, hour_end }],
  );
}
