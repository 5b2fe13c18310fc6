import { sql } from 'kysely';
import { nameKey } from '../../../shared/rules/names.ts';
import type { EndingReason } from '../../../shared/schemas/ending.ts';
import { type Actor, nameOf } from '../../auth/activity-log.ts';
import { type ServerSaveSettings, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import { among, inBatches, type Tx } from '../../db/database.ts';
import { type ClaimChange, hoursLost } from './claim-records.ts';

/** Rows a statement inserts at most: SQLite binds 32,766 values, twenty a row. */
const ROWS_A_STATEMENT = 500;

interface Recording {
  ctx: ServerSaveSettings;
  tx: Tx;
  actor: Actor;
}

/**
 * Records why hours of claims ended: those of each part that is gone, and those that a claim no longer covers.
 * @param places the spots that the claims covered; their names are kept, as the spots may be deleted
 */
export async function recordEnds(
  { ctx, tx, actor }: Recording,
  claims: readonly ClaimChange[],
  places: ReadonlyMap<number, { name: string } | undefined>,
  reason: EndingReason,
): Promise<void> {
  const { date: ended_date, hour: ended_hour } = serverSaveNow(ctx);
  const end = { ended_at: ctx.now().toISOString(), ended_date, ended_hour, reason, ended_by: nameOf(actor) };
  const rows = claims.flatMap(({ before, after }) => {
    if (!before) return [];
    const { claim, first_date, last_date } = before;
    const { id: claim_id, character_name, member_type, is_secondary_claim, event_id, date, created_at: made_at } = claim;
    const said = { claim_id, character_name, character_key: nameKey(character_name), member_type, is_secondary_claim, event_id };
    return hoursLost(before, after).map(({ respawn_id, ...hours }) => {
      const respawn_name = places.get(respawn_id)?.name ?? '';
      return { ...said, date, made_at, first_date, last_date, respawn_id, respawn_name, ...hours, ...end };
    });
  });
  for (const some of inBatches(rows, ROWS_A_STATEMENT)) await tx.insertInto('claim_endings').values(some).execute();
}

/** Ends of a whole claim that the activity log can undo. */
const UNDOABLE: readonly EndingReason[] = ['admin', 'cleared', 'event', 'respawn'];

/** Hidden from the index of reasons: with few reasons and many claims, SQLite would read every row with one of these reasons. */
const REASON = sql<EndingReason>`reason || ''`;

/** Forgets that deleted claims ended, once they are restored. Hours that they lost before stay recorded. */
export async function forgetEnds(tx: Tx, claim_ids: readonly number[]): Promise<void> {
  for (const ids of inBatches(claim_ids, ROWS_A_STATEMENT)) {
    await tx.deleteFrom('claim_endings').where('claim_id', 'in', ids).where(among('claim_id', ids)).where(REASON, 'in', UNDOABLE).execute();
  }
}
