import {
  countsMissed,
  type MissedPause,
  type MissedRules,
  missedPause,
  missedSince,
} from '../../shared/rules/missed-claims.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Db, Reading, Tx } from '../db/database.ts';

interface Characters {
  character_keys: readonly string[];
  rules: MissedRules;
}

/** The characters that missed too many claims to make one (R9.29), by their keys. */
export async function pausesAmong(
  ctx: Reading,
  db: Db | Tx,
  { character_keys, rules }: Characters,
): Promise<ReadonlyMap<string, MissedPause>> {
  const pauses = new Map<string, MissedPause>();
  if (!countsMissed(rules) || character_keys.length === 0) return pauses;
  const now = ctx.now();
  const since = missedSince(rules, now);
  for (const [key, missed] of await ctx.readMissed(db, { character_keys, since })) {
    const pause = missedPause(missed, rules, now);
    if (pause) pauses.set(key, pause);
  }
  return pauses;
}

/** @returns null: the character may claim */
export async function pauseOf(
  ctx: Reading,
  db: Db | Tx,
  { character_name, rules }: { character_name: string; rules: MissedRules },
): Promise<MissedPause | null> {
  const key = nameKey(character_name);
  return (await pausesAmong(ctx, db, { character_keys: [key], rules })).get(key) ?? null;
}
