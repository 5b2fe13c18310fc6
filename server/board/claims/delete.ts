import { DomainError } from '../../../shared/errors.ts';
import { MAX_CLAIMS_TO_UNDO } from '../../../shared/schemas/activity.ts';
import type { BulkAnswer } from '../../../shared/schemas/bulk.ts';
import { keepUndo, type ToKeep } from '../../activity/undo-store.ts';
import { allUnchanged, countAndNames, type KeptUndo, logActivity } from '../../auth/activity-log.ts';
import type { ServerSaveSettings } from '../../db/clock/server-save-clock.ts';
import { inBatches, type Reader, readByIds, type Tx, yieldToEventLoop } from '../../db/database.ts';
import { MANY_CHANGES, type Writer, write, writeMany } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { activePeriod } from '../records/events.ts';
import { findRespawns } from '../records/respawns.ts';
import type { BulkWork } from './claim-events.ts';
import { type ClaimChange, loadDatedClaims } from './claim-records.ts';
import { type ClaimScope, idsInBatches, idsUpTo } from './claim-scopes.ts';
import { beginClaimWrite, type ClaimWrite, keepsUndo, manyClaimsChanged, type Why } from './claims-changed.ts';
import { countHours, freeWholeEvents, handOverDays, mayHaveTwins } from './occupancy.ts';
import { rowsOfClaims } from './restore.ts';

/** Claims one statement deletes at most, with their hours and days; the event loop waits for it. */
const CLAIMS_A_STATEMENT = 250;

/**
 * Deletes a claim, a split one with both parts (R4.12).
 * @throws DomainError claim.notFound
 */
export async function deleteClaim(ctx: Writer & ServerSaveSettings, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const { count } = await deleteClaims(await beginClaimWrite(ctx, tx, changes, admin), { of: 'ids', ids: [id] }, { cause: 'deleted' });
    if (count === 0) throw new DomainError('claim.notFound');
  });
}

/** Deletes many claims with one activity entry and one undo, split ones with both parts (R4.12). Unknown ids are skipped. */
export async function deleteClaimsInBulk(
  ctx: Reader & Writer & ServerSaveSettings,
  admin: Admin,
  ids: readonly number[],
): Promise<BulkAnswer> {
  return writeMany(ctx, await countHours(ctx.db, 'claim_id', ids), async (tx, changes) => {
    const found = await readByIds(ids, (some) =>
      tx.selectFrom('claims').select(['id', 'character_name']).where('id', 'in', some).orderBy('id').execute(),
    );
    if (found.length === 0) return allUnchanged(ids);
    const unit = await beginClaimWrite(ctx, tx, changes, admin);
    const bulk = { action: 'claims_deleted', event: null, respawn: null } as const;
    const { undo } = await deleteClaims(unit, { of: 'ids', ids: found.map(({ id }) => id) }, { cause: 'deleted_in_bulk', bulk });
    const details = countAndNames(found.map(({ character_name }) => character_name));
    const activity_id = await logActivity(changes, admin, 'claims_deleted', details, undo);
    return { changed: found.length, unchanged: ids.length - found.length, activity_id: undo && activity_id };
  });
}

/**
 * Deletes the claims that the claims tab shows of a spot: those of the active event, without one all of them. One undo restores all.
 * @returns how many claims were deleted; a split one with both parts on the spot counts once
 * @throws DomainError respawn.notFound
 */
export async function clearRespawn(
  ctx: Reader & Writer & ServerSaveSettings,
  admin: Admin,
  respawn_id: number,
): Promise<{ deletedCount: number }> {
  return writeMany(ctx, await countHours(ctx.db, 'respawn_id', [respawn_id]), async (tx, changes) => {
    const [respawn] = await findRespawns(tx, { ids: [respawn_id] });
    if (!respawn) throw new DomainError('respawn.notFound');
    const event = await activePeriod(tx);
    const scope: ClaimScope = { of: 'respawn', respawn_id, ...(event ? { event_id: event.id } : {}) };
    const bulk = { action: 'claims_cleared', event: null, respawn: { id: respawn_id, name: respawn.name } } as const;
    const unit = await beginClaimWrite(ctx, tx, changes, admin);
    const { count, undo } = await deleteClaims(unit, scope, { cause: 'cleared', bulk });
    const details = { respawn_id, respawn_name: respawn.name, event_id: event?.id ?? null, deleted_count: count };
    await logActivity(changes, admin, 'claims_cleared', { ...details, ...beyondUndo(count) }, undo);
    return { deletedCount: count };
  });
}

