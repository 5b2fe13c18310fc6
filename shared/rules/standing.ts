import { DomainError } from '../errors.ts';
import { type HourRange, wouldExceedDay } from './hours.ts';
import { addDays, datesBetween } from './server-save.ts';

/** Rules that a member may make within a day, also ended ones: each makes claims at once. */
export const STANDING_A_DAY = 20;

/** Why a standing claim ended: a caller ended it, its key or spot was deleted, its character was banned, or its last date has passed. */
export const STANDING_END_REASONS = ['ended', 'key', 'banned', 'spot', 'over'] as const;

/** A standing claim's weekdays and the dates between which it holds. */
export interface StandingDates {
  /** ISO numbers, 1 for Monday to 7. */
  weekdays: readonly number[];
  from: string;
  until: string | null;
}

/** 1 for Monday to 7 for Sunday. */
export function isoWeekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** R10.1: the dates of a standing claim from `first` to `last`, both included. */
export function standingDates(
  { weekdays, from, until }: StandingDates,
  first: string,
  last: string,
): string[] {
  const begin = first > from ? first : from;
  const end = until !== null && until < last ? until : last;
  return datesBetween(begin, end).filter((date) => weekdays.includes(isoWeekday(date)));
}

/** R10.1: the first dates of a standing claim from a date on. */
export function firstStandingDates(
  standing: StandingDates,
  first: string,
  count: number,
): string[] {
  const begin = first > standing.from ? first : standing.from;
  return standingDates(standing, begin, addDays(begin, 7 * count)).slice(0, count);
}

/** R10.3: a date whose claim can still be made: its hours have not begun. */
export const liesAhead = (
  date: string,
  { hour_start }: Pick<HourRange, 'hour_start'>,
  { today, hour }: { today: string; hour: number },
): boolean => date > today || (date === today && hour_start > hour);

/**
 * R10.2: a standing claim's hours fit the voucher, and some of its dates are still to come.
 * @throws DomainError times.*, standing.*
 */
export function assertStandingFits(
  standing: StandingDates & HourRange,
  { voucher, today }: { voucher: number; today: string },
): void {
  const { hour_start, hour_end, from, until } = standing;
  const duration = hour_end - hour_start;
  if (duration < 1) throw new DomainError('times.endBeforeStart');
  if (wouldExceedDay(hour_start, duration)) throw new DomainError('times.exceedsDay');
  if (duration > voucher) throw new DomainError('standing.exceedsVoucher', { max: voucher });
  if (until === null) return;
  if (until < from) throw new DomainError('standing.untilBeforeFrom');
  if (until < today) throw new DomainError('standing.over', { date: until });
  if (firstStandingDates(standing, today, 1).length === 0) throw new DomainError('standing.noDate');
}
