import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { mostWithinBudget } from '../../../../shared/rules/budget.ts';
import {
  assertDateInTime,
  assertEventNotOver,
  assertHoursExist,
  assertHoursInTime,
  type ClaimTime,
  hoursOver,
} from '../../../../shared/rules/claim-time.ts';
import { timeConflict } from '../../../../shared/rules/conflicts.ts';
import { eventDate, isWithinEvent } from '../../../../shared/rules/event-period.ts';
import { type HourRange, rangesOverlap, wouldExceedDay } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { assertSecondaryFits, secondaryEnd } from '../../../../shared/rules/secondary.ts';
import { datesBetween, HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { assertSplitFits, type PartTimes, partRange } from '../../../../shared/rules/split.ts';
import { firstFit, type StretchLimits } from '../../../../shared/rules/stretch.ts';
import type { CharacterDates, ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent, Event } from '../../../../shared/schemas/event.ts';
import type { Occupancy, OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { occupiedIn } from '../../../lib/occupied.ts';
import { type RuleRefusal, refusalOf } from '../../../lib/refusal.ts';
import { activeEventIn, type BoardState } from '../../../state/board-store.ts';
import type { Claimant, Spot } from '../../../state/claim-draft.ts';
import { claimableRefusal, usedHours } from '../../../state/claimable.ts';
import {
  coveredPeriod,
  type DraftRow,
  durationOf,
  emptyRow,
  type Period,
  primaryDuration,
  primaryRespawns,
  rowOf,
} from './draft.ts';

/** R4.10: a respawn that is disabled or deleted takes no claims. */
export function respawnRefusal(respawn: Respawn | undefined): RuleRefusal | null {
  if (!respawn) return { code: 'respawn.notFound', params: {} };
  return respawn.is_enabled
    ? null
    : { code: 'respawn.disabled', params: { respawn_name: respawn.name } };
}

type Dates = Pick<Period, 'first' | 'last'>;

export interface DatedClaim extends ClaimOnRespawn {
  first_date: string;
  last_date: string;
}

/** The board's claims of one respawn for some dates; a claim without a date covers its whole event. */
export function boardClaimsIn(
  { first, last }: Dates,
  onRespawn: readonly ClaimOnRespawn[],
  events: { get: (id: number) => Event | undefined },
): DatedClaim[] {
  return onRespawn.flatMap((claim) => {
    const event = claim.event_id === null ? undefined : events.get(claim.event_id);
    const first_date = claim.date ?? (event && eventDate(event.start_time));
    const last_date = claim.date ?? (event && eventDate(event.end_time));
    if (
      first_date === undefined ||
      last_date === undefined ||
      last_date < first ||
      first_date > last
    )
      return [];
    return [{ ...claim, first_date, last_date }];
  });
}

export interface Taken extends HourRange {
  /** The first of the dates on which the hours are taken. */
  date: string;
  character_name: string;
}

const takenBy = (
  { first }: Dates,
  claim: HourRange & { first_date: string; character_name: string },
): Taken => {
  const { first_date, hour_start, hour_end, character_name } = claim;
  return { date: first_date < first ? first : first_date, hour_start, hour_end, character_name };
};

/** The hours that claims occupy within some dates; secondary claims occupy none (R2.3). */
export const takenIn = (dates: Dates, claims: readonly DatedClaim[]): Taken[] =>
  claims.filter((claim) => !claim.is_secondary_claim).map((claim) => takenBy(dates, claim));

/** The hours that claims of other events occupy within some dates. */
export const takenElsewhere = (
  dates: Dates,
  occupied: readonly OccupiedHours[] | undefined,
): Taken[] => occupiedIn(occupied, dates).map((one) => takenBy(dates, one));

export interface ClaimantFacts {
  board: BoardState;
  event: ActiveEvent | null;
  claimant: Claimant;
  time: ClaimTime;
  /** The claim covers the date, or all of a single_claim event. */
  period: Period;
  voucher: number;
  /** R9.27, R9.28: the longest claim within the budget, in hours; a budget that is used up refuses the claim. */
  longest: number;
}

export function claimantFacts(
  board: BoardState,
  date: string,
  claimant: Claimant,
  time: ClaimTime,
): ClaimantFacts {
  const { member_type, config } = board.byKind;
  const event = activeEventIn(board);
  const voucher =
    member_type.get(claimant.member_type)?.voucher_duration_hours ??
    config.get(CONFIG_ID)?.voucher_duration_hours ??
    1;
  const period = coveredPeriod(date, event);
  const facts = { board, event, claimant, time, period, voucher };
  return { ...facts, longest: Math.max(1, Math.min(voucher, budgetFor(facts))) };
}

/** How many hours a claim may have within the budget of its type; admins may exceed it. */
function budgetFor({ board, event, claimant, period }: Omit<ClaimantFacts, 'longest'>): number {
  const type = board.byKind.member_type.get(claimant.member_type);
  if (claimant.access_key === null || !type) return HOURS_IN_DAY;
  const { max_hours_per_day, max_hours_per_event: most } = type;
  const days = datesBetween(period.first, period.last).length;
  const left =
    event && most !== null
      ? most - usedHours(board.byKind.claim, claimant.character_name, event)
      : null;
  return mostWithinBudget(
    { max_hours_per_day, max_hours_per_event: left === null ? null : Math.floor(left / days) },
    { used: 0 },
  );
}

/** The occupied hours of a spot, in all events. */
export const takenOnBoard = ({ board, period }: ClaimantFacts, respawn_id: number): Taken[] => [
  ...takenIn(
    period,
    boardClaimsIn(period, board.claimsByRespawn.get(respawn_id) ?? [], board.byKind.event),
  ),
  ...takenElsewhere(period, board.occupiedByRespawn.get(respawn_id)),
];

/** The bounds of the hours that can be chosen. A claim of a whole event is over when the event's last date is. */
export const limitsOf = (
  { longest, period, time }: ClaimantFacts,
  taken: readonly HourRange[],
): StretchLimits => ({
  voucher: longest,
  taken,
  over: hoursOver(period.last, time),
});

/** A claim of the claimant, to show where it is. */
export interface OwnClaim extends HourRange {
  /** null: a spot that the board does not show. */
  respawn_id: number | null;
  respawn_name: string;
  /** null: every date of an event. */
  date: string | null;
}

/** The claimant's claims on these dates, as far as the board shows them. */
export function claimsOf({ board, period, claimant }: ClaimantFacts): OwnClaim[] {
  const name = nameKey(claimant.character_name);
  if (!name) return [];
  return [...board.byKind.claim.values()]
    .filter((claim) => !claim.is_secondary_claim && nameKey(claim.character_name) === name)
    .filter(({ date }) => date === null || (period.first <= date && date <= period.last))
    .map(({ respawn_id, date, hour_start, hour_end }) => {
      const respawn_name = board.byKind.respawn.get(respawn_id)?.name ?? '';
      return { respawn_id, respawn_name, date, hour_start, hour_end };
    });
}

/** R4.6: whether the claimant has a claim on these dates already, as far as the board knows. */
export function hasClaim(facts: ClaimantFacts): boolean {
  const { board, period, claimant } = facts;
  const name = nameKey(claimant.character_name);
  if (!name) return false;
  return (
    claimsOf(facts).length > 0 || hasClaimElsewhere(board.byKind.occupancy.values(), name, period)
  );
}

interface DateQuestion {
  claimant: Claimant;
  time: ClaimTime;
  /** null: any spot. */
  respawn_id: number | null;
}

/** Whether some hour of a date can be claimed, as far as the board knows: the character has no claim on it, and the spot is not full. */
export function mayClaimOn(
  board: BoardState,
  date: string,
  { claimant, time, respawn_id }: DateQuestion,
): boolean {
  const facts = claimantFacts(board, date, claimant, time);
  if (hasClaim(facts)) return false;
  return (
    firstFit(limitsOf(facts, respawn_id === null ? [] : takenOnBoard(facts, respawn_id))) !== null
  );
}

/** R4.6: whether a character, given as a name's key, has a claim of another event on these dates. */
export const hasClaimElsewhere = (
  occupancy: Iterable<Occupancy>,
  name: string,
  dates: Dates,
): boolean => [...occupancy].some((one) => isOccupiedBy(one, name, dates));

/** Whether this claim of another event is the character's, and on one of these dates. @param dates null: any date */
export const isOccupiedBy = (
  { character_name, first_date, last_date }: Occupancy,
  name: string,
  dates: Dates | null,
): boolean =>
  nameKey(character_name) === name &&
  (dates === null || (first_date <= dates.last && last_date >= dates.first));

export const CHARACTER_HAS_CLAIM: RuleRefusal = { code: 'claim.characterHasClaim', params: {} };

/** Any hour: without hours, only the claimant and the date can be refused. */
const SOME_HOUR: HourRange = { hour_start: 23, hour_end: 24 };

/**
 * Why the claimant can claim no such hours of a spot. It doesn't check that they are free, since the selection shrinks to the free ones.
 * @param hours null: only the claimant and the date are judged
 */
export function refusalOfDraft(
  facts: ClaimantFacts,
  { respawn_id, date }: Spot,
  hours: HourRange | null,
): RuleRefusal | null {
  if (hasClaim(facts)) return CHARACTER_HAS_CLAIM;
  const { board, event, claimant, time, voucher } = facts;
  const { respawn: respawns } = board.byKind;
  const refused =
    respawnRefusal(respawns.get(respawn_id)) ?? claimableRefusal(board, claimant, { date, time });
  if (refused) return refused;
  const problem = checkRow(rowOf(date, hours ?? SOME_HOUR, voucher), {
    voucher,
    event,
    time,
    respawns,
    respawn_id,
    takenAt: () => [],
    held: [],
    maySecondary: false,
  });
  return problem && 'refusal' in problem ? problem.refusal : null;
}

export interface HeldClaim extends Readonly<CharacterDates[number]> {
  /** The hours are not claimed yet, only held for this character. */
  held_for?: string | undefined;
}

/** The first thing wrong with a row; `hour-missing` is no mistake until a submission is tried. */
export type RowProblem =
  | { kind: 'hour-missing' }
  | { kind: 'character-has-claim'; held: readonly HeldClaim[] }
  | { kind: 'conflict'; refusal: RuleRefusal; taken: Taken }
  | { kind: 'refused'; refusal: RuleRefusal };

interface PlaceFacts {
  voucher: number;
  time: ClaimTime;
  takenAt: (respawn_id: number | null) => readonly Taken[];
  respawns: { get: (id: number) => Respawn | undefined };
}

export interface RowFacts extends PlaceFacts {
  event: ActiveEvent | null;
  respawn_id: number | null;
  held: readonly HeldClaim[];
  /** R5.5: the member type may make secondary claims. */
  maySecondary: boolean;
}

const refused = (refusal: RuleRefusal): RowProblem => ({ kind: 'refused', refusal });
export const isWholeEvent = ({ event }: Pick<RowFacts, 'event'>): boolean =>
  event?.type === 'single_claim';

/** The last date that a row's claims cover: until it is over, they are not. */
export const lastDay = (row: Pick<DraftRow, 'date'>, { event }: Pick<RowFacts, 'event'>): string =>
  coveredPeriod(row.date, event).last;

export const hoursOverOn = (
  row: Pick<DraftRow, 'date'>,
  facts: Pick<RowFacts, 'event' | 'time'>,
): number => hoursOver(lastDay(row, facts), facts.time);

/** A row's first error by the server's rules; null if it can be submitted. Used for drafts of the form and of the board. */
export function checkRow(row: DraftRow, facts: RowFacts): RowProblem | null {
  const { event, held } = facts;
  if (event && event.type !== 'single_claim' && !isWithinEvent(row.date, event)) {
    const period = { start: eventDate(event.start_time), end: eventDate(event.end_time) };
    return refused({ code: 'claim.dateOutsideEvent', params: { date: row.date, ...period } });
  }
  const untimely = refusalOf(() => {
    if (event) assertEventNotOver(event, facts.time);
    assertDateInTime(lastDay(row, facts), event !== null, facts.time);
  });
  if (untimely) return refused(untimely);
  if (held.length > 0) return { kind: 'character-has-claim', held };
  return (
    (row.split ? checkSplit(row, row.split, facts) : checkWhole(row, facts)) ??
    checkSecondary(row, facts)
  );
}

function checkWhole(row: DraftRow, facts: RowFacts): RowProblem | null {
  const { hour_start } = row;
  if (hour_start === null) return { kind: 'hour-missing' };
  const duration = durationOf(row, facts.voucher);
  if (wouldExceedDay(hour_start, duration))
    return refused({ code: 'claim.exceedsDay', params: { hour: hour_start, duration } });
  const wanted = { hour_start, hour_end: hour_start + duration };
  const untimely = refusalOf(() => {
    assertHoursInTime(wanted, lastDay(row, facts), facts.time);
    assertHoursExist(wanted, isWholeEvent(facts) ? null : row.date, facts.time);
  });
  if (untimely) return refused(untimely);
  const taken = facts.takenAt(facts.respawn_id).find((range) => rangesOverlap(range, wanted));
  if (!taken) return null;
  const claim = { date: isWholeEvent(facts) ? null : taken.date, is_split_claim: 0 } as const;
  const { code, params } = timeConflict(claim, { part_number: 1, hour_start }, taken.date);
  return { kind: 'conflict', refusal: { code, params }, taken };
}

function checkSplit(
  row: DraftRow,
  parts: NonNullable<DraftRow['split']>,
  facts: RowFacts,
): RowProblem | null {
  const [first] = splitProblems(parts, {
    ...facts,
    date: lastDay(row, facts),
    isWholeEvent: isWholeEvent(facts),
  });
  if (!first) return null;
  const { refusal, taken } = first;
  return taken ? { kind: 'conflict', refusal, taken } : refused(refusal);
}

/** A part of a split claim while it is edited: its respawn may still be missing. */
export interface SplitDraft extends PartTimes {
  respawn_id: number | null;
}

export interface SplitProblem {
  /** null: the two parts do not fit together. */
  part_number: number | null;
  refusal: RuleRefusal;
  taken: Taken | null;
}

export interface SplitFacts extends PlaceFacts {
  isWholeEvent: boolean;
  /** The last one that the row covers. */
  date: string;
}

/** All of the server's refusals of two parts; a respawn that is still missing is none. */
export function splitProblems(parts: readonly SplitDraft[], facts: SplitFacts): SplitProblem[] {
  const refusal = refusalOf(() => assertSplitFits(parts, facts.voucher));
  const part = refusal?.params.part;
  const together = refusal
    ? [{ part_number: typeof part === 'number' ? part : null, refusal, taken: null }]
    : [];
  return [...together, ...parts.flatMap((one) => partProblem(one, facts) ?? [])];
}

function partProblem(
  part: SplitDraft,
  { takenAt, isWholeEvent, respawns, date, time }: SplitFacts,
): SplitProblem | null {
  const { respawn_id, part_number } = part;
  const wanted = partRange(part);
  const untimely = refusalOf(() => {
    assertHoursInTime({ ...wanted, split_part: part_number }, date, time);
    assertHoursExist(wanted, isWholeEvent ? null : date, time);
  });
  if (untimely) return { part_number, refusal: untimely, taken: null };
  if (respawn_id === null) return null;
  const refusal = respawnRefusal(respawns.get(respawn_id));
  if (refusal) return { part_number, refusal, taken: null };
  const taken = takenAt(respawn_id).find((range) => rangesOverlap(range, wanted));
  if (!taken) return null;
  const { code, params } = timeConflict(
    { date: isWholeEvent ? null : taken.date, is_split_claim: 1 },
    part,
    taken.date,
  );
  return { part_number, refusal: { code, params }, taken };
}

function checkSecondary(row: DraftRow, facts: RowFacts): RowProblem | null {
  const { secondary } = row;
  const { respawn_id, maySecondary, respawns, voucher, time } = facts;
  if (!secondary) return null;
  if (!maySecondary) return refused({ code: 'secondary.typeNotAllowed', params: {} });
  const { hour_start } = secondary;
  const hours = { hour_start, hour_end: secondaryEnd(hour_start, primaryDuration(row, voucher)) };
  const refusal =
    refusalOf(() => assertSecondaryFits(secondary, primaryRespawns(row, respawn_id))) ??
    refusalOf(() => assertHoursInTime(hours, lastDay(row, facts), time)) ??
    refusalOf(() => assertHoursExist(hours, isWholeEvent(facts) ? null : row.date, time)) ??
    respawnRefusal(respawns.get(secondary.respawn_id));
  return refusal ? refused(refusal) : null;
}

/** A row for another date with the choices of `row`; the start hour is left open where it is not free. */
export function sameChoiceOn(
  date: string,
  row: DraftRow | undefined,
  facts: Omit<RowFacts, 'event' | 'held'>,
): DraftRow {
  if (!row) return emptyRow(date);
  const copy = { ...row, date };
  if (copy.split || copy.hour_start === null) return copy;
  return checkWhole(copy, { ...facts, event: null, held: [] }) === null
    ? copy
    : { ...copy, hour_start: null };
}
