import { type EventPeriod, eventDate } from './event-period.ts';
import { addDays } from './server-save.ts';

const MS_PER_DAY = 86_400_000;
const DAYS_IN_WEEK = 7;

/** Server-save dates are calendar days: clock changes don't affect how many are between two dates. */
export const daysFrom = (first: string, second: string): number =>
  Math.round((Date.parse(`${second}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / MS_PER_DAY);

/** How many dates an event has, both ends included. */
export const daysIn = ({ start_time, end_time }: EventPeriod): number =>
  daysFrom(eventDate(start_time), eventDate(end_time)) + 1;

/** The time of day after the date in a start_time or end_time; empty for a bare date. */
const clockOf = (time: string): string => time.slice(eventDate(time).length);

/** The same event from another date on: as many days, at the same times of day. */
export function periodFrom({ start_time, end_time }: EventPeriod, first: string): EventPeriod {
  const shift = daysFrom(eventDate(start_time), first);
  return {
    start_time: `${first}${clockOf(start_time)}`,
    end_time: `${addDays(eventDate(end_time), shift)}${clockOf(end_time)}`,
  };
}

/**
 * The first date of the period after one: the day after its end, and weeks later where that one would be over already.
 * @param days of the next one
 */
export function nextStart(last: string, today: string, days: number): string {
  const first = addDays(last, 1);
  const weeksLate = Math.ceil(daysFrom(addDays(first, days - 1), today) / DAYS_IN_WEEK);
  return addDays(first, Math.max(0, weeksLate) * DAYS_IN_WEEK);
}
