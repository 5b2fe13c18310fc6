import { DomainError, type Json } from '../../shared/errors.ts';
import { isOnBoard } from '../../shared/rules/board.ts';
import type { UndoAnswer } from '../../shared/schemas/activity.ts';
import { claimsCame, putMoved, tallyOf } from '../claims/counts.ts';
import { readGuildNow } from '../claims/guild-now.ts';
import type { DatedClaim } from '../claims/queries.ts';
import { restoreClaims } from '../claims/restore.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import { putEvent } from '../events/changes.ts';
import { findEvent } from '../events/queries.ts';
import { restoreEvent } from '../events/restore.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { MANY_CHANGES } from '../live/many-changes.ts';
import type { Admin } from '../session/callers.ts';
import { findActivity } from './queries.ts';
import { recordActivity } from './record.ts';
import { undoRows } from './undo-rows.ts';

/**
 * Puts back what an entry's deletion took, all or nothing.
 * @throws DomainError activity.notFound, activity.nothingToUndo, activity.undoExpired, activity.alreadyUndone, activity.otherVersion; activity.goneMeanwhile,
 * event.claimsOutside, event.nameExists or activity.hoursTaken for what happened since
 */
export function undoActivity(ctx: Writing, admin: Admin, id: number): Promise<UndoAnswer> {
  return write(ctx, async (tx, changes) => {
    const entry = await tx
      .selectFrom('activity')
      .select(['action', 'details', 'undo', 'undone_at', 'undo_expired_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!entry) throw new DomainError('activity.notFound');
    if (entry.undone_at !== null) throw new DomainError('activity.alreadyUndone');
    if (entry.undo_expired_at !== null) throw new DomainError('activity.undoExpired');
    if (entry.undo === null) throw new DomainError('activity.nothingToUndo');
    const taken = undoRows.safeParse(JSON.parse(entry.undo));
    if (!taken.success) throw new DomainError('activity.otherVersion');
    const { event, claims: stored } = taken.data;
    if (event) await restoreEvent(tx, event);
    const claims = await restoreClaims(tx, stored);
    const moved = await claimsCame(tx, tallyOf(claims.map(({ claim }) => claim)));
    if (event ? claims.length > 0 : claims.length > MANY_CHANGES) changes.reset();
    else if (event) await putRestored(tx, changes, event.id);
    else {
      await putClaims(ctx, tx, changes, claims);
      putMoved(changes, moved);
    }
    // The rows are back in their tables: they are not kept twice.
    await tx.updateTable('activity').set({ undo: null, undone_at: ctx.now().toISOString() }).where('id', '=', id).execute();
    const record = await findActivity(tx, id);
    if (record) changes.put({ kind: 'activity', record });
    const { deleted_count: _, ...what }: Record<string, Json> = JSON.parse(entry.details);
    await recordActivity(ctx, tx, changes, admin, event ? 'event_restored' : 'claims_restored', {
      ...what,
      undid: id,
      undid_action: entry.action,
      restored_claims: claims.length,
    });
    return { restored_claims: claims.length };
  });
}

async function putRestored(tx: Tx, changes: ChangeRecorder, event_id: number): Promise<void> {
  const event = await findEvent(tx, event_id);
  if (event) putEvent(changes, event);
}

async function putClaims(ctx: Pick<Writing, 'env' | 'now'>, tx: Tx, changes: ChangeRecorder, claims: readonly DatedClaim[]): Promise<void> {
  const guild = await readGuildNow(ctx, tx);
  for (const { claim, last_date } of claims) if (isOnBoard(claim, last_date, guild)) changes.put({ kind: 'claim', record: claim });
}
