import { instantOf, type ServerSaveClock } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { inOrder, nextDate } from '../../../state/own-claims.ts';
import type { Now } from '../view/board-view.ts';

/** One of one's own claims that is on or to come. */
export interface Hunt {
  key: string;
  claim: ClaimOnRespawn;
  respawn_id: number;
  character_name: string;
  /** The server-save date on which it is next. */
  date: string;
  hour_start: number;
  hour_end: number;
  /** Instants, in milliseconds. */
  begins: number;
  ends: number;
}

/** What one's characters hunt, what is on first, then what comes next. A secondary claim only waits, and what is held is not taken yet: neither is a hunt. */
export function nextHunts(mine: readonly ClaimOnRespawn[], event: ActiveEvent | null, now: Now, clock: ServerSaveClock): Hunt[] {
  const { coming } = inOrder(mine, event, now);
  return coming
    .filter((claim) => !claim.is_secondary_claim && !claim.is_held)
    .map((claim) => {
      const { respawn_id, character_name, hour_start, hour_end } = claim;
      const date = nextDate(claim, event, now);
      const [begins, ends] = [hour_start, hour_end].map((hour) => instantOf(date, hour, clock).getTime());
      return { key: claimKey(claim), claim, respawn_id, character_name, date, hour_start, hour_end, begins: begins ?? 0, ends: ends ?? 0 };
    });
}

const MINUTE_MS = 60_000;
const MINUTES = { day: 1440, hour: 60 };

/** A span of time as it is told: days and hours where it is long, else hours and minutes. Begun minutes count. */
export function spanOf(ms: number): { days: number; hours: number; minutes: number } {
  const minutes = Math.max(0, Math.ceil(ms / MINUTE_MS));
  return {
    days: Math.floor(minutes / MINUTES.day),
    hours: Math.floor((minutes % MINUTES.day) / MINUTES.hour),
    minutes: minutes % MINUTES.hour,
  };
}
