import type { z } from 'zod';
import { type ActivityAction, isActivityAction } from '../../shared/activity-actions.ts';
import { DomainError, existing } from '../../shared/errors.ts';
import type { UndoAnswer, UndoRequest } from '../../shared/schemas/activity.ts';
import { knownDetails, undoOf } from '../../shared/schemas/activity-details.ts';
import { logActivity } from '../auth/activity-log.ts';
import { authorizeAgain } from '../auth/authenticate.ts';
import type { Db, Tx } from '../db/database.ts';
import { type Unit, type Writing, writeMany } from '../db/unit-of-work.ts';
import type { Admin } from '../http/caller.ts';
import { findEntries } from './log.ts';
import {
  claimsOfUndo,
  dropUndos,
  type FoundUndo,
  findUndo,
  keepClaimsLeft,
  parseStored,
  recordsOfUndo,
  type UndoRecord,
} from './undo-store.ts';

export interface UndoContext extends Writing {
  undo: UndoHandlers;
}

export interface Restoring extends Unit {
  admin: Admin;
  entry_id: number;
}

/** How a feature restores its kinds of records, all or nothing: it throws a DomainError if a later change is in the way. */
export interface RecordUndo<R extends UndoRecord = UndoRecord> {
  kinds: readonly R['kind'][];
  /** The capability that restoring requires; `guild` if left out. */
  capability?: 'claims';
  record: z.ZodType<R>;
  /** @returns what shows the records, called after claims are restored as well: spots say how many they have */
  restore(write: Restoring, records: readonly R[]): Promise<() => Promise<void>>;
}

interface RestoredClaims {
  count: number;
  /** Ids of the claims that could not be restored. */
  left: ReadonlySet<number>;
  /** Why some could not be restored; null: all were. */
  refusal: DomainError | null;
}

/** How the board restores claims, and the event that was deleted with them. */
export interface ClaimUndo<E = unknown, C = unknown> {
  event: z.ZodType<E>;
  claim: z.ZodType<C>;
  /** About how many rows are written. */
  countRows(event: E | null, claims: number): number;
  restoreEvent(tx: Tx, event: E): Promise<void>;
  restoreClaims(
    write: Restoring,
    undo: { event: E | null; claims: AsyncIterable<C[]>; count: number },
  ): Promise<RestoredClaims>;
}

/** How features restore, in their order. */
export interface UndoHandlers {
  claims: ClaimUndo;
  /** In the order of restoring: categories before the spots in them. */
  records: readonly RecordUndo[];
}

/**
 * Undoes the change of an entry. If something is in the way of some claims, nothing is restored, unless the admin asked for the others:
 * the undo then keeps those claims, and can be repeated.
 * @throws DomainError session.notAllowed if it restores more than claims and the admin's role may not; activity.notFound,
 * activity.nothingToUndo, activity.undoExpired, activity.alreadyUndone, activity.otherVersion, activity.undoIncomplete; or what the
 * handlers throw if a later change is in the way
 */
export async function undoActivity(
  ctx: UndoContext,
  admin: Admin,
  { id, partial }: UndoRequest & { id: number },
): Promise<UndoAnswer> {
  const handlers = ctx.undo;
  return writeMany(ctx, await countRestoredRows(ctx.db, handlers.claims, id), async (unit) => {
    const { tx, changes } = unit;
    const restoring: Restoring = { ...unit, admin, entry_id: id };
    const { action, details, undo } = await existingUndo(tx, id);
    const event = eventOf(undo, handlers.claims);
    const records = await recordsOfUndo(tx, undo);
    const needsGuild = ({ kind }: UndoRecord) =>
      !handlers.records.some((each) => each.kinds.includes(kind) && each.capability === 'claims');
    if (event !== null || records.some(needsGuild))
      await authorizeAgain(tx, admin, { capability: 'guild', now: unit.at });
    if (event !== null) await handlers.claims.restoreEvent(tx, event);
    const show = await restoreRecords(restoring, handlers.records, records);
    const claims = claimsOfUndo(tx, undo, handlers.claims.claim);
    const { count, left, refusal } = await handlers.claims.restoreClaims(restoring, {
      event,
      claims,
      count: undo.claims,
    });
    const restoresNothing = count === 0 && event === null && records.length === 0;
    if (refusal && (!partial || restoresNothing))
      throw new DomainError(refusal.code, {
        ...refusal.params,
        partial: !restoresNothing,
        restorable: count,
        left: left.size,
      });
    for (const showRecords of show) await showRecords();
    if (left.size > 0) await keepClaimsLeft(tx, undo, left);
    else {
      await dropUndos(tx, [undo.id]);
      await tx
        .updateTable('activity')
        .set({ undone_at: ctx.now().toISOString() })
        .where('id', '=', id)
        .execute();
    }
    for (const record of await findEntries(tx, [id])) changes.put({ kind: 'activity', record });
    const isRest = event === null && records.length === 0 && undo.claims > 0;
    const undoing = undoOf(action, isRest);
    const repeated = undoing.repeats.parse(knownDetails(action, JSON.parse(details)));
    const counts = { restored_claims: count, ...(left.size > 0 && { left_claims: left.size }) };
    await logActivity(unit, admin, {
      action: undoing.action,
      details: { ...repeated, undid: id, undid_action: action, ...counts },
    });
    return { restored_claims: count, left_claims: left.size };
  });
}

const eventOf = ({ event }: FoundUndo, handler: ClaimUndo): unknown =>
  event === null ? null : parseStored(handler.event, event);

async function countRestoredRows(db: Db, handler: ClaimUndo, id: number): Promise<number> {
  const undo = await findUndo(db, id);
  return undo ? handler.countRows(eventOf(undo, handler), undo.claims) : 0;
}

async function restoreRecords(
  write: Restoring,
  handlers: readonly RecordUndo[],
  records: readonly UndoRecord[],
): Promise<(() => Promise<void>)[]> {
  const known = new Set(handlers.flatMap(({ kinds }) => kinds));
  if (records.some(({ kind }) => !known.has(kind))) throw new DomainError('activity.otherVersion');
  const parsed = handlers.map((handler) => ({
    handler,
    own: records
      .filter(({ kind }) => handler.kinds.includes(kind))
      .map((record) => parseStored(handler.record, record)),
  }));
  const show: (() => Promise<void>)[] = [];
  for (const { handler, own } of parsed) show.push(await handler.restore(write, own));
  return show;
}

async function existingUndo(
  tx: Tx,
  id: number,
): Promise<{ action: ActivityAction; details: string; undo: FoundUndo }> {
  const columns = ['action', 'details', 'undone_at', 'undo_expired_at'] as const;
  const found = tx.selectFrom('activity').select(columns).where('id', '=', id);
  const entry = existing(await found.executeTakeFirst(), 'activity.notFound');
  const { action, details, undone_at, undo_expired_at } = entry;
  if (undone_at !== null) throw new DomainError('activity.alreadyUndone');
  if (undo_expired_at !== null) throw new DomainError('activity.undoExpired');
  const undo = existing(await findUndo(tx, id), 'activity.nothingToUndo');
  if (!isActivityAction(action)) throw new DomainError('activity.otherVersion');
  return { action, details, undo };
}
