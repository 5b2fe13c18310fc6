import type { BulkAnswer } from '../../../shared/schemas/bulk.ts';
import { allUnchanged, manyOf } from '../../activity/many.ts';
import { recordActivity } from '../../activity/record.ts';
import type { Admin } from '../../auth/callers.ts';
import { byIds } from '../../db/batches.ts';
import type { Reading } from '../../db/open.ts';
import { writeMany } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { deleteClaimsIn } from './delete.ts';
import { endedNow } from './endings.ts';
import { countHours } from './occupied-rows.ts';

/** Deletes many claims as one deed, split ones with both parts (R4.12); those that are gone already stay gone. */
export async function deleteClaimsInBulk(ctx: Reading & Writing, admin: Admin, ids: readonly number[]): Promise<BulkAnswer> {
  return writeMany(ctx, await countHours(ctx.db, 'claim_id', ids), async (tx, changes) => {
    const found = await byIds(ids, (some) =>
      tx.selectFrom('claims').select(['id', 'character_name']).where('id', 'in', some).orderBy('id').execute(),
    );
    if (found.length === 0) return allUnchanged(ids);
    const scope = { of: 'ids', ids: found.map(({ id }) => id) } as const;
    const { undo } = await deleteClaimsIn(ctx, tx, changes, scope, {
      keep: true,
      ended: endedNow(ctx, 'admin', admin),
      bulk: { action: 'claims_deleted', event: null, respawn: null },
    });
    const told = manyOf(found.map(({ character_name }) => character_name));
    const activity_id = await recordActivity(ctx, tx, changes, admin, 'claims_deleted', told, undo);
    return { changed: found.length, unchanged: ids.length - found.length, activity_id: undo && activity_id };
  });
}
