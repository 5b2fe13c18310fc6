import type { Claim } from '../schemas/claim.ts';
import type { EventFacts } from '../schemas/event.ts';
import { eventDate } from './event-period.ts';

/** The facts that decide which claims a board has. */
export interface BoardNow {
  active_event: { id: number } | null;
  /** The server-save date that has begun on the board. */
  today: string;
}

/**
 * The board shows the active event's claims; without one those that are not over: of today and later.
 * @param last_date the last date the claim covers
 */
export function isOnBoard(
  { event_id }: Pick<Claim, 'event_id'>,
  last_date: string,
  { active_event, today }: BoardNow,
): boolean {
  return active_event ? event_id === active_event.id : last_date >= today;
}

export interface ClaimDates {
  first_date: string;
  last_date: string;
}

/** R2.6: whether a claim that the board does not list occupies hours on its dates: with an active event, those of that event. */
export function occupiesBoard(
  { event_id, is_secondary_claim }: Pick<Claim, 'event_id' | 'is_secondary_claim'>,
  { first_date, last_date }: ClaimDates,
  event: EventFacts | null,
): boolean {
  if (!event || event_id === event.id || is_secondary_claim) return false;
  return first_date <= eventDate(event.end_time) && last_date >= eventDate(event.start_time);
}
