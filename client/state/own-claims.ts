import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { CONFIG_ID } from '../../shared/kinds.ts';
import { confirmTime, isNoShow } from '../../shared/rules/confirm.ts';
import { eventDate } from '../../shared/rules/event-period.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { type Release, releaseOf } from '../../shared/rules/release.ts';
import { addDays, type ServerSaveClock, type ServerSaveTime, serverSaveTime } from '../../shared/rules/server-save.ts';
import { claimBegins, mayTransfer } from '../../shared/rules/transfer.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { Config } from '../../shared/schemas/config.ts';
import type { ActiveEvent } from '../../shared/schemas/event.ts';
import type { Transfer } from '../../shared/schemas/transfer.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { byHour } from '../lib/claims.ts';
import { compareText } from '../lib/words/order.ts';
import { useActiveEvent, useBoard } from './board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from './clock.ts';
import type { Profile } from './saved-sessions.ts';
import { useSession } from './session-store.ts';

type Now = Pick<ServerSaveTime, 'date' | 'hour'>;

export interface MyClaims {
  /** Current, then upcoming. */
  coming: ClaimOnRespawn[];
  /** Past, latest first. */
  over: ClaimOnRespawn[];
}

/** Results per respawn list: a live change replaces one list, and only that one is searched again. */
const found = new WeakMap<readonly ClaimOnRespawn[], Map<string, readonly ClaimOnRespawn[]>>();

function ownIn(claims: readonly ClaimOnRespawn[], viewer: string): readonly ClaimOnRespawn[] {
  const known = found.get(claims) ?? new Map<string, readonly ClaimOnRespawn[]>();
  const mine = known.get(viewer) ?? claims.filter((claim) => nameKey(claim.character_name) === viewer);
  found.set(claims, known.set(viewer, mine));
  return mine;
}

/** All claims of some characters (name keys), split parts and secondary claims included. */
export function claimsOfCharacters(
  viewers: readonly string[],
  claimsByRespawn: ReadonlyMap<number, readonly ClaimOnRespawn[]>,
): ClaimOnRespawn[] {
  return [...claimsByRespawn.values()].flatMap((claims) => viewers.flatMap((viewer) => ownIn(claims, viewer)));
}

/** Upcoming claims in chronological order. */
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

/** The actions of a claim's holder. */
export interface OwnActions {
  /** The hours that a release would free and keep; null if none can be released. */
  release: Release | null;
  /** When the claim can be confirmed; null: it needn't or can't be. */
  confirm: OwnConfirmTime | null;
  /** It can be handed over or swapped. */
  isTransferable: boolean;
  /** A weekly claim can be made of it. */
  isRepeatable: boolean;
}

export interface OwnConfirmTime {
  opens_at: Date;
  closes_at: Date;
  isOpen: boolean;
}

type Settings = Pick<Config, 'release_enabled' | 'confirm_enabled' | 'grace_minutes' | 'transfers_enabled' | 'standing_enabled'>;

/** The actions offered to a claim's holder, by the server's own rules (R9.20, R9.25). */
function actionsOf(
  claim: ClaimOnRespawn,
  settings: Settings | undefined,
  event: ActiveEvent | null,
  now: Date,
  clock: ServerSaveClock,
): OwnActions {
  const { date, hour_start, split_part_number } = claim;
  const isTransferable = settings?.transfers_enabled === 1 && isUpcoming(claim, event, now, clock);
  if (date === null || claim.is_held || claim.is_secondary_claim || !settings)
    return { release: null, confirm: null, isTransferable, isRepeatable: false };
  const { date: today, hour } = serverSaveTime(now, clock);
  const times = confirmTime({ date, hour_start }, settings.grace_minutes, clock);
  const isDue = settings.confirm_enabled && claim.to_confirm.some((part) => part === (split_part_number ?? 1)) && !isNoShow(times, now);
  return {
    release: settings.release_enabled ? releaseOf(claim, date, { today, hour }) : null,
    confirm: isDue ? { ...times, isOpen: now >= times.opens_at } : null,
    isTransferable,
    isRepeatable: settings.standing_enabled === 1 && !claim.is_split_claim && claim.standing_id === null,
  };
}

/** Whether a claim may be transferred, by the server's rule. Those of a whole event are on the board while it is active. */
export function isUpcoming(claim: ClaimOnRespawn, event: ActiveEvent | null, now: Date, clock: ServerSaveClock): boolean {
  const hours = claim.split_parts.length > 0 ? claim.split_parts : [claim];
  const first_date = claim.date ?? (event ? eventDate(event.start_time) : null);
  return first_date !== null && mayTransfer(claim, claimBegins(hours, first_date, clock), now);
}

/** The same for any claim. Re-renders every minute. */
export function useOwnActions(): (claim: ClaimOnRespawn) => OwnActions {
  const settings = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const event = useActiveEvent();
  const clock = useServerSaveClock();
  // A claim that another member asks for is answered in the banner.
  const wantedIds = useOwnTransfers().flatMap(({ transfer, isReceived }) => (isReceived ? (transfer.for_claim_id ?? []) : []));
  useServerSaveTime();
  return (claim) => {
    const actions = actionsOf(claim, settings, event, serverNow(), clock);
    return { ...actions, isTransferable: actions.isTransferable && !wantedIds.includes(claim.id) };
  };
}

/** A waitlist entry of one of this browser's characters. */
export interface OwnWait {
  wait: Wait;
  profile: Profile;
}

/** Open waitlist entries of this browser's characters, oldest first, without expired offers. */
export function useOwnWaits(): readonly OwnWait[] {
  const profiles = useSession((session) => session.profiles);
  const byName = useMemo(() => new Map(profiles.map((profile) => [nameKey(profile.characterName), profile])), [profiles]);
  const waits = useBoard(
    useShallow((board) => {
      const own: Wait[] = [];
      if (byName.size === 0) return own;
      for (const list of board.waitsByRespawn.values()) own.push(...list.filter((wait) => byName.has(nameKey(wait.character_name))));
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
      const [to, from] = [byName.get(nameKey(transfer.to)), byName.get(nameKey(transfer.from))];
      if (to) return [{ transfer, profile: to, isReceived: true }];
      return from ? [{ transfer, profile: from, isReceived: false }] : [];
    });
  }, [profiles, all]);
}
