import { useMemo, useRef } from 'react';
import { hoursOver } from '../../../../shared/rules/claim-time.ts';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { type FreeAt, fitsAt, roomAt } from '../../../../shared/rules/free-at.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { occupiedIn } from '../../../lib/occupied.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useClaimsForOthers } from '../../../state/use-claim-page.ts';
import { claimsOn } from '../../claiming/day-claims.ts';
import { isOccupiedBy } from '../../claiming/in-place/standing.ts';
import type { Now } from '../view/board-view.ts';

/** What is looked for on the date in view, and where it is to be had. */
export interface Free extends FreeAt {
  /** How many hours of the date are over: nothing fits that begins before. */
  over: number;
  /** How many of the hours each spot has, by its id. */
  rooms: ReadonlyMap<number, number>;
  fitting: ReadonlySet<number>;
  /** The viewer's own claim of that date, of whichever event: the server accepts no second one. */
  busy: OwnClaim | null;
  /** What every spot that fits offers to claim; null: the viewer cannot claim on that date. */
  wanted: HourRange | null;
}

export type OwnClaim = Pick<ClaimOnRespawn, 'character_name' | 'respawn_id' | 'hour_start' | 'hour_end'>;

interface FreeFacts {
  /** The server-save date in view; null: any of a single_claim event, all of whose claims count. */
  date: string | null;
  /** How many hours of it are over for the viewer. */
  over: number;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
}

/** How many hours of a date are over for the viewer; a claim for a whole event is over when its last date is. */
export function useHoursOver(date: string, event: ActiveEvent | null, now: Now): number {
  const may_enter_past = useClaimsForOthers();
  return hoursOver(event?.type === 'single_claim' ? eventDate(event.end_time) : date, { today: now.date, hour: now.hour, may_enter_past });
}

/** @returns null while nothing is looked for; else the same parts until they change, however many claims do */
export function useFree(asked: FreeAt | null, { date, over, viewer }: FreeFacts): Free | null {
  const rooms = useRooms(asked, date, over);
  const busy = useBusy(asked && viewer, date);
  const [hour_start, duration] = [asked?.hour_start ?? 0, asked?.duration ?? 0];
  return useMemo(() => {
    if (!rooms) return null;
    const fitting = new Set([...rooms].filter(([, room]) => fitsAt({ hour_start, duration }, room)).map(([id]) => id));
    const wanted = busy ? null : { hour_start, hour_end: hour_start + duration };
    return { hour_start, duration, over, rooms, fitting, busy, wanted };
  }, [rooms, busy, over, hour_start, duration]);
}

/** @param date null: whatever date a claim is for */
const onDate = (claims: readonly ClaimOnRespawn[], date: string | null): readonly ClaimOnRespawn[] =>
  date === null ? claims : claimsOn(date, claims);

function useRooms(asked: FreeAt | null, date: string | null, over: number): ReadonlyMap<number, number> | null {
  const last = useRef<{ of: readonly unknown[]; rooms: ReadonlyMap<number, number> } | null>(null);
  return useBoard(({ byKind, claimsByRespawn, occupiedByRespawn }) => {
    if (!asked) return null;
    const of = [byKind.respawn, claimsByRespawn, occupiedByRespawn, asked.hour_start, asked.duration, date, over];
    if (last.current?.of.every((value, i) => value === of[i])) return last.current.rooms;
    const rooms = new Map<number, number>();
    for (const spot of byKind.respawn.values()) {
      if (!spot.is_enabled) continue;
      const taken = onDate(claimsByRespawn.get(spot.id) ?? [], date).filter((claim) => !claim.is_secondary_claim);
      const elsewhere = occupiedIn(occupiedByRespawn.get(spot.id), date === null ? null : { first: date, last: date });
      rooms.set(spot.id, roomAt(asked, [...taken, ...elsewhere], over));
    }
    const before = last.current?.rooms;
    const isSame = before?.size === rooms.size && [...rooms].every(([id, room]) => before.get(id) === room);
    last.current = { of, rooms: isSame ? before : rooms };
    return last.current.rooms;
  });
}

/** R4.6: a character's primary claim of a date, claims of other events included. @param date null: any date */
function useBusy(viewer: string | null, date: string | null): OwnClaim | null {
  const claim = useBoard(({ claimsByRespawn }) => {
    if (viewer === null) return null;
    for (const claims of claimsByRespawn.values()) {
      const own = onDate(claims, date).find((claim) => !claim.is_secondary_claim && nameKey(claim.character_name) === viewer);
      if (own) return own;
    }
    return null;
  });
  const elsewhere = useBoard(({ byKind }) => {
    if (viewer === null) return null;
    // Occupancies are only of the active event's dates, so without a date each of them counts.
    return (
      [...byKind.occupancy.values()].find((one) => isOccupiedBy(one, viewer, date === null ? null : { first: date, last: date })) ?? null
    );
  });
  return useMemo(() => {
    const [part] = elsewhere?.parts ?? [];
    return claim ?? (elsewhere && part ? { character_name: elsewhere.character_name, ...part } : null);
  }, [claim, elsewhere]);
}
