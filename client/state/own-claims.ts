import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { CONFIG_ID } from '../../shared/kinds.ts';
import { confirmTime, isNoShow } from '../../shared/rules/confirm.ts';
import { eventDate } from '../../shared/rules/event-period.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { type Release, releaseOf } from '../../shared/rules/release.ts';
import { addDays, type ServerSaveClock, type ServerSaveTime, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { Config } from '../../shared/schemas/config.ts';
import type { ActiveEvent } from '../../shared/schemas/event.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { byHour } from '../lib/claim-order.ts';
import { compareText } from '../lib/words/order.ts';
import { useBoard } from './board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from './clock.ts';
import type { Profile } from './saved-sessions.ts';
import { useSession } from './session-store.ts';

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

/** What the holder of a claim can do with it now. */
export interface OwnActions {
  /** Which hours would come free, and which would stay; null: none can be released. */
  release: Release | null;
  /** When "I'm here" is to be said; null: it need not be, or never can be. */
  confirm: OwnConfirmTime | null;
}

export interface OwnConfirmTime {
  opens_at: Date;
  closes_at: Date;
  isOpen: boolean;
}

type Settings = Pick<Config, 'release_enabled' | 'confirm_enabled' | 'grace_minutes'>;

/** What is offered of a claim of one's own, or of a part of a split one, by the server's own rules (R9.20, R9.25). */
function actionsOf(claim: ClaimOnRespawn, settings: Settings | undefined, now: Date, clock: ServerSaveClock): OwnActions {
  const { date, hour_start, split_part_number } = claim;
  if (date === null || claim.is_held || claim.is_secondary_claim || !settings) return { release: null, confirm: null };
  const { date: today, hour } = serverSaveTime(now, clock);
  const times = confirmTime({ date, hour_start }, settings.grace_minutes, clock);
  const isAsked = settings.confirm_enabled && claim.to_confirm.some((part) => part === (split_part_number ?? 1)) && !isNoShow(times, now);
  return {
    release: settings.release_enabled ? releaseOf(claim, date, { today, hour }) : null,
    confirm: isAsked ? { ...times, isOpen: now >= times.opens_at } : null,
  };
}

/** The same of any claim, by the clock that goes on meanwhile: whoever asks renders once a minute. */
export function useOwnActions(): (claim: ClaimOnRespawn) => OwnActions {
  const settings = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const clock = useServerSaveClock();
  useServerSaveTime();
  return (claim) => actionsOf(claim, settings, serverNow(), clock);
}

/** A wait of one of this browser's characters, and the character. */
export interface OwnWait {
  wait: Wait;
  profile: Profile;
}

/** The open waits of all characters of this browser, by what was asked for first; an offer whose time is over is none. */
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
