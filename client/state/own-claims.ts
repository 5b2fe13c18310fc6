import { eventDate } from '../../shared/rules/event-period.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { addDays, type ServerSaveTime } from '../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../shared/schemas/event.ts';
import { byHour } from '../lib/claim-order.ts';
import { compareText } from '../lib/words/order.ts';

type Now = Pick<ServerSaveTime, 'date' | 'hour'>;

export interface MyClaims {
  /** What is on now, then what comes next. */
  coming: ClaimOnRespawn[];
  /** What is over, the latest first. */
  over: ClaimOnRespawn[];
}

/** What was found in a respawn's list: a live change makes one list anew, and only that one is looked through again. */
const found = new WeakMap<readonly ClaimOnRespawn[], Map<string, readonly ClaimOnRespawn[]>>();

function ownIn(claims: readonly ClaimOnRespawn[], viewer: string): readonly ClaimOnRespawn[] {
  const known = found.get(claims) ?? new Map<string, readonly ClaimOnRespawn[]>();
  const mine = known.get(viewer) ?? claims.filter((claim) => nameKey(claim.character_name) === viewer);
  found.set(claims, known.set(viewer, mine));
  return mine;
}

/** All that some characters, as names' keys, claim: the parts of split claims and the secondary ones among them. */
export function claimsOf(viewers: readonly string[], claimsByRespawn: ReadonlyMap<number, readonly ClaimOnRespawn[]>): ClaimOnRespawn[] {
  return [...claimsByRespawn.values()].flatMap((claims) => viewers.flatMap((viewer) => ownIn(claims, viewer)));
}

/** Claims by what comes next. */
export function inOrder(mine: readonly ClaimOnRespawn[], event: ActiveEvent | null, now: Now): MyClaims {
  const nextOf = new Map(mine.map((claim) => [claim, nextDate(claim, event, now)]));
  const byTime = (a: ClaimOnRespawn, b: ClaimOnRespawn): number => compareText(nextOf.get(a) ?? '', nextOf.get(b) ?? '') || byHour(a, b);
  const isComing = (claim: ClaimOnRespawn): boolean => {
    const date = nextOf.get(claim) ?? '';
    return date > now.date || (date === now.date && claim.hour_end > now.hour);
  };
  return { coming: mine.filter(isComing).sort(byTime), over: mine.filter((claim) => !isComing(claim)).sort((a, b) => byTime(b, a)) };
}

/** The next date on which a claim is on, or its last one. That of a single_claim event is on every day. */
export function nextDate({ date, hour_end }: ClaimOnRespawn, event: ActiveEvent | null, now: Now): string {
  if (date !== null) return date;
  const next = hour_end > now.hour ? now.date : addDays(now.date, 1);
  if (!event) return next;
  const [first, last] = [eventDate(event.start_time), eventDate(event.end_time)];
  if (next < first) return first;
  return next > last ? last : next;
}
