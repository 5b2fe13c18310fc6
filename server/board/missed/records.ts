import { sql } from 'kysely';
import type { EndingReason } from '../../../shared/schemas/ending.ts';
import type { MissedClaim } from '../../../shared/schemas/missed-claim.ts';
import { SETTINGS } from '../../../shared/settings.ts';
import { inBatches, type Reading, type ReadMissed } from '../../db/database.ts';
import { daysBefore } from '../../jobs/job-kind.ts';

/** Hidden from the index of reasons: for several characters SQLite would read every no-show of the history. */
const REASON = sql<EndingReason>`reason || ''`;

/** R9.29: no-shows count unless an admin excused them. */
export const readMissed: ReadMissed = async (db, { character_keys, since }) => {
  const found = new Map<string, MissedClaim[]>();
  for (const some of inBatches(new Set(character_keys))) {
    const rows = await db
      .selectFrom('claim_endings')
      .select(['character_key', 'claim_id', 'first_date as date', 'ended_at'])
      .where('character_key', 'in', some)
      .where('ended_at', '>=', since.toISOString())
      .where(REASON, '=', 'no_show')
      .where('excused_by', 'is', null)
      .where('is_secondary_claim', '=', 0)
      .orderBy('id')
      .execute();
    for (const { character_key, ...missed } of rows)
      found.set(character_key, [...(found.get(character_key) ?? []), missed]);
  }
  return found;
};

/** A no-show older than this has no effect under any setting. */
const MAX_DAYS = SETTINGS.no_show_days.max + SETTINGS.no_show_pause_days.max;

/** A member's own. */
export async function missedOf(
  ctx: Reading,
  character_key: string,
): Promise<readonly MissedClaim[]> {
  const since = new Date(daysBefore(ctx.now(), MAX_DAYS));
  const missed = await readMissed(ctx.db, { character_keys: [character_key], since });
  return missed.get(character_key) ?? [];
}
