import { CONFIG_ID } from '../../shared/kinds.ts';
import type { HourRange } from '../../shared/rules/hours.ts';
import { instantOf, type ServerSaveClock, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { Config } from '../../shared/schemas/config.ts';
import { useBoard } from './board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from './clock.ts';

/** What the holder of a claim can do with it now. */
export interface OwnDeeds {
  /** Which hours would be given back, and which would stay; null: none can be. */
  release: { goes: HourRange; stays: HourRange | null } | null;
  /** When "I'm here" is to be said, in milliseconds, the end excluded; null: it need not be said, or never can be. */
  confirm: ConfirmTime | null;
}

export interface ConfirmTime {
  opens: number;
  ends: number;
  isOpen: boolean;
}

const MINUTE_MS = 60_000;
const OPENS_BEFORE = 15;

type Settings = Pick<Config, 'release_enabled' | 'confirm_enabled' | 'grace_minutes'>;

export function deedsOf(claim: ClaimOnRespawn, settings: Settings | undefined, now: Date, clock: ServerSaveClock): OwnDeeds {
  const none = { release: null, confirm: null };
  if (claim.date === null || claim.is_held || claim.is_secondary_claim || !settings) return none;
  const { date, hour } = serverSaveTime(now, clock);
  const { hour_start, hour_end } = claim;
  const first = claim.date > date ? hour_start : Math.max(hour_start, hour_start <= hour ? hour + 1 : hour_start);
  const release =
    settings.release_enabled && claim.date >= date && first < hour_end
      ? { goes: { hour_start: first, hour_end }, stays: first > hour_start ? { hour_start, hour_end: first } : null }
      : null;
  const starts = instantOf(claim.date, hour_start, clock).getTime();
  const [opens, ends] = [starts - OPENS_BEFORE * MINUTE_MS, starts + settings.grace_minutes * MINUTE_MS];
  const part = claim.split_part_number ?? 1;
  const isAsked = settings.confirm_enabled && claim.to_confirm.some((one) => one === part) && now.getTime() < ends;
  return { release, confirm: isAsked ? { opens, ends, isOpen: now.getTime() >= opens } : null };
}

/** The same of any claim, by the clock that goes on meanwhile: whoever asks renders once a minute. */
export function useDeeds(): (claim: ClaimOnRespawn) => OwnDeeds {
  const settings = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const clock = useServerSaveClock();
  useServerSaveTime();
  return (claim) => deedsOf(claim, settings, serverNow(), clock);
}
