import { CONFIG_ID } from '../../shared/kinds.ts';
import { confirmTime, isNoShow } from '../../shared/rules/confirm.ts';
import { type Release, releaseOf } from '../../shared/rules/release.ts';
import { type ServerSaveClock, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { Config } from '../../shared/schemas/config.ts';
import { useBoard } from './board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from './clock.ts';

/** What the holder of a claim can do with it now. */
export interface OwnDeeds {
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
function deedsOf(claim: ClaimOnRespawn, settings: Settings | undefined, now: Date, clock: ServerSaveClock): OwnDeeds {
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
export function useDeeds(): (claim: ClaimOnRespawn) => OwnDeeds {
  const settings = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const clock = useServerSaveClock();
  useServerSaveTime();
  return (claim) => deedsOf(claim, settings, serverNow(), clock);
}
