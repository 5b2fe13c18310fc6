import { useReducer } from 'react';
import { type StartHour, startHours } from '../../../shared/rules/start-hours.ts';
import type { ClaimOnRespawn, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { useBoard } from '../../store/board-store.ts';
import type { Profile } from '../../store/saved-profiles.ts';
import { type Taken, takenByOthers, takenOn } from './availability.ts';
import { coveredDates } from './claim-dates.ts';
import {
  type ClaimFormRow,
  durationOf,
  type FirstChoice,
  type FormAction,
  type FormState,
  firstFormState,
  formReducer,
} from './form-state.ts';
import { checkRow, type RowProblem } from './row-check.ts';
import { submissionBody } from './submission-body.ts';
import { useAvailability } from './use-availability.ts';
import { useCharacterCheck } from './use-character-check.ts';
import { type SubmissionState, useSubmission } from './use-submission.ts';

export interface ClaimFormInput {
  profile: Profile;
  event: Event | null;
  /** The longest claim of the profile's member type, in hours. */
  voucher: number;
  first: FirstChoice;
  onSubmitted: (claims: ClaimRow[]) => void;
}

/** A row with all that is known about it. */
export interface RowView {
  row: ClaimFormRow;
  /** One date, or all of a single_claim event. */
  dates: readonly string[];
  duration: number;
  hours: readonly StartHour[];
  problem: RowProblem | null;
  claimsFailed: boolean;
  checkFailed: boolean;
}

export interface ClaimForm {
  state: FormState;
  change: (action: FormAction) => void;
  /** The chosen spot; undefined when none is chosen, or it is gone. */
  respawn: Respawn | undefined;
  rows: readonly RowView[];
  submission: SubmissionState;
  /** The first date with something wrong that only another choice can right. */
  blocked: { date: string; problem: RowProblem } | null;
  /** Answers false when something is missing: nothing was sent then. */
  submit: () => boolean;
  claimsOn: (date: string) => readonly ClaimOnRespawn[];
  takenOn: (date: string) => readonly Taken[];
  askAgain: () => void;
}

/** The form's one place where choices, what is taken, and the submission meet. */
export function useClaimForm({ profile, event, voucher, first, onSubmitted }: ClaimFormInput): ClaimForm {
  const [state, dispatch] = useReducer(formReducer, first, firstFormState);
  const respawn = useBoard((board) => (state.respawn_id === null ? undefined : board.byKind.respawn.get(state.respawn_id)));
  const submission = useSubmission();
  const dates = state.rows.flatMap((row) => coveredDates(row.date, event));
  const availability = useAvailability(state.respawn_id, dates);
  const check = useCharacterCheck(profile.characterName, dates);
  // Until the answer is known, what the character holds is most likely what was just submitted.
  const isAnswerOpen = submission.state.status === 'busy' || submission.state.status === 'unsure';

  const taken = (date: string): Taken[] => takenOn(date, availability.claimsOn(date));
  const rows = state.rows.map((row): RowView => {
    const covered = coveredDates(row.date, event);
    const all = covered.flatMap(taken);
    const inTheWay = isAnswerOpen ? takenByOthers(all, profile.characterName) : all;
    const checks = covered.map(check.of);
    const held = isAnswerOpen ? [] : checks.flatMap((answer) => (answer.status === 'ready' ? answer.value : []));
    const duration = durationOf(row, voucher);
    return {
      row,
      dates: covered,
      duration,
      hours: startHours(duration, voucher, inTheWay),
      problem: checkRow(row, { voucher, event, taken: inTheWay, held }),
      claimsFailed: covered.some((date) => availability.statusOf(date) === 'failed'),
      checkFailed: checks.some((answer) => answer.status === 'failed'),
    };
  });
  const [blocked = null] = rows.flatMap(({ row, problem }) =>
    problem && problem.of !== 'hour-missing' ? [{ date: row.date, problem }] : [],
  );

  const change = (action: FormAction): void => {
    if (submission.state.status === 'busy') return;
    dispatch(action);
    const changesContent = action.type !== 'date-opened' && action.type !== 'submit-tried';
    if (changesContent && submission.state.status !== 'idle') submission.forget();
  };
  const askAgain = (): void => {
    availability.askAgain();
    check.askAgain();
  };

  const send = async (respawn_id: number): Promise<void> => {
    const claims = await submission.submit(submissionBody(state.rows, { profile, respawn_id, voucher, event }));
    if (claims) onSubmitted(claims);
    else askAgain();
  };
  const submit = (): boolean => {
    if (submission.state.status === 'busy') return true;
    dispatch({ type: 'submit-tried' });
    const wrong = rows.find((view) => view.problem !== null);
    if (wrong) dispatch({ type: 'date-opened', date: wrong.row.date });
    if (!respawn?.is_enabled || rows.length === 0 || wrong) return false;
    void send(respawn.id);
    return true;
  };

  return {
    state,
    change,
    respawn,
    rows,
    submission: submission.state,
    blocked,
    submit,
    claimsOn: availability.claimsOn,
    takenOn: taken,
    askAgain,
  };
}
