import { addDays } from './server-save.ts';

/** The first and last server-save date of an event, both included; the times of day play no part (R3.1). */
export interface EventPeriod {
  start_time: string;
  end_time: string;
}

export type EventTimeStatus = 'upcoming' | 'active' | 'ended';

/** Length of an event, in days. A single_claim event occupies its hours on each of them. */
export const MAX_EVENT_DAYS = 366;

/** R3.1: a start_time or end_time is a date followed by a time; only the date counts. */
export function eventDate(time: string): string {
  return time.slice(0, 10);
}

/** The times of day that the dialogs send with an event's dates: an event of one day ends after it starts. */
export const DAY_START = '00:00:00';
export const DAY_END = '23:59:59';

/** Dates without a time of day, as the first moment of one and the last of the other. An empty date stays. */
export function wholeDays({ start_time, end_time }: EventPeriod): EventPeriod {
  return {
    start_time: start_time && `${start_time} ${DAY_START}`,
    end_time: end_time && `${end_time} ${DAY_END}`,
  };
}

/** R3.1: inclusive at both ends. */
export function isWithinEvent(date: string, event: EventPeriod): boolean {
  return date >= eventDate(event.start_time) && date <= eventDate(event.end_time);
}

/** Whether two events have a date in common. */
export const periodsOverlap = (one: EventPeriod, other: EventPeriod): boolean =>
  eventDate(one.start_time) <= eventDate(other.end_time) &&
  eventDate(other.start_time) <= eventDate(one.end_time);

/** R3.2: upcoming before the first date, ended after the last. */
export function eventTimeStatus(event: EventPeriod, today: string): EventTimeStatus {
  if (today < eventDate(event.start_time)) return 'upcoming';
  return today > eventDate(event.end_time) ? 'ended' : 'active';
}

/** The minute an event's time names; a bare date starts with the day and ends with it. */
const minuteOf = (time: string, bareDate: '00:00' | '23:59'): string =>
  `${eventDate(time)}T${time.slice(11, 16) || bareDate}`;

/** R3.3: what is wrong with a period, or null: it must end after it starts, and not last longer than a year. */
export function periodRefusal(
  period: EventPeriod,
): 'event.endBeforeStart' | 'event.tooLong' | null {
  if (minuteOf(period.end_time, '23:59') <= minuteOf(period.start_time, '00:00'))
    return 'event.endBeforeStart';
  const lastAllowed = addDays(eventDate(period.start_time), MAX_EVENT_DAYS - 1);
  return eventDate(period.end_time) > lastAllowed ? 'event.tooLong' : null;
}

/** The first date from which an event of so many days overlaps no other; on or after `first`. */
export function freeStart(first: string, days: number, events: Iterable<EventPeriod>): string {
  const all = [...events];
  for (let start = first; ; ) {
    const period = { start_time: start, end_time: addDays(start, days - 1) };
    const ends = all
      .filter((event) => periodsOverlap(event, period))
      .map(({ end_time }) => eventDate(end_time));
    const last = ends.sort().at(-1);
    if (last === undefined) return start;
    start = addDays(last, 1);
  }
}
