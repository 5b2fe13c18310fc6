import type { Respawn } from '../../../shared/schemas/respawn.ts';
import type { KeptUndo } from '../../activity/kept-undos.ts';
import type { Admin } from '../../auth/callers.ts';
import { inTurns } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { endedNow } from '../claim-history/record-endings.ts';
import { beyondUndo, deleteClaimsIn } from '../claims/delete.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { endWaits } from '../waitlist/end.ts';
import { openWaitsAt } from '../waitlist/stored.ts';
import { putRespawns } from './changes.ts';
import { dropUnusedPictures } from './pictures.ts';
import { findRespawns } from './queries.ts';
import { deletedRespawns } from './restore.ts';

/*
 * What is done to respawns, one or many, in the write of whoever does it: everything that it owes but the log's entry.
 * Each respawn is given as it was found in that write.
 */

/** Enables or disables respawns, or puts them into a category that there is. */
export async function setRespawns(
  tx: Tx,
  changes: ChangeRecorder,
  before: readonly Respawn[],
  set: Pick<Respawn, 'is_enabled'> | Pick<Respawn, 'category_id'>,
): Promise<Respawn[]> {
  const ids = before.map(({ id }) => id);
  await inTurns(ids, (some) => tx.updateTable('respawns').set(set).where('id', 'in', some).execute());
  return showChanged(tx, changes, before);
}

/** Shows respawns as they are now; whoever waits there is served, or waits for nothing any more, where it opened or closed. */
export async function showChanged(tx: Tx, changes: ChangeRecorder, before: readonly Respawn[]): Promise<Respawn[]> {
  const after = await findRespawns(tx, { ids: before.map(({ id }) => id) });
  const were = new Map(before.map(({ id, is_enabled }) => [id, is_enabled]));
  for (const { id, is_enabled } of after) if (is_enabled !== were.get(id)) changes.collect(affectedWaitlists).spot(id);
  putRespawns(changes, after);
  return after;
}

/**
 * Deletes respawns with all the claims they ever had, in whatever event; split ones go whole (R4.12).
 * @returns how many claims, and what puts all of it back: nothing where those are too many
 */
export async function deleteRespawns(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  admin: Admin,
  respawns: readonly Respawn[],
): Promise<{ claim_count: number; beyond_undo?: true; undo: KeptUndo | null }> {
  const ids = respawns.map(({ id }) => id);
  const [first] = respawns;
  const respawn = first && respawns.length === 1 ? { id: first.id, name: first.name } : null;
  const how = {
    keep: true,
    records: await deletedRespawns(tx, ids),
    ended: endedNow(ctx, 'respawn', admin),
    bulk: { action: 'respawns_deleted', event: null, respawn } as const,
  };
  const { count: claim_count, undo } = await deleteClaimsIn(ctx, tx, changes, { of: 'respawns', respawns }, how);
  // Whoever waits there, while the entries can still say where.
  await endWaits(ctx, tx, changes, { role: 'server' }, await openWaitsAt(tx, ids), 'void');
  await inTurns(ids, (some) => tx.deleteFrom('respawns').where('id', 'in', some).execute());
  for (const id of ids) changes.collect(affectedWaitlists).spot(id);
  await dropUnusedPictures(tx, new Set(respawns.map(({ image }) => image)));
  if (ids.length > MANY_CHANGES) changes.reset();
  else for (const id of ids) changes.remove('respawn', id);
  return { claim_count, undo, ...beyondUndo(claim_count) };
}
