import { hoursExist } from '../../../../shared/rules/claim-time.ts';
import { type StartHour, startHours } from '../../../../shared/rules/start-hours.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { coveredPeriod, type Period } from './claim-dates.ts';
import type { FormState } from './form.ts';
import type { ClaimFormRow } from './row.ts';
import { checkRow, type HeldClaim, hoursOverOn, isWholeEvent, lastDay, type RowFacts, type RowProblem } from './row-check.ts';
import { durationOf, primaryRespawns, type RowPart, rowParts, type WaitingPart, waitingPart } from './row-parts.ts';
import type { Loaded } from './use-answers.ts';
import type { Place } from './use-availability.ts';

/** A row with all that is known about it. */
export interface RowView {
  row: ClaimFormRow;
  /** One date, or all of a single_claim event. */
  period: Period;
  /** How long its claim lasts unless it is split. */
  duration: number;
  hours: readonly StartHour[];
  parts: readonly RowPart[];
  waiting: WaitingPart | null;
  problem: RowProblem | null;
  /** All its dates are over, and whoever claims may enter what was. */
  isPast: boolean;
  claimsFailed: boolean;
  checkFailed: boolean;
}

interface RowAnswers {
  /** What the character holds on its dates. */
  check: Loaded<HeldClaim[]>;
  /** A submission is under way, or its answer was lost: what the character holds is most likely that. */
  isAnswerOpen: boolean;
  claimsFailed: boolean;
}

export function viewRow(row: ClaimFormRow, period: Period, facts: Omit<RowFacts, 'held'>, answers: RowAnswers): RowView {
  const { voucher, respawn_id } = facts;
  const { check, isAnswerOpen, claimsFailed } = answers;
  const held = isAnswerOpen || check.status !== 'ready' ? [] : check.value;
  // What was sent was in time, and the server keeps its answer: the hour may turn before it is asked for again.
  const time = isAnswerOpen ? { ...facts.time, may_enter_past: true } : facts.time;
  const duration = durationOf(row, voucher);
  return {
    row,
    period,
    duration,
    hours: startHours(duration, voucher, facts.takenAt(respawn_id), hoursOverOn(row, facts), (hours) =>
      hoursExist(hours, isWholeEvent(facts) ? null : row.date, facts.time),
    ),
    parts: rowParts(row, respawn_id, voucher),
    waiting: waitingPart(row, voucher),
    problem: checkRow(row, { ...facts, held, time }),
    isPast: facts.time.may_enter_past && lastDay(row, facts) < facts.time.today,
    claimsFailed,
    checkFailed: check.status === 'failed',
  };
}

/** Every respawn and date whose claims the form has to know: the chosen spot's on all dates, and those of split parts. */
export function placesOf({ rows, respawn_id }: FormState, event: ActiveEvent | null): Place[] {
  return rows.flatMap((row) => {
    const ids = [respawn_id, ...primaryRespawns(row, respawn_id).map((place) => place.respawn_id)];
    const period = coveredPeriod(row.date, event);
    return ids.flatMap((id) => (id === null ? [] : [{ respawn_id: id, period }]));
  });
}
