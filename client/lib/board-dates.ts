import { eventDate } from '../../shared/rules/event-period.ts';
import { addDays, datesBetween } from '../../shared/rules/server-save.ts';
import type { ActiveEvent } from '../../shared/schemas/event.ts';

/** How far the board looks ahead without an event, in days. */
const DAYS_AHEAD = 6;

/** The dates to choose from: the event's, or this week's. One choice for all days of a single_claim event. */
export function boardDates(event: ActiveEvent | null, today: string): string[] {
  if (event?.type === 'single_claim') return [];
  return event
    ? datesBetween(eventDate(event.start_time), eventDate(event.end_time))
    : datesBetween(today, addDays(today, DAYS_AHEAD));
}

/** The requested date if the board offers it, else today or the event's day nearest to it. */
export function shownDate(
  requested: string | null,
  event: ActiveEvent | null,
  today: string,
): string {
  if (requested && boardDates(event, today).includes(requested)) return requested;
  if (!event) return today;
  const first = eventDate(event.start_time);
  const last = eventDate(event.end_time);
  if (today < first) return first;
  return today > last ? last : today;
}
