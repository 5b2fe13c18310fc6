import { freeRanges, type HourRange } from '../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { compareText, groupBy } from '../../lib/words/order.ts';
import { missingIn, searchIndex } from '../../lib/words/search.ts';

/** The claims of one date. A claim of a single_claim event is on every date. */
export function claimsOn(date: string, claims: readonly ClaimOnRespawn[]): ClaimOnRespawn[] {
  return claims.filter((claim) => claim.date === null || claim.date === date);
}

export interface OtherDay {
  date: string;
  claims: ClaimOnRespawn[];
}

export function otherDays(date: string, claims: readonly ClaimOnRespawn[]): OtherDay[] {
  // Claims of a single_claim event are on every date.
  const days = groupBy(claims, (claim) => claim.date ?? date);
  days.delete(date);
  return [...days]
    .map(([day, list]) => ({ date: day, claims: list }))
    .sort((a, b) => compareText(a.date, b.date));
}

const nameOf = searchIndex((claim: ClaimOnRespawn) => [claim.character_name]);

/** Of other days' claims those by whom a search finds the spot. */
export function foundOn(days: readonly OtherDay[], words: readonly string[]): OtherDay[] {
  if (words.length === 0) return [];
  const found = days.map((day) => ({
    ...day,
    claims: day.claims.filter((claim) => missingIn(nameOf(claim), words).length < words.length),
  }));
  return found.filter((day) => day.claims.length > 0);
}

/**
 * The free hours from an hour on, in order; a secondary claim occupies none.
 * @param elsewhere the hours of that date that claims of other events occupy
 */
export function freeHours(
  claims: readonly ClaimOnRespawn[],
  from_hour: number,
  elsewhere: readonly HourRange[] = [],
): HourRange[] {
  return freeRanges([...claims.filter((claim) => !claim.is_secondary_claim), ...elsewhere])
    .filter((range) => range.hour_end > from_hour)
    .map((range) => ({ ...range, hour_start: Math.max(range.hour_start, from_hour) }));
}
