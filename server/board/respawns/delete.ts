import { recordActivity } from '../../activity/record.ts';
import type { Admin } from '../../auth/callers.ts';
import type { Reading } from '../../db/open.ts';
import { writeMany } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { countHours } from '../claims/occupancy.ts';
import { deleteRespawns } from './change-many.ts';
import { existingRespawn } from './operations.ts';

/**
 * Deletes a respawn with all the claims it ever had, in whatever event; split ones go whole (R4.12).
 * @throws DomainError respawn.notFound
 */
export async function deleteRespawn(ctx: Reading & Writing, admin: Admin, id: number): Promise<void> {
  await writeMany(ctx, await countHours(ctx.db, 'respawn_id', [id]), async (tx, changes) => {
    const respawn = await existingRespawn(tx, id);
    const { undo, ...counted } = await deleteRespawns(ctx, tx, changes, admin, [respawn]);
    await recordActivity(ctx, tx, changes, admin, 'respawn_deleted', { respawn_id: id, name: respawn.name, ...counted }, undo);
  });
}
