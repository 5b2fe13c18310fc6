import type { ActivityAction } from '../../../../../shared/activity-actions.ts';
import { isOnBoard } from '../../../../../shared/rules/board.ts';
import { eventDate } from '../../../../../shared/rules/event-period.ts';
import type { ActivityEntry } from '../../../../../shared/schemas/activity.ts';
import type { Claim, ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../../shared/schemas/event.ts';
import type { ClaimIndex } from './claim-groups.ts';

/** Whether a board without an active event holds no claim any more that ends then. */
const isOver = (event_id: number | null, last_date: string, today: string): boolean =>
  !isOnBoard({ event_id }, last_date, { active_event: null, today });

/** The events that are over, as a text: it stays the same while only their counts of claims change. */
export function endedEvents(events: Iterable<Event>, today: string): string {
  const ended = [...events].filter(({ id, end_time }) => isOver(id, eventDate(end_time), today));
  return ended.map(({ id }) => ` ${id} `).join('');
}

/**
 * Of all claims those that the board does not hold, by respawn: without an active event it holds those from today on,
 * those of a whole event until that is over.
 * @param ended as `endedEvents` says it
 */
export function offBoard(all: readonly ClaimOnRespawn[], ended: string, today: string): ClaimIndex {
  const index = new Map<number, ClaimOnRespawn[]>();
  for (const claim of all) {
    const { event_id, date } = claim;
    if (date === null ? !ended.includes(` ${event_id} `) : !isOver(event_id, date, today)) continue;
    const there = index.get(claim.respawn_id);
    if (there) there.push(claim);
    else index.set(claim.respawn_id, [claim]);
  }
  return index;
}

/** The same index where the board holds none of it; around a server save it still holds yesterday's claims. */
export function withoutBoard(index: ClaimIndex, onBoard: { get: (id: number) => Claim | undefined }): ClaimIndex {
  const isHeld = ({ id }: ClaimOnRespawn): boolean => onBoard.get(id) !== undefined;
  if (![...index.values()].some((claims) => claims.some(isHeld))) return index;
  return new Map([...index].map(([respawn_id, claims]) => [respawn_id, claims.filter((claim) => !isHeld(claim))]));
}

/** How many claims an index holds: a split one stands in it with each of its parts. */
export function claimsIn(index: ClaimIndex): number {
  const ids = new Set<number>();
  for (const claims of index.values()) for (const { id } of claims) ids.add(id);
  return ids.size;
}

/** What changes many claims at once, or where they belong. */
const SWEEPING: ReadonlySet<string> = new Set<ActivityAction>([
  'claims_cleared',
  'claims_restored',
  'event_updated',
  'event_deleted',
  'event_restored',
  'event_archived',
  'respawn_deleted',
]);
const OF_ONE_CLAIM: ReadonlySet<string> = new Set<ActivityAction>([
  'claim_created',
  'claim_updated',
  'claim_deleted',
  'claim_released',
  'claim_no_show',
]);

/**
 * The newest entry of the log that tells of claims off the board: they do not arrive live, the log does.
 * @returns its id; 0 when there is none
 */
export function lastOffBoardChange(entries: Iterable<ActivityEntry>, today: string): number {
  let last = 0;
  for (const { id, action, details } of entries) {
    if (id <= last) continue;
    const isOffBoard = typeof details.date !== 'string' || details.date < today;
    if (SWEEPING.has(action) || (OF_ONE_CLAIM.has(action) && isOffBoard)) last = id;
  }
  return last;
}
