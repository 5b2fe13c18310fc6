import { DomainError } from '../../shared/errors.ts';
import { isOnBoard } from '../../shared/rules/board.ts';
import { MAX_CLAIMS_TO_UNDO } from '../../shared/schemas/activity.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import { recordActivity } from '../activity/record.ts';
import type { UndoRows } from '../activity/undo-rows.ts';
import { breathe, inBatches } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import { activePeriod } from '../events/queries.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { MANY_CHANGES } from '../live/many-changes.ts';
import { findRespawns } from '../respawns/queries.ts';
import type { Admin } from '../session/callers.ts';
import { recordClaims } from './changes.ts';
import { claimsWent, putMoved, tallyIn, tallyOf } from './counts.ts';
import { readGuildNow } from './guild-now.ts';
import { handOverDays } from './hand-over-days.ts';
import { type ClaimScope, claimRows, countIn, idsIn, loadDatedClaims } from './queries.ts';
import { rowsOfClaims } from './restore.ts';

/**
 * Deletes a claim, a split one with both parts (R4.12).
 * @throws DomainError claim.notFound
 */
export async function deleteClaim(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const scope: ClaimScope = { of: 'ids', ids: [id] };
    const undo = await undoOf(tx, scope);
    const { count, few } = await deleteClaimsIn(ctx, tx, changes, scope);
    if (count === 0) throw new DomainError('claim.notFound');
    await recordClaims(ctx, tx, changes, admin, 'claim_deleted', few, await claimRows(tx, few), { undo });
  });
}

/**
 * Deletes what the claims tab shows of a respawn: its claims of the active event, without one all of them.
 * @returns how many claims went; a split one with both parts here counts once
 * @throws DomainError respawn.notFound
 */
export function clearRespawn(ctx: Writing, admin: Admin, respawn_id: number): Promise<{ deletedCount: number }> {
  return write(ctx, async (tx, changes) => {
    const [respawn] = await findRespawns(tx, { ids: [respawn_id] });
    if (!respawn) throw new DomainError('respawn.notFound');
    const event = await activePeriod(tx);
    const scope: ClaimScope = { of: 'respawn', respawn_id, ...(event ? { event_id: event.id } : {}) };
    const undo = await undoOf(tx, scope);
    const { count, few } = await deleteClaimsIn(ctx, tx, changes, scope);
    // One deed, one undo: it puts all of them back. Theirs would leave an admin with a part of what was cleared.
    await recordClaims(ctx, tx, changes, admin, 'claim_deleted', few, await claimRows(tx, few), { more: { cleared: true } });
    const details = { respawn_id, respawn_name: respawn.name, event_id: event?.id ?? null, deleted_count: count };
    await recordActivity(ctx, tx, changes, admin, 'claims_cleared', { ...details, ...beyondUndo(count) }, undo);
    return { deletedCount: count };
  });
}

/** What puts claims back that are about to be deleted; null when there is none to put back, or too many. */
async function undoOf(tx: Tx, scope: ClaimScope): Promise<UndoRows | null> {
  const claims = await rowsOfClaims(tx, scope);
  return claims && claims.length > 0 ? { event: null, claims } : null;
}

/** What the entry of a deletion says where nothing of it can be restored. */
export const beyondUndo = (count: number): { beyond_undo?: true } => (count > MAX_CLAIMS_TO_UNDO ? { beyond_undo: true } : {});

/** Claims a statement deletes at most, with all that they occupy: until it is done nothing else of this server goes on. */
const CLAIMS_A_STATEMENT = 250;
/** Claims that are looked up at once, to be deleted some at a time. */
const LOOKED_UP = 10_000;

/** Deletes the rows of a scope's claims, and nothing that is owed for it; their days go to whoever else stands on them. */
export async function deleteRows(tx: Tx, scope: ClaimScope): Promise<void> {
  for (;;) {
    const found = await idsIn(tx, scope).orderBy('claims.id').limit(LOOKED_UP).execute();
    for (const batch of inBatches(found, CLAIMS_A_STATEMENT)) {
      const ids = batch.map(({ id }) => id);
      await handOverDays(tx, tx.selectFrom('claims').select('id').where('id', 'in', ids));
      await tx.deleteFrom('claims').where('id', 'in', ids).execute();
      await breathe();
    }
    if (found.length < LOOKED_UP) return;
  }
}

/**
 * Deletes the claims of a scope and takes them off the board, a few by naming each. Of many one hears by loading the
 * board anew, which shows the counts that they moved, too; the log has the deed alone.
 * @returns how many went; `few`: they, whose entries the caller owes, and none where they were many
 */
export async function deleteClaimsIn(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  scope: ClaimScope,
): Promise<{ count: number; few: Claim[] }> {
  const count = await countIn(tx, scope);
  if (count > MANY_CHANGES) {
    const tally = await tallyIn(tx, scope);
    await deleteRows(tx, scope);
    await claimsWent(tx, tally);
    changes.reset();
    return { count, few: [] };
  }
  if (count === 0) return { count, few: [] };
  const dated = await loadDatedClaims(tx, scope);
  const few = dated.map(({ claim }) => claim);
  await deleteRows(tx, { of: 'ids', ids: few.map((claim) => claim.id) });
  const guild = await readGuildNow(ctx, tx);
  for (const { claim, last_date } of dated) if (isOnBoard(claim, last_date, guild)) changes.remove('claim', claim.id);
  putMoved(changes, await claimsWent(tx, tallyOf(few)));
  return { count, few };
}
