import { DomainError } from '../../shared/errors.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import { recordActivity } from '../activity/record.ts';
import type { UndoRows } from '../activity/undo-rows.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/open.ts';
import { type ChangeRecorder, write } from '../db/write.ts';
import { activePeriod } from '../events/queries.ts';
import type { Admin } from '../http/credentials.ts';
import { findRespawns } from '../respawns/queries.ts';
import { recordClaims } from './changes.ts';
import { idsOnBoard, loadClaims } from './queries.ts';
import { rowsOfClaims } from './restore.ts';

/**
 * Deletes a claim, a split one with both parts (R4.12).
 * @throws DomainError claim.notFound
 */
export async function deleteClaim(ctx: Context, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const claims = await loadClaims(tx, { of: 'ids', ids: [id] });
    if (claims.length === 0) throw new DomainError('claim.notFound');
    const undo = await undoOf(tx, claims);
    await deleteLoaded(ctx, tx, changes, claims);
    await recordClaims(ctx, tx, changes, admin, 'claim_deleted', claims, {}, undo);
  });
}

/**
 * Deletes what the claims tab shows of a respawn: its claims of the active event, without one all of them.
 * @returns how many claims went; a split one with both parts here counts once
 * @throws DomainError respawn.notFound
 */
export function clearRespawn(ctx: Context, admin: Admin, respawn_id: number): Promise<{ deletedCount: number }> {
  return write(ctx, async (tx, changes) => {
    const [respawn] = await findRespawns(tx, { ids: [respawn_id] });
    if (!respawn) throw new DomainError('respawn.notFound');
    const event = await activePeriod(tx);
    const there = await loadClaims(tx, { of: 'respawn', respawn_id });
    const claims = event ? there.filter((claim) => claim.event_id === event.id) : there;
    const undo = await undoOf(tx, claims);
    await deleteLoaded(ctx, tx, changes, claims);
    // One deed, one undo: it puts all of them back. Theirs would leave an admin with a part of what was cleared.
    await recordClaims(ctx, tx, changes, admin, 'claim_deleted', claims, { cleared: true });
    const details = { respawn_id, respawn_name: respawn.name, event_id: event?.id ?? null, deleted_count: claims.length };
    await recordActivity(ctx, tx, changes, admin, 'claims_cleared', details, undo);
    return { deletedCount: claims.length };
  });
}

const idsOf = (claims: readonly Claim[]): number[] => claims.map((claim) => claim.id);

/** What puts claims back that are about to be deleted; null when there is none to put back. */
async function undoOf(tx: Tx, claims: readonly Claim[]): Promise<UndoRows | null> {
  return claims.length > 0 ? { event: null, claims: await rowsOfClaims(tx, idsOf(claims)) } : null;
}

/** Deletes claims and takes them off the board. */
export async function deleteLoaded(ctx: Context, tx: Tx, changes: ChangeRecorder, claims: readonly Claim[]): Promise<void> {
  const ids = idsOf(claims);
  if (ids.length === 0) return;
  const onBoard = await idsOnBoard(ctx, tx, ids);
  await tx.deleteFrom('claims').where('id', 'in', ids).execute();
  for (const id of onBoard) changes.remove('claim', id);
}