/** What the entry of a deletion says if it deleted too many claims to be undone. */
export const beyondUndo = (count: number): { beyond_undo?: true } => (count > MAX_CLAIMS_TO_UNDO ? { beyond_undo: true } : {});

/** Why claims are deleted, and what their undo restores besides them. */
type Deletion = (
  | { cause: Exclude<Why, { bulk: BulkWork | null } | { wait_ids: unknown }>['cause'] }
  | { cause: Extract<Why, { bulk: BulkWork | null }>['cause']; bulk: BulkWork }
) &
  Pick<ToKeep, 'event' | 'records'>;

interface Deleted {
  count: number;
  /** Restores them; null: no undo is kept, there is nothing to restore or too much. */
  undo: KeptUndo | null;
}

/** Deletes the claims of a scope, with everything that follows (`claimsChanged`). There is no other way to delete claims. */
export async function deleteClaims(unit: ClaimWrite, scope: ClaimScope, deletion: Deletion): Promise<Deleted> {
  const { cause, event = null, records = [] } = deletion;
  const ids = await idsUpTo(unit.tx, scope, keepsUndo(cause) ? MAX_CLAIMS_TO_UNDO : MANY_CHANGES);
  const undo = keepsUndo(cause) && ids ? await keepUndoOf(unit, ids, { event, records }) : null;
  if (ids?.length === 0) return { count: 0, undo };
  const count = await manyClaimsChanged(unit, deleteRows(unit.tx, ids ? [ids] : idsInBatches(unit.tx, scope)), whyOf(deletion, undo, ids));
  return { count, undo };
}

function whyOf(deletion: Deletion, undo: KeptUndo | null, ids: readonly number[] | null): Why {
  if (deletion.cause === 'deleted') return { cause: 'deleted', undo };
  return 'bulk' in deletion ? { cause: deletion.cause, bulk: ids?.length === 1 ? null : deletion.bulk } : { cause: deletion.cause };
}

async function keepUndoOf(
  { ctx, tx }: ClaimWrite,
  ids: readonly number[],
  rest: Pick<ToKeep, 'event' | 'records'>,
): Promise<KeptUndo | null> {
  const held = await readByIds(ids, (some) =>
    tx.selectFrom('claims').select('id').where('id', 'in', some).where('held_until', 'is not', null).execute(),
  );
  const claimed = held.length === 0 ? ids : [...new Set(ids).difference(new Set(held.map(({ id }) => id)))];
  if (claimed.length === 0 && !rest.event && rest.records?.length === 0) return null;
  return keepUndo(ctx, tx, { ...rest, claims: rowsOfClaims(tx, claimed) });
}

/** @param ids each once, batch by batch */
async function* deleteRows(
  tx: Tx,
  ids: Iterable<readonly number[]> | AsyncIterable<readonly number[]>,
): AsyncGenerator<ClaimChange[], void> {
  const hasTwins = await mayHaveTwins(tx);
  for await (const some of ids) {
    for (const batch of inBatches(some, CLAIMS_A_STATEMENT)) {
      const claims = await loadDatedClaims(tx, { of: 'ids', ids: batch });
      if (hasTwins) await handOverDays(tx, tx.selectFrom('claims').select('id').where('id', 'in', batch));
      // Leaves at most one day's hours of each claim to the deletion of its row.
      await freeWholeEvents(tx, batch);
      await tx.deleteFrom('claims').where('id', 'in', batch).execute();
      yield claims.map((before) => ({ before, after: null }));
      await yieldToEventLoop();
    }
  }
}
