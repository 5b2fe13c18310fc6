import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { eventDate, isWithinEvent } from '../../shared/rules/event-period.ts';
import { nameKey } from '../../shared/rules/names.ts';
import {
  addDays,
  type ServerSaveClock,
  type ServerSaveTime,
} from '../../shared/rules/server-save.ts';
import { claimBegins, mayTransfer } from '../../shared/rules/transfer.ts';
import type { Claim, ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../shared/schemas/event.ts';
import type { Transfer } from '../../shared/schemas/transfer.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { byHour, claimKey } from '../lib/claims.ts';
import { compareText } from '../lib/words/order.ts';
import { type BoardState, type OutsideClaim, useBoard } from './board-store.ts';
import type { Profile } from './saved-sessions.ts';
import { useSession } from './session-store.ts';

type Now = Pick<ServerSaveTime, 'date' | 'hour'>;

/** A claim of the viewer's: outside the active event it carries its dates and its event's name. */
export type OwnClaimRow = ClaimOnRespawn &
  Partial<Pick<OutsideClaim, 'first_date' | 'last_date' | 'event_name'>>;

export interface MyClaims {
  /** Current, then upcoming. */
  coming: OwnClaimRow[];
  /** Past, latest first. */
  over: OwnClaimRow[];
}

/** Results per respawn list: a live change replaces one list, and only that one is searched again. */
const found = new WeakMap<readonly ClaimOnRespawn[], Map<string, readonly ClaimOnRespawn[]>>();

function ownIn(claims: readonly ClaimOnRespawn[], viewer: string): readonly ClaimOnRespawn[] {
  const known = found.get(claims) ?? new Map<string, readonly ClaimOnRespawn[]>();
  const mine =
    known.get(viewer) ?? claims.filter((claim) => nameKey(claim.character_name) === viewer);
  found.set(claims, known.set(viewer, mine));
  return mine;
}

type Claims = Pick<BoardState, 'claimsByRespawn' | 'outsideClaims' | 'byKind'>;

/** All claims of some characters (name keys) on the board and outside its event, split parts and secondary claims included. */
export function claimsOfCharacters(
  viewers: readonly string[],
  { claimsByRespawn, outsideClaims, byKind }: Claims,
): OwnClaimRow[] {
  const onBoard = [...claimsByRespawn.values()].flatMap((claims) =>
    viewers.flatMap((viewer) => ownIn(claims, viewer)),
  );
  // The board may be newer: it has a claim as soon as the event takes it.
  const outside = viewers.flatMap((viewer) =>
    (outsideClaims.get(viewer) ?? []).filter(({ id }) => !byKind.claim.get(id)),
  );
  return outside.length === 0 ? onBoard : [...onBoard, ...outside];
}

/** A claim as it is now, on the board or, if it is the viewer's own, outside its event; undefined: it is gone. */
export function currentClaim(
  board: Claims,
  { id, split_part_number, respawn_id, character_name }: ClaimOnRespawn,
): OwnClaimRow | undefined {
  const isSame = (one: ClaimOnRespawn): boolean =>
    claimKey(one) === claimKey({ id, split_part_number });
  const onBoard = board.claimsByRespawn.get(respawn_id)?.find(isSame);
  return (
    onBoard ??
    claimsOfCharacters([nameKey(character_name)], board).find(
      (one) => one.respawn_id === respawn_id && isSame(one),
    )
  );
}

/** The claim itself, likewise. */
export function currentWhole(
  board: Claims,
  { id, character_name }: Pick<ClaimOnRespawn, 'id' | 'character_name'>,
): Claim | undefined {
  return (
    board.byKind.claim.get(id) ??
    board.outsideClaims.get(nameKey(character_name))?.find((claim) => claim.id === id)
  );
}

/** Upcoming claims in chronological order. */
export function inOrder(
  mine: readonly OwnClaimRow[],
  event: ActiveEvent | null,
  now: Now,
): MyClaims {
  const nextOf = new Map(mine.map((claim) => [claim, nextDate(claim, event, now)]));
  const byTime = (a: OwnClaimRow, b: OwnClaimRow): number =>
    compareText(nextOf.get(a) ?? '', nextOf.get(b) ?? '') || byHour(a, b);
  const isComing = (claim: OwnClaimRow): boolean => {
    const date = nextOf.get(claim) ?? '';
    return date > now.date || (date === now.date && claim.hour_end > now.hour);
  };
  return {
    coming: mine.filter(isComing).sort(byTime),
    over: mine.filter((claim) => !isComing(claim)).sort((a, b) => byTime(b, a)),
  };
}

/** The next date on which a claim is on, or its last one. That of a single_claim event is on every day. */
export function nextDate(claim: OwnClaimRow, event: ActiveEvent | null, now: Now): string {
  if (claim.date !== null) return claim.date;
  const next = claim.hour_end > now.hour ? now.date : addDays(now.date, 1);
  const {
    first_date: first = event && eventDate(event.start_time),
    last_date: last = event && eventDate(event.end_time),
  } = claim;
  if (first === null || last === null) return next;
  if (next < first) return first;
  return next > last ? last : next;
}

/** Whether the board has dates of a claim: with an active event it has that event's, and a claim for all dates of another one is on none. */
export function isOnBoardDates(
  { date, first_date }: Pick<OwnClaimRow, 'date' | 'first_date'>,
  event: ActiveEvent | null,
): boolean {
  if (!event || event.type === 'single_claim') return first_date === undefined;
  return date === null ? first_date === undefined : isWithinEvent(date, event);
}

/** Whether a claim may be transferred, by the server's rule. Those of a whole event are on the board while it is active. */
export function isUpcoming(
  claim: OwnClaimRow,
  event: ActiveEvent | null,
  now: Date,
  clock: ServerSaveClock,
): boolean {
  const hours = claim.split_parts.length > 0 ? claim.split_parts : [claim];
  const first_date = claim.date ?? claim.first_date ?? (event ? eventDate(event.start_time) : null);
  return first_date !== null && mayTransfer(claim, claimBegins(hours, first_date, clock), now);
}

/** A waitlist entry of one of this browser's characters. */
export interface OwnWait {
  wait: Wait;
  profile: Profile;
}

/** Open waitlist entries of this browser's characters, oldest first, without expired offers. */
export function useOwnWaits(): readonly OwnWait[] {
  const profiles = useSession((session) => session.profiles);
  const byName = useMemo(
    () => new Map(profiles.map((profile) => [nameKey(profile.characterName), profile])),
    [profiles],
  );
  const waits = useBoard(
    useShallow((board) => {
      const own: Wait[] = [];
      if (byName.size === 0) return own;
      for (const list of board.waitsByRespawn.values())
        own.push(...list.filter((wait) => byName.has(nameKey(wait.character_name))));
      return own.sort((a, b) => a.id - b.id);
    }),
  );
  return useMemo(
    () =>
      waits.flatMap((wait) => {
        const profile = byName.get(nameKey(wait.character_name));
        return profile ? [{ wait, profile }] : [];
      }),
    [waits, byName],
  );
}

/** An open transfer that one of this browser's characters made or got. */
export interface OwnTransfer {
  transfer: Transfer;
  /** Whose answer or offer it is. */
  profile: Profile;
  isReceived: boolean;
}

/** Open transfers of this browser's characters, oldest first. Those of the signed-in character are live. */
export function useOwnTransfers(): readonly OwnTransfer[] {
  const profiles = useSession((session) => session.profiles);
  const all = useBoard((board) => board.byKind.transfer);
  return useMemo(() => {
    const byName = new Map(profiles.map((profile) => [nameKey(profile.characterName), profile]));
    return [...all.values()].flatMap((transfer): OwnTransfer[] => {
      const to = byName.get(nameKey(transfer.to));
      const from = byName.get(nameKey(transfer.from));
      if (to) return [{ transfer, profile: to, isReceived: true }];
      return from ? [{ transfer, profile: from, isReceived: false }] : [];
    });
  }, [profiles, all]);
}
