import type { Claim } from '../schemas/claim.ts';

/** What decides which claims a board holds. */
export interface BoardNow {
  active_event: { id: number } | null;
  /** The server-save date that has begun on the board. */
  today: string;
}

/**
 * The board shows the active event's claims; without one those that are not over: of today and later.
 * @param last_date the last date the claim covers
 */
export function isOnBoard({ event_id }: Pick<Claim, 'event_id'>, last_date: string, { active_event, today }: BoardNow): boolean {
  return active_event ? event_id === active_event.id : last_date >= today;
}
