import { recordActivity } from '../activity/record.ts';
import { deleteClaimsIn } from '../claims/delete.ts';
import { endedNow } from '../claims/endings.ts';
import type { Reading } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { writeMany } from '../db/write.ts';
import type { Admin } from '../session/callers.ts';
import { endWaits } from '../waits/end.ts';
import { openWaitsAt } from '../waits/stored.ts';
import { existingRespawn } from './operations.ts';
import { dropUnusedPicture } from './pictures.ts';

/**
 * Deletes a respawn with all the claims it ever had, in whatever event; split ones go whole (R4.12).
 * @throws DomainError respawn.notFound
 */
export async function deleteRespawn(ctx: Reading & Writing, admin: Admin, id: number): Promise<void> {
  const { total_claims } = await existingRespawn(ctx.db, id);
  await writeMany(ctx, total_claims, async (tx, changes) => {
    const { name, image } = await existingRespawn(tx, id);
    const { count } = await deleteClaimsIn(
      ctx,
      tx,
      changes,
      { of: 'respawn', respawn_id: id },
      {
        keep: false,
        ended: endedNow(ctx, 'respawn', admin),
      },
    );
    // Whoever waits there, while the entries can still say where.
    await endWaits(ctx, tx, changes, { role: 'server' }, await openWaitsAt(tx, id), 'void');
    await tx.deleteFrom('respawns').where('id', '=', id).execute();
    changes.touched.spot(id);
    await dropUnusedPicture(tx, image);
    changes.remove('respawn', id);
    await recordActivity(ctx, tx, changes, admin, 'respawn_deleted', { respawn_id: id, name, claim_count: count });
  });
}
