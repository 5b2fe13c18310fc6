import { DomainError } from '../errors.ts';
import { type EventPeriod, eventDate } from './event-period.ts';
import type { HourRange } from './hours.ts';
import { addDays, HOURS_IN_DAY, instantOf, type ServerSaveClock } from './server-save.ts';

/** How many days ahead a claim may be, unless HORIZON_DAYS says otherwise. */
export const DEFAULT_HORIZON_DAYS = 60;

/** The time of submission, and how far ahead claims may be. */
export interface ClaimTime {
  /** Today's server-save date. */
  today: string;
  /** The SS hour that runs, 0 to 23. */
  hour: number;
  /** How many days ahead a claim may be without an event. */
  horizon_days: number;
  /** Admins also enter what was. */
  may_enter_past: boolean;
  clock: ServerSaveClock;
}

/** How many hours of a date are over for a new claim: none to all 24. */
export function hoursOver(
  date: string,
  { today, hour, may_enter_past }: Pick<ClaimTime, 'today' | 'hour' | 'may_enter_past'>,
): number {
  if (may_enter_past || date > today) return 0;
  return date < today ? HOURS_IN_DAY : hour;
}

/** R3.10: the last date that can be claimed while no event is active. */
export function lastDateAhead({
  today,
  horizon_days,
}: Pick<ClaimTime, 'today' | 'horizon_days'>): string {
  return addDays(today, horizon_days);
}

/**
 * R3.9, R3.10: a date is not over, and without an event not too far ahead.
 * @param date of a claim that covers several the last one
 * @throws DomainError claim.dateOver, claim.beyondHorizon
 */
export function assertDateInTime(
  date: string,
  hasEvent: boolean,
  time: Omit<ClaimTime, 'clock'>,
): void {
  if (hoursOver(date, time) === HOURS_IN_DAY) throw new DomainError('claim.dateOver', { date });
  const last = lastDateAhead(time);
  if (!hasEvent && date > last) throw new DomainError('claim.beyondHorizon', { date, last });
}

/**
 * R3.9: an event whose last date is over has no date left to claim.
 * @throws DomainError claim.eventOver
 */
export function assertEventNotOver(event: EventPeriod, time: Omit<ClaimTime, 'clock'>): void {
  const end = eventDate(event.end_time);
  if (hoursOver(end, time) === HOURS_IN_DAY) throw new DomainError('claim.eventOver', { end });
}

/**
 * R4.14: some of the hours are still to come, or running.
 * @param date of a claim that covers several the last one
 * @param hours `split_part`: the number of a split claim's part
 * @throws DomainError claim.hoursOver, split.hoursOver
 */
export function assertHoursInTime(
  { hour_start, hour_end, split_part }: HourRange & { split_part?: number },
  date: string,
  time: Omit<ClaimTime, 'clock'>,
): void {
  if (hour_end > hoursOver(date, time)) return;
  const params = { date, hour: hour_start, end: hour_end };
  throw split_part === undefined
    ? new DomainError('claim.hoursOver', params)
    : new DomainError('split.hoursOver', { ...params, part: split_part });
}

/**
 * R8.3: whether a claim has a length: it is not only the hour that the clocks skip.
 * @param date null for a claim of several dates, of which at most one skips an hour
 */
export const hoursExist = (
  { hour_start, hour_end }: HourRange,
  date: string | null,
  { clock }: Pick<ClaimTime, 'clock'>,
): boolean =>
  date === null || instantOf(date, hour_start, clock) < instantOf(date, hour_end, clock);

/** @throws DomainError claim.hourSkipped unless `hoursExist` */
export function assertHoursExist(
  hours: HourRange,
  date: string | null,
  time: Pick<ClaimTime, 'clock'>,
): void {
  if (!hoursExist(hours, date, time))
    throw new DomainError('claim.hourSkipped', { date, hour: hours.hour_start });
}
