import { freeRanges, type HourRange } from '../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { compareText, groupBy } from '../../lib/words/order.ts';

/** The claims of one date; one of a single_claim event stands on every date. */
export function claimsOn(date: string, claims: readonly ClaimOnRespawn[]): ClaimOnRespawn[] {
  return claims.filter((claim) => claim.date === null || claim.date === date);
}

export interface OtherDay {
  date: string;
  claims: ClaimOnRespawn[];
}

/** The claims of every other date, day by day. */
export function otherDays(date: string, claims: readonly ClaimOnRespawn[]): OtherDay[] {
  // One of a single_claim event stands on this date, too.
  const days = groupBy(claims, (claim) => claim.date ?? date);
  days.delete(date);
  return [...days].map(([day, list]) => ({ date: day, claims: list })).sort((a, b) => compareText(a.date, b.date));
}

/** The next hours that nobody holds, from an hour on; a secondary claim holds none. */
export function nextFree(claims: readonly ClaimOnRespawn[], from_hour: number): HourRange | null {
  const free = freeRanges(claims.filter((claim) => !claim.is_secondary_claim)).find((range) => range.hour_end > from_hour);
  return free ? { ...free, hour_start: Math.max(free.hour_start, from_hour) } : null;
}
