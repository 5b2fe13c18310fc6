import { DomainError } from '../errors.ts';
import type { EventFacts } from '../schemas/event.ts';
import type { Wait, WaitInput } from '../schemas/wait.ts';
import { assertDateInTime, type ClaimTime, hoursOver } from './claim-time.ts';
import { eventDate, isWithinEvent } from './event-period.ts';
import { type HourRange, hoursIn } from './hours.ts';
import { HOURS_IN_DAY } from './server-save.ts';

/** Waitlists that a character may be on at the same time. */
export const WAITS_A_CHARACTER = 3;
/** Waitlist entries of a character that may end within a day, however they end; after that, it cannot join another waitlist. */
export const WAITS_A_DAY = 100;
/** Members on the waitlist of one spot and date. */
export const WAITS_ON_WAITLIST = 50;
/** Entries of all waitlists together. */
export const WAITS_IN_ALL = 3_000;

/** R9.5: the positions on one waitlist, by entry id: first come, first served, with or without an offer. */
export const positionsOf = (line: readonly Pick<Wait, 'id'>[]): Map<number, number> =>
  new Map(
    [...line].sort((one, other) => one.id - other.id).map(({ id }, before) => [id, before + 1]),
  );

export type RequestedWait = Pick<
  WaitInput,
  'respawn_id' | 'date' | 'hour_start' | 'hour_end' | 'min_hours'
>;

/** The facts to judge an entry by, except the caller. */
export interface WaitFacts extends Omit<ClaimTime, 'may_enter_past' | 'clock'> {
  waits_enabled: number;
  submission_enabled: number;
  active_event: EventFacts | null;
  /** The longest claim that the member may make, in hours. */
  voucher: number;
  character_name: string;
  /** Hours of the spot and date that others have claimed, or that are held for others. */
  taken: readonly HourRange[];
  /** The character's waits that are open. */
  own: readonly Pick<Wait, 'respawn_id' | 'date' | 'hour_start' | 'hour_end'>[];
  /** How many of the character's waits have ended within a day. */
  ended: number;
  /** Whether the character has claimed something on that date. */
  has_claim: boolean;
  /** Open entries on this waitlist, and on all of them. */
  on_waitlist: number;
  in_all: number;
}

/**
 * R9.1 to R9.4: whether a character may begin to wait.
 * @throws DomainError wait.*, claim.dateOutsideEvent, claim.beyondHorizon, times.endBeforeStart
 */
export function assertMayWait(wanted: RequestedWait, facts: WaitFacts): void {
  const { character_name } = facts;
  if (!facts.waits_enabled || !facts.submission_enabled) throw new DomainError('wait.disabled');
  assertStretch(wanted, facts);
  assertWhen(wanted, facts);
  if (facts.has_claim)
    throw new DomainError('wait.hasClaim', { date: wanted.date, character_name });
  const entry = facts.own.find(
    ({ respawn_id, date }) => respawn_id === wanted.respawn_id && date === wanted.date,
  );
  if (entry) {
    const { date, hour_start, hour_end } = entry;
    throw new DomainError('wait.exists', { character_name, date, hour_start, hour_end });
  }
  if (facts.own.length >= WAITS_A_CHARACTER)
    throw new DomainError('wait.tooMany', { character_name, max: WAITS_A_CHARACTER });
  if (facts.ended >= WAITS_A_DAY)
    throw new DomainError('wait.tooOften', { character_name, max: WAITS_A_DAY });
  if (facts.on_waitlist >= WAITS_ON_WAITLIST || facts.in_all >= WAITS_IN_ALL)
    throw new DomainError('wait.lineFull');
  if (wantedHours(wanted, facts) === 0) throw new DomainError('wait.nothingTaken');
}

/**
 * R9.3: the hours of a range that are occupied and not over, as a set of bits: bit 0 is SS+0. A waitlist entry keeps those of the
 * moment at which the member joined, and an offer includes at least one of them (R9.6).
 */
export function wantedHours(
  { date, ...range }: HourRange & { date: string },
  facts: WaitFacts,
): number {
  const over = hoursOver(date, timeOf(facts));
  const wanted = hoursIn(range).filter(
    (hour) => hour >= over && facts.taken.some((taken) => isWithin(hour, taken)),
  );
  return wanted.reduce((bits, hour) => bits | (1 << hour), 0);
}

