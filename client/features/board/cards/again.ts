import type { HourRange } from '../../../../shared/rules/hours.ts';
import { maxDurationAt } from '../../../../shared/rules/start-hours.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { claimsOn } from '../../claiming/day-claims.ts';

export interface AgainFacts {
  last: HourRange;
  /** The server-save date in view, and how many hours of it are over. */
  date: string;
  over: number;
  /** The longest claim of the viewer's member type, in hours. */
  voucher: number;
  /** The viewer's own claims. */
  mine: readonly ClaimOnRespawn[];
  /** The claims of the last claim's spot, and the hours that other events' claims occupy there on the date. */
  onSpot: readonly ClaimOnRespawn[];
  elsewhere?: readonly HourRange[];
}

/** Whether the hours of the last claim can be claimed on a date, by the form's own rule: what is refused is not offered. */
export function mayClaimAgain({ last, date, over, voucher, mine, onSpot, elsewhere = [] }: AgainFacts): boolean {
  const holding = (claims: readonly ClaimOnRespawn[]): ClaimOnRespawn[] =>
    claimsOn(date, claims).filter((claim) => !claim.is_secondary_claim);
  // A character has one claim a date.
  if (holding(mine).length > 0) return false;
  return maxDurationAt(last.hour_start, voucher, [...holding(onSpot), ...elsewhere], over) >= last.hour_end - last.hour_start;
}
