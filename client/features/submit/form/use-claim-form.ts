import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { type ChosenHours, MAX_CHOICES } from '../../../../shared/live.ts';
import type { ClaimTime } from '../../../../shared/rules/claim-time.ts';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { announceChoosing } from '../../../live/announce-choosing.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import { type SubmissionState, useSubmission } from '../../../live/use-submission.ts';
import { useBoard } from '../../../state/board-store.ts';
import { coveredPeriod, type Period } from '../../claiming/draft/claim-dates.ts';
import { endedDates } from '../../claiming/draft/day-turn.ts';
import type { FormState } from '../../claiming/draft/form.ts';
import { type FirstChoice, type FormAction, firstFormState, formReducer } from '../../claiming/draft/form-state.ts';
import type { ClaimFormRow } from '../../claiming/draft/row.ts';
import { type RowFacts, type RowProblem, sameChoiceOn } from '../../claiming/draft/row-check.ts';
import { primaryRespawns } from '../../claiming/draft/row-parts.ts';
import { placesOf, type RowView, viewRow } from '../../claiming/draft/row-view.ts';
import { type Claimant, isNamed, submissionBody } from '../../claiming/draft/submission-body.ts';
import { type DatedClaim, takenByOthers } from '../../claiming/draft/taken.ts';
import { useAvailability } from '../../claiming/draft/use-availability.ts';
import { useCharacterCheck } from '../../claiming/draft/use-character-check.ts';

export interface ClaimFormInput {
  claimant: Claimant;
  event: ActiveEvent | null;
  /** The longest claim of the claimant's member type, in hours. */
  voucher: number;
  /** R5.5: the claimant's member type may claim a second spot. */
  maySecondary: boolean;
  /** When the claims are made. */
  time: ClaimTime;
  /** Nothing can be submitted at the moment; what was chosen stays. */
  closed: boolean;
  first: FirstChoice;
  /** Another one than before: `first` is asked for now, as hours that were pressed on the board beside the form. */
  asked: string;
  onSubmitted: (claims: ClaimRow[]) => void;
  onRefused?: ((error: unknown) => void) | undefined;
}

export interface ClaimForm {
  state: FormState;
  change: (action: FormAction) => void;
  /** The chosen spot; undefined when none is chosen, or it is gone. */
  respawn: Respawn | undefined;
  /** False where every date is split: the parts have spots of their own. */
  needsRespawn: boolean;
  rows: readonly RowView[];
  submission: SubmissionState;
  /** The server is not reached: nothing can be submitted, and who holds what is as it was. */
  isOffline: boolean;
  /** The first thing wrong that only another choice can right. */
  blocked: RowProblem | null;
  /** Answers false when something is missing: nothing was sent then. */
  submit: () => boolean;
  claimsIn: (respawn_id: number, period: Period) => readonly DatedClaim[];
  /** A row for another date with everything chosen for `row`. */
  sameChoice: (date: string, row: ClaimFormRow | undefined) => ClaimFormRow;
  askAgain: () => void;
  /** The claimant is another one: what was said about the last submission does not hold any more. */
  forget: () => void;
}

