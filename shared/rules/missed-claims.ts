import { DomainError } from '../errors.ts';
import type { MissedClaim } from '../schemas/missed-claim.ts';
import type { SettingValues } from '../settings.ts';

/** The guild's settings of the rule. */
export type MissedRules = Pick<
  SettingValues,
  'confirm_enabled' | 'no_show_limit' | 'no_show_days' | 'no_show_pause_days'
>;

/** Why a character can't claim for some days. */
export interface MissedPause {
  /** Its missed claims within so many days. */
  count: number;
  days: number;
  until: string;
}

const DAY_MS = 86_400_000;

export const countsMissed = ({ confirm_enabled, no_show_limit }: MissedRules): boolean =>
  confirm_enabled === 1 && no_show_limit > 0;

/** No-shows from before this moment have no effect any more. */
export const missedSince = (rules: MissedRules, now: Date): Date =>
  new Date(now.getTime() - (rules.no_show_days + rules.no_show_pause_days) * DAY_MS);

/** When each missed claim was recorded, in order. The parts of a split claim count once a date. */
function recordedTimes(missed: readonly MissedClaim[]): number[] {
  const byClaim = new Map<string, number>();
  for (const { claim_id, date, ended_at } of missed) {
    const at = Date.parse(ended_at);
    const claim = `${claim_id} ${date}`;
    byClaim.set(claim, Math.max(at, byClaim.get(claim) ?? at));
  }
  return [...byClaim.values()].sort((one, other) => one - other);
}

/** The missed claims that count now, towards the limit of R9.29. */
export function countMissed(
  missed: readonly MissedClaim[],
  { no_show_days: days }: MissedRules,
  now: Date,
): number {
  return recordedTimes(missed).filter((at) => at > now.getTime() - days * DAY_MS).length;
}

/**
 * R9.29: the pause of a character that missed too many claims; null: it may claim. A pause lasts to its end, even if some of its
 * no-shows are older than `no_show_days` by then.
 */
export function missedPause(
  missed: readonly MissedClaim[],
  rules: MissedRules,
  now: Date,
): MissedPause | null {
  if (!countsMissed(rules)) return null;
  const { no_show_limit: limit, no_show_days: days, no_show_pause_days: pause_days } = rules;
  const times = recordedTimes(missed);
  let pause: MissedPause | null = null;
  for (const [nth, latest] of times.entries()) {
    const until = latest + pause_days * DAY_MS;
    const within = times.slice(0, nth + 1).filter((at) => at > latest - days * DAY_MS);
    if (within.length >= limit && until > now.getTime())
      pause = { count: within.length, days, until: new Date(until).toISOString() };
  }
  return pause;
}

/** @throws DomainError claim.missedTooMany */
export function assertNotPaused(pause: MissedPause | null): void {
  if (pause) throw new DomainError('claim.missedTooMany', { ...pause });
}
