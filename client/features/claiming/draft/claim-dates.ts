import { type ClaimTime, lastDateAhead } from '../../../../shared/rules/claim-time.ts';
import { eventDate, isWithinEvent } from '../../../../shared/rules/event-period.ts';
import { addDays, datesBetween } from '../../../../shared/rules/server-save.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';

/** How many days are offered while no event sets an end. */
const DAYS_WITHOUT_EVENT = 14;

/** The dates that can be chosen: the event's from today on, or the next two weeks; an admin's also those before. */
export function datesOnOffer(event: ActiveEvent | null, time: ClaimTime): string[] {
  const { today, may_enter_past } = time;
  if (!event) {
    const [first, last] = [may_enter_past ? addDays(today, -DAYS_WITHOUT_EVENT) : today, addDays(today, DAYS_WITHOUT_EVENT - 1)];
    return datesBetween(first, earlier(last, lastDateAhead(time)));
  }
  const start = eventDate(event.start_time);
  return datesBetween(start > today || may_enter_past ? start : today, eventDate(event.end_time));
}

const earlier = (a: string, b: string): string => (a < b ? a : b);

/** The dates that a claim covers, first and last included. */
export interface Period {
  first: string;
  last: string;
  /** Of the single_claim event that it covers all of; null: of one date. */
  event_id: number | null;
}

/** What a claim for `date` covers: that date, or the whole of a single_claim event. */
export function coveredPeriod(date: string, event: ActiveEvent | null): Period {
  if (event?.type !== 'single_claim') return { first: date, last: date, event_id: null };
  return { first: eventDate(event.start_time), last: eventDate(event.end_time), event_id: event.id };
}

/** The day after `date`, or why it cannot be added. */
export function nextDay(
  date: string,
  chosen: readonly string[],
  event: ActiveEvent | null,
  time: ClaimTime,
): { date: string } | { refused: 'beyondEvent' | 'beyondHorizon' | 'alreadyAdded' } {
  const next = addDays(date, 1);
  if (event && !isWithinEvent(next, event)) return { refused: 'beyondEvent' };
  if (!event && next > lastDateAhead(time)) return { refused: 'beyondHorizon' };
  return chosen.includes(next) ? { refused: 'alreadyAdded' } : { date: next };
}