/** The form's one place where choices, what is taken, and the submission meet. */
export function useClaimForm(input: ClaimFormInput): ClaimForm {
  const { claimant, event, voucher, maySecondary, time } = input;
  const [state, dispatch] = useReducer(formReducer, input.first, firstFormState);
  const respawns = useBoard((board) => board.byKind.respawn);
  const respawn = state.respawn_id === null ? undefined : respawns.get(state.respawn_id);
  const submission = useSubmission(input.onRefused);
  const availability = useAvailability(placesOf(state, event));
  const check = useCharacterCheck(
    claimant.character_name,
    state.rows.map((row) => coveredPeriod(row.date, event)),
  );
  // Until the answer is known, what the character holds is most likely what was just submitted.
  const isAnswerOpen = submission.state.status === 'busy' || submission.state.status === 'unsure';
  // What was sent is asked for again as it was.
  const ended = isAnswerOpen ? [] : endedDates(state, event, time);
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
      return isAnswerOpen ? takenByOthers(all, claimant.character_name) : all;
    },
  });
  const rows = state.rows.map((row) => {
    const period = coveredPeriod(row.date, event);
    return viewRow(row, period, factsOn(period), {
      check: check.in(period),
      isAnswerOpen,
      claimsFailed: primaryRespawns(row, state.respawn_id).some((place) => availability.hasFailed(place.respawn_id, period)),
    });
  });
  const isOffline = useBoard((board) => board.connection === 'offline');
  useAnnounceChoosing(rows, event, input.closed);
  const [blocked = null] = rows.flatMap(({ problem }) => (problem && problem.of !== 'hour-missing' ? [problem] : []));
  const needsRespawn = rows.length === 0 || rows.some(({ row }) => row.split === null);

  const forget = (): void => {
    if (submission.state.status === 'refused' || submission.state.status === 'unsure') submission.forget();
  };
  const change = (action: FormAction): void => {
    if (submission.state.status === 'busy') return;
    dispatch(action);
    if (action.type !== 'date-opened' && action.type !== 'submit-tried') forget();
  };
  useAsked(input.asked, () => {
    const { first } = input;
    if (first.respawn_id !== null || first.hour_start !== null) change({ type: 'asked-for', first });
  });
  const askAgain = (): void => {
    availability.askAgain();
    check.askAgain();
  };

  const send = async (sent: Promise<ClaimRow[] | null>): Promise<void> => {
    const claims = await sent;
    if (claims) input.onSubmitted(claims);
    else askAgain();
  };
  const submit = (): boolean => {
    if (submission.state.status === 'busy') return true;
    // It may be stored: whatever was switched off or taken meanwhile, only the server knows, and answers what it answered.
    if (submission.state.status === 'unsure') {
      void send(submission.submitAgain());
      return true;
    }
    if (isOffline) {
      // Whoever presses it wants to know now whether it is still away.
      refreshBoard();
      return true;
    }
    if (input.closed) return false;
    dispatch({ type: 'submit-tried' });
    const wrong = rows.find((view) => view.problem !== null);
    if (wrong) dispatch({ type: 'date-opened', date: wrong.row.date });
    const isPlaced = !needsRespawn || respawn?.is_enabled === 1;
    if (!isNamed(claimant) || !isPlaced || rows.length === 0 || wrong) return false;
    void send(submission.submit(submissionBody(state.rows, { claimant, respawn_id: state.respawn_id, voucher, event })));
    return true;
  };

  return {
    state,
    change,
    respawn,
    needsRespawn,
    rows,
    submission: submission.state,
    isOffline,
    blocked,
    submit,
    claimsIn: availability.claimsIn,
    sameChoice: (date, row) => sameChoiceOn(date, row, factsOn(coveredPeriod(date, event))),
    askAgain,
    forget,
  };
}

/** Takes over what is asked for while the form is open; what it began with it has. */
function useAsked(asked: string, takeOver: () => void): void {
  const known = useRef(asked);
  const change = useEffectEvent(takeOver);
  useEffect(() => {
    if (known.current === asked) return;
    known.current = asked;
    change();
  }, [asked]);
}

/** Shows the others what the form asks for, as long as it can be had and the form is there. */
function useAnnounceChoosing(rows: readonly RowView[], event: ActiveEvent | null, closed: boolean): void {
  const choices = closed ? [] : rows.flatMap((view) => choicesOf(view, event)).slice(0, MAX_CHOICES);
  // Each render: what is no news is not told again.
  useEffect(() => announceChoosing(choices));
  useEffect(() => () => announceChoosing(null), []);
}

function choicesOf({ row, parts, problem }: RowView, event: ActiveEvent | null): ChosenHours[] {
  if (problem) return [];
  const date = event?.type === 'single_claim' ? null : row.date;
  return parts.flatMap(({ respawn_id, hour_start, hour_end }) => (respawn_id === null ? [] : [{ respawn_id, date, hour_start, hour_end }]));
}
