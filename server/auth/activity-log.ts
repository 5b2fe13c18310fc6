import { isDeepStrictEqual } from 'node:util';
import type { ActivityAction } from '../../shared/activity-actions.ts';
import type { Json } from '../../shared/errors.ts';
import type { ActivityDetails, UndoableAction } from '../../shared/schemas/activity-details.ts';
import { type BulkAnswer, NAMED_IN_LOG } from '../../shared/schemas/bulk.ts';
import { defineCollector, type Unit } from '../db/unit-of-work.ts';
import type { Admin, Member } from '../http/caller.ts';

/* How a write reports an action to the activity log. `server/activity` registers the store, so no feature imports it. */

/** An admin, a member, a visitor without a key, the server itself, or an operator with a command-line tool. */
export type Actor =
  | Admin
  | Member
  | { role: 'visitor' }
  | { role: 'server' }
  | { role: 'command_line' };

/** Stored by `keepUndo` before the entry of the change is written. */
export interface KeptUndo {
  id: number;
  claims: number;
  pieces: number;
  records: number;
  record_pieces: number;
}

/** If given, admins can undo the change from the log. */
type UndoOf<A extends ActivityAction> = (A extends UndoableAction ? KeptUndo : never) | null;

export interface Entry<A extends ActivityAction> {
  details: ActivityDetails<A>;
  undo?: UndoOf<A>;
  /** All characters by which it is found, where the details name only the first. */
  named?: readonly string[];
}

interface Entries<A extends ActivityAction> {
  action: A;
  entries: readonly Entry<A>[];
}

/** Stores entries of one action in the current transaction. @returns their ids, in order */
export type StoreEntries = <A extends ActivityAction>(
  actor: Actor,
  entries: Entries<A>,
) => Promise<number[]>;

/** `server/activity` attaches its store to every write. */
export const activityStore = defineCollector<{ store: StoreEntries | null }>(
  () => ({ store: null }),
  // Entries are stored at once, so a savepoint's rollback takes them along.
  () => () => {},
);

/** Reports an action to the activity log. It is stored at once and shown to the admins who watch. @returns the entry's id */
export async function logActivity<A extends ActivityAction>(
  unit: Unit,
  actor: Actor,
  { action, ...entry }: Entry<A> & { action: A },
): Promise<number> {
  const [id] = await logActivities(unit, actor, { action, entries: [entry] });
  if (id === undefined) throw new Error('an entry was not stored');
  return id;
}

/** Reports many entries of one action, with few statements. @returns their ids, in order */
export function logActivities<A extends ActivityAction>(
  { changes }: Unit,
  actor: Actor,
  entries: Entries<A>,
): Promise<number[]> {
  const { store } = changes.collect(activityStore);
  if (!store) throw new Error('no activity log is attached to this write');
  return store(actor, entries);
}

/** The name of the admin or member; null for other actors. */
export function nameOf(actor: Actor): string | null {
  if (actor.role === 'admin') return actor.username;
  return actor.role === 'member' ? actor.character_name : null;
}

/** The admin's name; null for other actors. */
export const adminAmong = (actor: Actor): string | null =>
  actor.role === 'admin' ? actor.username : null;

/** The old and new values of those fields that differ, for an entry's `changed`. */
export function changedFields<F extends string>(
  before: Readonly<Record<F, Json>>,
  after: Readonly<Record<F, Json>>,
  fields: readonly F[],
): Record<string, { from: Json; to: Json }> {
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(
    changed.map((field) => [field, { from: before[field], to: after[field] }]),
  );
}

/** The details of a bulk action: how many records, and the first distinct names. */
export function countAndNames(names: readonly string[]): { count: number; names: string[] } {
  return { count: names.length, names: [...new Set(names)].slice(0, NAMED_IN_LOG) };
}

/** The answer of a bulk action that found nothing to change. */
export const allUnchanged = (ids: readonly number[]): BulkAnswer => ({
  changed: 0,
  unchanged: ids.length,
  activity_id: null,
});