/** R9.3: the free hours of a range that is wanted, which can be claimed at once: the longest run, of two the earlier one. */
export const claimableHours = (
  { date, ...range }: HourRange & { date: string },
  facts: WaitFacts,
): HourRange | null =>
  longestFreeRun(
    range,
    { taken: facts.taken, over: hoursOver(date, timeOf(facts)) },
    { most: facts.voucher },
  );

const isWithin = (hour: number, { hour_start, hour_end }: HourRange): boolean =>
  hour_start <= hour && hour < hour_end;

const timeOf = ({ today, hour, horizon_days }: WaitFacts): Omit<ClaimTime, 'clock'> => ({
  today,
  hour,
  horizon_days,
  may_enter_past: false,
});

/** R9.2: one hour up to the voucher, of which as many are wanted at least as there are at most. */
function assertStretch(
  { hour_start, hour_end, min_hours }: RequestedWait,
  { voucher }: WaitFacts,
): void {
  const length = hour_end - hour_start;
  if (length < 1) throw new DomainError('times.endBeforeStart');
  if (length > voucher) throw new DomainError('wait.tooLong', { max: voucher });
  if (min_hours > length) throw new DomainError('wait.tooShort');
}

/** R9.2: on a date that is not over and can be claimed, and hours that are not all over. */
function assertWhen({ date, hour_end }: RequestedWait, facts: WaitFacts): void {
  const { active_event } = facts;
  if (active_event?.type === 'single_claim') throw new DomainError('wait.singleClaim');
  const over = hoursOver(date, timeOf(facts));
  if (over === HOURS_IN_DAY) throw new DomainError('wait.dateOver', { date });
  if (active_event && !isWithinEvent(date, active_event)) {
    const start = eventDate(active_event.start_time);
    const end = eventDate(active_event.end_time);
    throw new DomainError('claim.dateOutsideEvent', { date, start, end });
  }
  assertDateInTime(date, active_event !== null, timeOf(facts));
  if (hour_end <= over) throw new DomainError('wait.hoursOver', { date });
}

/** Every hour of a day as a set of bits. */
export const ALL_HOURS = 2 ** HOURS_IN_DAY - 1;

/** A spot's date. */
export interface OccupiedDay {
  taken: readonly HourRange[];
  /** How many hours of the date are over. */
  over: number;
}

/**
 * R9.6: the longest run of a range's hours that are free and not over, the earlier one of two.
 * @param most the longest run that is allowed, in hours
 * @param wanted the run includes at least one of these hours, given as a set of bits
 * @returns null where there is none
 */
export function longestFreeRun(
  range: HourRange,
  { taken, over }: OccupiedDay,
  { most = HOURS_IN_DAY, wanted = ALL_HOURS }: { most?: number; wanted?: number } = {},
): HourRange | null {
  const isFree = (hour: number): boolean =>
    hour >= over && !taken.some((other) => isWithin(hour, other));
  const isWanted = (hour: number): boolean => (wanted & (1 << hour)) !== 0;
  for (let length = Math.min(most, range.hour_end - range.hour_start); length > 0; length -= 1) {
    for (
      let hour_start = range.hour_start;
      hour_start + length <= range.hour_end;
      hour_start += 1
    ) {
      const run = { hour_start, hour_end: hour_start + length };
      const hours = hoursIn(run);
      if (hours.every(isFree) && hours.some(isWanted)) return run;
    }
  }
  return null;
}

/** The facts of an offer besides who is next: the range, and the member's minimum. */
export interface Wanted extends HourRange, Pick<Wait, 'min_hours'> {
  /** The hours that were occupied when the member joined (`wantedHours`). */
  wanted_hours: number;
}

/** R9.6: the hours to offer to the next member on the waitlist; null: none yet. */
export function hoursToOffer(
  entry: Wanted,
  day: OccupiedDay,
  voucher: number = HOURS_IN_DAY,
): HourRange | null {
  const run = longestFreeRun(entry, day, { most: voucher, wanted: entry.wanted_hours });
  return run && run.hour_end - run.hour_start >= entry.min_hours ? run : null;
}

/**
 * R9.9: whether an open entry fits the active event. It doesn't if its own event is no longer the active one, lost its date, or became
 * a single_claim event. A hold made without an event would belong to the active one.
 */
export function entryFitsEvent(
  { event_id, status, date }: Pick<Wait, 'event_id' | 'status' | 'date'>,
  event: EventFacts | null,
): boolean {
  if (event_id === null && (event === null || status === 'waiting')) return true;
  if (!event || (event_id !== null && event_id !== event.id)) return false;
  return event.type !== 'single_claim' && isWithinEvent(date, event);
}
