import type { BulkAnswer, RespawnsDeed } from '../../../shared/schemas/bulk.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { keepUndo } from '../../activity/kept-undos.ts';
import { allUnchanged, manyOf } from '../../activity/many.ts';
import { recordActivity } from '../../activity/record.ts';
import type { Admin } from '../../auth/callers.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Reading, Tx } from '../../db/open.ts';
import { writeMany } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { countHours } from '../claims/occupancy.ts';
import { deleteRespawns, setRespawns } from './change-many.ts';
import { assertCategoryExists } from './operations.ts';
import { findRespawns } from './queries.ts';
import { changedRespawns } from './restore.ts';

/**
 * Does to many respawns what the single calls do to one, all or nothing. Those that are so already, or gone, stay as they are.
 * @throws DomainError category.notFound
 */
export async function changeRespawnsInBulk(
  ctx: Reading & Writing,
  admin: Admin,
  ids: readonly number[],
  deed: RespawnsDeed,
): Promise<BulkAnswer> {
  const rows = deed.do === 'delete' ? await countHours(ctx.db, 'respawn_id', ids) : ids.length;
  return writeMany(ctx, rows, async (tx, changes) => {
    if (deed.do === 'move' && deed.category_id !== null) await assertCategoryExists(tx, deed.category_id);
    const respawns = (await findRespawns(tx, { ids })).filter((respawn) => isConcerned(respawn, deed));
    if (respawns.length === 0) return allUnchanged(ids);
    const activity_id = await carryOut(ctx, tx, changes, admin, respawns, deed);
    return { changed: respawns.length, unchanged: ids.length - respawns.length, activity_id };
  });
}

function isConcerned({ is_enabled, category_id }: Respawn, deed: RespawnsDeed): boolean {
  if (deed.do === 'delete') return true;
  return deed.do === 'move' ? category_id !== deed.category_id : is_enabled !== (deed.do === 'enable' ? 1 : 0);
}

async function carryOut(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  admin: Admin,
  respawns: readonly Respawn[],
  deed: RespawnsDeed,
): Promise<number | null> {
  const told = manyOf(respawns.map(({ name }) => name));
  if (deed.do === 'delete') {
    const { undo, ...counted } = await deleteRespawns(ctx, tx, changes, admin, respawns);
    const activity_id = await recordActivity(ctx, tx, changes, admin, 'respawns_deleted', { ...told, ...counted }, undo);
    return undo && activity_id;
  }
  const set = deed.do === 'move' ? { category_id: deed.category_id } : { is_enabled: deed.do === 'enable' ? (1 as const) : (0 as const) };
  const ids = respawns.map(({ id }) => id);
  const undo = await keepUndo(ctx, tx, { records: await changedRespawns(tx, ids, set) });
  const [changed] = await setRespawns(tx, changes, respawns, set);
  if (deed.do === 'move') {
    const details = { ...told, category_name: changed?.category_name ?? null };
    return recordActivity(ctx, tx, changes, admin, 'respawns_moved', details, undo);
  }
  return recordActivity(ctx, tx, changes, admin, deed.do === 'enable' ? 'respawns_enabled' : 'respawns_disabled', told, undo);
}
