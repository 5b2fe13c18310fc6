import { useMemo } from 'react';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { addDays, HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import { claimKey } from '../../../lib/claims.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useStars } from '../../../state/stars.ts';
import type { Now } from '../board-view.ts';

/** Hours shown before and from the current one. */
const HOURS_BEFORE = 2;
const HOURS_AFTER = 8;
export const HOURS_SHOWN = HOURS_BEFORE + HOURS_AFTER;

/** The hours shown, in order; they may begin the day before, or end the day after. */
export function hoursAround({ date, hour }: Now): Now[] {
  return Array.from({ length: HOURS_SHOWN }, (_, at) => {
    const from = hour - HOURS_BEFORE + at;
    const day = Math.floor(from / HOURS_IN_DAY);
    return { date: day === 0 ? date : addDays(date, day), hour: from - day * HOURS_IN_DAY };
  });
}

/** The position of a moment in the current hour, in hours from the first one shown. */
export const positionOfNow = (elapsed: number): number => HOURS_BEFORE + elapsed;

/** Without a member type, the claim is outside the active event. */
type WatchedClaim = Pick<
  ClaimOnRespawn,
  'id' | 'character_name' | 'hour_start' | 'hour_end' | 'is_held' | 'held_until'
> & {
  member_type: string | null;
};

export interface WatchedHunt {
  key: string;
  claim: WatchedClaim;
  /** The server-save date it is on: a claim for a whole event is on several. */
  date: string;
  /** In hours from the first one shown; may be below 0 or above `HOURS_SHOWN`. */
  from: number;
  to: number;
}

/**
 * The hunts on a spot that overlap the hours shown, in order, without secondary claims.
 * @param outside the hours that claims outside the active event occupy there
 */
export function huntsAround(
  claims: readonly ClaimOnRespawn[],
  event: ActiveEvent | null,
  now: Now,
  outside: readonly OccupiedHours[] = [],
): WatchedHunt[] {
  const days = new Map([-1, 0, 1].map((day) => [addDays(now.date, day), day * HOURS_IN_DAY]));
  const inEvent = (date: string): boolean =>
    !event || (eventDate(event.start_time) <= date && date <= eventDate(event.end_time));
  const first = now.hour - HOURS_BEFORE;
  const hunts: WatchedHunt[] = [];
  const add = (key: string, claim: WatchedClaim, dates: readonly string[]): void => {
    for (const date of dates) {
      const day = days.get(date);
      if (day === undefined) continue;
      const from = day + claim.hour_start - first;
      const to = day + claim.hour_end - first;
      if (from < HOURS_SHOWN && to > 0)
        hunts.push({ key: `${key} ${date}`, claim, date, from, to });
    }
  };
  for (const claim of claims)
    if (!claim.is_secondary_claim)
      add(
        claimKey(claim),
        claim,
        claim.date === null ? [...days.keys()].filter(inEvent) : [claim.date],
      );
  for (const { first_date, last_date, ...hours } of outside) {
    const dates = [...days.keys()].filter((date) => first_date <= date && date <= last_date);
    add(
      `outside ${hours.id} ${hours.hour_start}`,
      { ...hours, member_type: null, is_held: 0, held_until: null },
      dates,
    );
  }
  return hunts.sort((a, b) => a.from - b.from);
}

export function currentAndNext(hunts: readonly WatchedHunt[]): {
  on: WatchedHunt | null;
  next: WatchedHunt | null;
} {
  return {
    on: hunts.find(({ from, to }) => from <= HOURS_BEFORE && HOURS_BEFORE < to) ?? null,
    next: hunts.find(({ from }) => from > HOURS_BEFORE) ?? null,
  };
}

/** Sort key of a spot: current hunt, next hunt, past hunt, starred only. */
export function huntRank(hunts: readonly WatchedHunt[]): number {
  const { on, next } = currentAndNext(hunts);
  if (on) return 0;
  if (next) return next.from;
  return hunts.length > 0 ? HOURS_SHOWN : HOURS_SHOWN + 1;
}

/** More rows are unreadable from across a room. */
const MAX_ROWS = 60;

interface WatchedSpots {
  ids: readonly number[];
  /** How many more there are. */
  more: number;
  hunting: number;
}

export function useWatchedSpots({ date, hour }: Now): WatchedSpots {
  const respawns = useBoard((board) => board.byKind.respawn);
  const claimsByRespawn = useBoard((board) => board.claimsByRespawn);
  const occupied = useBoard((board) => board.occupiedByRespawn);
  const event = useActiveEvent();
  const starred = useStars((stars) => stars.ids);
  return useMemo(() => {
    let hunting = 0;
    const spots = [...respawns.values()].flatMap((spot) => {
      const hunts = spot.is_enabled
        ? huntsAround(
            claimsByRespawn.get(spot.id) ?? [],
            event,
            { date, hour },
            occupied.get(spot.id),
          )
        : [];
      if (hunts.length === 0 && !(spot.is_enabled && starred.has(spot.id))) return [];
      // A hold is no hunt yet.
      const { on } = currentAndNext(hunts);
      if (on && on.claim.is_held !== 1) hunting += 1;
      return [{ id: spot.id, name: spot.name, order: huntRank(hunts) }];
    });
    const ids = inNameOrder(spots, ({ name }) => name)
      .sort((a, b) => a.order - b.order)
      .map(({ id }) => id);
    return { ids: ids.slice(0, MAX_ROWS), more: Math.max(0, ids.length - MAX_ROWS), hunting };
  }, [respawns, claimsByRespawn, occupied, event, starred, date, hour]);
}
