import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import { rangesOverlap, wouldExceedDay } from '../../../shared/rules/hours.ts';
import type { CharacterClaims } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import type { Taken } from './availability.ts';
import { type ClaimFormRow, durationOf } from './form-state.ts';

export type HeldClaim = CharacterClaims['claimsForDate'][number] & { date: string };

/** What the server would refuse a row for; `hour-missing` is no mistake until a submission is tried. */
export type RowProblem =
  | { of: 'outside-event'; event: Event }
  | { of: 'character-has-claim'; held: readonly HeldClaim[] }
  | { of: 'hour-missing' }
  | { of: 'exceeds-day'; hour: number; duration: number }
  | { of: 'conflict'; hour: number; taken: Taken };

export interface RowFacts {
  voucher: number;
  event: Event | null;
  /** What others hold of the chosen respawn on the row's dates. */
  taken: readonly Taken[];
  /** What the character holds on the row's dates. */
  held: readonly HeldClaim[];
}

/** The first thing that is wrong with a row, by the rules that the server goes by; null when it can be submitted. */
export function checkRow(row: ClaimFormRow, { voucher, event, taken, held }: RowFacts): RowProblem | null {
  if (event && event.type !== 'single_claim' && !isWithinEvent(row.date, event)) return { of: 'outside-event', event };
  if (held.length > 0) return { of: 'character-has-claim', held };
  if (row.hour_start === null) return { of: 'hour-missing' };
  const duration = durationOf(row, voucher);
  const wanted = { hour_start: row.hour_start, hour_end: row.hour_start + duration };
  if (wouldExceedDay(row.hour_start, duration)) return { of: 'exceeds-day', hour: row.hour_start, duration };
  const inTheWay = taken.find((range) => rangesOverlap(range, wanted));
  return inTheWay ? { of: 'conflict', hour: row.hour_start, taken: inTheWay } : null;
}

/** A row for another date with the hours of `row`, if they are free there. */
export function sameHoursOn(date: string, row: ClaimFormRow | undefined, voucher: number, taken: readonly Taken[]): ClaimFormRow {
  if (!row || row.hour_start === null) return { date, hour_start: null, custom_duration: row?.custom_duration ?? null };
  const copy = { ...row, date };
  return checkRow(copy, { voucher, event: null, taken, held: [] }) === null ? copy : { ...copy, hour_start: null };
}
