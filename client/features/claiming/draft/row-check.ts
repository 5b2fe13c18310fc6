import { assertDateInTime, assertHoursExist, assertHoursInTime, hoursOver } from '../../../../shared/rules/claim-time.ts';
import { timeConflict } from '../../../../shared/rules/conflicts.ts';
import { eventDate, isWithinEvent } from '../../../../shared/rules/event-period.ts';
import { rangesOverlap, wouldExceedDay } from '../../../../shared/rules/hours.ts';
import { assertSecondaryFits, secondaryEnd } from '../../../../shared/rules/secondary.ts';
import type { CharacterDates } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { type RuleRefusal, refusalOf, respawnRefusal } from './refusal-of.ts';
import { type ClaimFormRow, emptyRow } from './row.ts';
import { durationOf, primaryDuration, primaryRespawns } from './row-parts.ts';
import { type SplitFacts, splitProblems } from './split-check.ts';
import type { Taken } from './taken.ts';

export interface HeldClaim extends Readonly<CharacterDates[number]> {
  /** It is not claimed yet: the hours are held for this character, who may take them. */
  held_for?: string | undefined;
}

/** What the server would refuse a row for; `hour-missing` is no mistake until a submission is tried. */
export type RowProblem =
  | { of: 'hour-missing' }
  | { of: 'character-has-claim'; held: readonly HeldClaim[] }
  | { of: 'conflict'; refusal: RuleRefusal; taken: Taken }
  | { of: 'refused'; refusal: RuleRefusal };

export interface RowFacts extends Omit<SplitFacts, 'isWholeEvent' | 'date'> {
  event: ActiveEvent | null;
  /** The chosen spot. */
  respawn_id: number | null;
  /** What the character holds on the row's dates. */
  held: readonly HeldClaim[];
  /** R5.5: the member type may claim a second spot. */
  maySecondary: boolean;
}

/** The first thing that is wrong with a row, by the rules that the server goes by; null when it can be submitted. */
export function checkRow(row: ClaimFormRow, facts: RowFacts): RowProblem | null {
  const { event, held } = facts;
  if (event && event.type !== 'single_claim' && !isWithinEvent(row.date, event)) {
    const period = { start: eventDate(event.start_time), end: eventDate(event.end_time) };
    return refused({ code: 'claim.dateOutsideEvent', params: { date: row.date, ...period } });
  }
  const untimely = refusalOf(() => assertDateInTime(lastDay(row, facts), event !== null, facts.time));
  if (untimely) return refused(untimely);
  if (held.length > 0) return { of: 'character-has-claim', held };
  return (row.split ? checkSplit(row, row.split, facts) : checkWhole(row, facts)) ?? checkSecondary(row, facts);
}

const refused = (refusal: RuleRefusal): RowProblem => ({ of: 'refused', refusal });
export const isWholeEvent = ({ event }: Pick<RowFacts, 'event'>): boolean => event?.type === 'single_claim';

/** The last date that a row's claims cover: as long as it is not over, they are not. */
export function lastDay(row: Pick<ClaimFormRow, 'date'>, { event }: Pick<RowFacts, 'event'>): string {
  return event?.type === 'single_claim' ? eventDate(event.end_time) : row.date;
}

/** How many hours of that date are over. */
export const hoursOverOn = (row: Pick<ClaimFormRow, 'date'>, facts: Pick<RowFacts, 'event' | 'time'>): number =>
  hoursOver(lastDay(row, facts), facts.time);

function checkWhole(row: ClaimFormRow, facts: RowFacts): RowProblem | null {
  const { hour_start } = row;
  if (hour_start === null) return { of: 'hour-missing' };
  const duration = durationOf(row, facts.voucher);
  if (wouldExceedDay(hour_start, duration)) return refused({ code: 'claim.exceedsDay', params: { hour: hour_start, duration } });
  const wanted = { hour_start, hour_end: hour_start + duration };
  const untimely = refusalOf(() => {
    assertHoursInTime(wanted, lastDay(row, facts), facts.time, null);
    assertHoursExist(wanted, isWholeEvent(facts) ? null : row.date, facts.time);
  });
  if (untimely) return refused(untimely);
  const taken = facts.takenAt(facts.respawn_id).find((range) => rangesOverlap(range, wanted));
  if (!taken) return null;
  const claim = { date: isWholeEvent(facts) ? null : taken.date, is_split_claim: 0 } as const;
  const { code, params } = timeConflict(claim, { part_number: 1, hour_start }, taken.date);
  return { of: 'conflict', refusal: { code, params }, taken };
}

function checkSplit(row: ClaimFormRow, parts: NonNullable<ClaimFormRow['split']>, facts: RowFacts): RowProblem | null {
  const [first] = splitProblems(parts, { ...facts, date: lastDay(row, facts), isWholeEvent: isWholeEvent(facts) });
  if (!first) return null;
  const { refusal, taken } = first;
  return taken ? { of: 'conflict', refusal, taken } : refused(refusal);
}

function checkSecondary(row: ClaimFormRow, facts: RowFacts): RowProblem | null {
  const { secondary } = row;
  const { respawn_id, maySecondary, respawns, voucher, time } = facts;
  if (!secondary) return null;
  if (!maySecondary) return refused({ code: 'secondary.typeNotAllowed', params: {} });
  const { hour_start } = secondary;
  const hours = { hour_start, hour_end: secondaryEnd(hour_start, primaryDuration(row, voucher)) };
  const refusal =
    refusalOf(() => assertSecondaryFits(secondary, primaryRespawns(row, respawn_id))) ??
    refusalOf(() => assertHoursInTime(hours, lastDay(row, facts), time, null)) ??
    refusalOf(() => assertHoursExist(hours, isWholeEvent(facts) ? null : row.date, time)) ??
    respawnRefusal(respawns.get(secondary.respawn_id));
  return refusal ? refused(refusal) : null;
}

/** A row for another date with everything chosen for `row`; its start hour is left open where it is not free. */
export function sameChoiceOn(date: string, row: ClaimFormRow | undefined, facts: Omit<RowFacts, 'event' | 'held'>): ClaimFormRow {
  if (!row) return emptyRow(date);
  const copy = { ...row, date };
  if (copy.split || copy.hour_start === null) return copy;
  return checkWhole(copy, { ...facts, event: null, held: [] }) === null ? copy : { ...copy, hour_start: null };
}
