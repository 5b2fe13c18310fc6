import { recordActivity } from '../activity/record.ts';
import { putCounts } from '../claims/changes.ts';
import { deleteLoaded } from '../claims/delete.ts';
import { loadClaims } from '../claims/queries.ts';
import type { Context } from '../context.ts';
import { write } from '../db/write.ts';
import type { Admin } from '../http/credentials.ts';
import { existingRespawn } from './operations.ts';
import { dropUnusedPicture } from './pictures.ts';

/**
 * Deletes a respawn with all the claims it ever had, in whatever event; split ones go whole (R4.12).
 * @throws DomainError respawn.notFound
 */
export async function deleteRespawn(ctx: Context, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const { name, image } = await existingRespawn(tx, id);
    const claims = await loadClaims(tx, { of: 'respawn', respawn_id: id });
    await deleteLoaded(ctx, tx, changes, claims);
    await tx.deleteFrom('respawns').where('id', '=', id).execute();
    await dropUnusedPicture(tx, image);
    changes.remove('respawn', id);
    // Of the events, and of the respawns on which the other parts of split claims stood.
    await putCounts(tx, changes, claims);
    await recordActivity(ctx, tx, changes, admin, 'respawn_deleted', { respawn_id: id, name, claim_count: claims.length });
  });
}
