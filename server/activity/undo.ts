import { type ActivityAction, isActivityAction } from '../../shared/activity-actions.ts';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { UndoAnswer } from '../../shared/schemas/activity.ts';
import { knownDetails, restored } from '../../shared/schemas/activity-details.ts';
import { logActivity } from '../auth/activity-log.ts';
import type { Admin } from '../auth/callers.ts';
import { authorizeAgain } from '../auth/may.ts';
import { readGuildNow, showClaims } from '../board/claims/board-view.ts';
import { notifyClaimants, tellBulk, tellCreated } from '../board/claims/claim-events.ts';
import type { DatedClaim } from '../board/claims/claim-records.ts';
import { claimsCame, putMoved } from '../board/claims/claims-changed.ts';
import { occupiedRows, rowsOfEvent } from '../board/claims/occupancy.ts';
import { restoreClaims } from '../board/claims/restore.ts';
import { isJudgedNow } from '../board/claims/store-claims.ts';
import { restoreEvent } from '../board/events/events.ts';
import { findEvent, putEvent } from '../board/records/events.ts';
import { affectedWaitlists } from '../board/waitlist/affected-waitlists.ts';
import type { ChangeRecorder } from '../db/change-set.ts';
import type { Db, Reading, Tx } from '../db/open.ts';
import { writeMany } from '../db/unit-of-work.ts';
import { deadlineChanges } from '../jobs/deadlines.ts';
import type { Writing } from '../jobs/writing.ts';
import { findEntries } from './log.ts';
import { restoreRecords } from './restore-records.ts';
import { dropUndos, type FoundUndo, findUndo, piecesOf, recordsOf } from './undo-store.ts';

/**
 * Puts back what an entry's deed took or changed, all or nothing.
 * @throws DomainError session.notAllowed where that is more than claims and the admin's role may do no more than those;
 * activity.notFound, activity.nothingToUndo, activity.undoExpired, activity.alreadyUndone, activity.otherVersion,
 * activity.undoIncomplete; activity.goneMeanwhile, event.claimsOutside, event.nameExists, activity.hoursTaken or hold.taken for what
 * happened since, or what `restoreRecords` refuses
 */
export async function undoActivity(ctx: Reading & Writing, admin: Admin, id: number): Promise<UndoAnswer> {
  return writeMany(ctx, await rowsToRestore(ctx.db, id), async (tx, changes) => {
    const { action, details, undo } = await undoOf(tx, id);
    const { event } = undo;
    if (event || undo.records > 0) await authorizeAgain(tx, admin, 'guild', ctx.now());
    if (event) await restoreEvent(tx, event);
    const isBulk = undo.claims > 1;
    const records = await restoreRecords(ctx, tx, changes, await recordsOf(tx, undo));
    const guild = await readGuildNow(ctx, tx);
    const { count, few, ...tally } = await restoreClaims(tx, piecesOf(tx, undo), isJudgedNow(ctx, guild), async (claims) => {
      if (!isBulk) await tellCreated(tx, changes, claims, admin.username);
      await notifyClaimants(tx, changes, 'claim.restored', claims);
    });
    const restoredEvent = event && { id: event.id, name: event.name };
    const work = { action: 'claims_restored', event: restoredEvent, respawn: null } as const;
    if (isBulk) tellBulk(changes, work, admin.username, { created: count });
    if (guild.confirm_enabled) changes.collect(deadlineChanges).moved = true;
    const moved = await claimsCame(tx, tally);
    // Whoever claimed that date waits on it no longer.
    if (few) for (const { claim } of few) changes.collect(affectedWaitlists).character(nameKey(claim.character_name));
    else changes.collect(affectedWaitlists).all();
    if (event ? count > 0 : !few) changes.reset();
    else if (event) await putRestored(tx, changes, event.id);
    else {
      await putClaims(ctx, tx, changes, few ?? []);
      putMoved(changes, moved);
    }
    await records.show();
    // The rows are back in their tables: they are not kept twice.
    await dropUndos(tx, [undo.id]);
    await tx.updateTable('activity').set({ undone_at: ctx.now().toISOString() }).where('id', '=', id).execute();
    const [record] = await findEntries(tx, [id]);
    if (record) changes.put({ kind: 'activity', record });
    const undoing = { undid: id, undid_action: action, restored_claims: count };
    const by = restoredBy(action);
    const told = restored[by].parse(knownDetails(action, JSON.parse(details)));
    await logActivity(changes, admin, by, { ...told, ...undoing });
    return { restored_claims: count };
  });
}

/** Roughly how many rows the claims occupy that an entry's undo puts back; those of a whole event come back with it. */
async function rowsToRestore(db: Db, id: number): Promise<number> {
  const undo = await findUndo(db, id);
  if (!undo) return 0;
  return undo.event ? rowsOfEvent({ ...undo.event, claim_count: undo.claims }) : occupiedRows(undo.claims);
}

/** What an entry that puts back what another one tells of is called. */
const RESTORED_BY = {
  claim_deleted: 'claims_restored',
  claims_cleared: 'claims_restored',
  event_deleted: 'event_restored',
  respawn_deleted: 'respawn_restored',
  category_deleted: 'category_restored',
  member_type_deleted: 'member_type_restored',
  access_key_deleted: 'access_key_restored',
  verification_deleted: 'verification_restored',
} as const satisfies { readonly [A in ActivityAction]?: keyof typeof restored };

const hasItsOwn = (action: ActivityAction): action is keyof typeof RESTORED_BY => Object.hasOwn(RESTORED_BY, action);

const restoredBy = (action: ActivityAction): keyof typeof restored => (hasItsOwn(action) ? RESTORED_BY[action] : 'deed_undone');

/** The entry of a deed and what is kept of it. */
async function undoOf(tx: Tx, id: number): Promise<{ action: ActivityAction; details: string; undo: FoundUndo }> {
  const columns = ['action', 'details', 'undone_at', 'undo_expired_at'] as const;
  const entry = await tx.selectFrom('activity').select(columns).where('id', '=', id).executeTakeFirst();
  if (!entry) throw new DomainError('activity.notFound');
  const { action, details, undone_at, undo_expired_at } = entry;
  if (undone_at !== null) throw new DomainError('activity.alreadyUndone');
  if (undo_expired_at !== null) throw new DomainError('activity.undoExpired');
  const undo = await findUndo(tx, id);
  if (!undo) throw new DomainError('activity.nothingToUndo');
  if (!isActivityAction(action)) throw new DomainError('activity.otherVersion');
  return { action, details, undo };
}

async function putRestored(tx: Tx, changes: ChangeRecorder, event_id: number): Promise<void> {
  const event = await findEvent(tx, event_id);
  if (event) putEvent(changes, event);
}

async function putClaims(ctx: Pick<Writing, 'env' | 'now'>, tx: Tx, changes: ChangeRecorder, claims: readonly DatedClaim[]): Promise<void> {
  const guild = await readGuildNow(ctx, tx);
  showClaims(changes, claims, guild);
}
