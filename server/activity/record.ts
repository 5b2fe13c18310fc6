import type { ActivityAction } from '../../shared/activity-actions.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { ActorKind } from '../../shared/schemas/activity.ts';
import type { ActivityDetails } from '../../shared/schemas/activity-details.ts';
import type { Admin, Member } from '../auth/callers.ts';
import type { ActivityTable } from '../db/activity-tables.ts';
import { inBatches } from '../db/batches.ts';
import type { ChangeRecorder } from '../db/change-set.ts';
import type { Tx } from '../db/open.ts';
import { type BoundRows, preparedRows } from '../db/prepared.ts';
import type { Writing } from '../jobs/writing.ts';
import { shownEntry } from './entry.ts';
import { entryOfUndo, type KeptUndo } from './kept-undos.ts';

/** Who did it: an admin, a member, somebody without a key yet, the server by itself, or who works on it by the command line. */
export type Actor = Admin | Member | { role: 'visitor' } | { role: 'server' } | { role: 'command_line' };

/** What an entry tells. */
export interface Deed<A extends ActivityAction> {
  details: ActivityDetails<A>;
  /** What was deleted; given, admins can put it back from the log. */
  undo?: KeptUndo | null;
}

/**
 * Writes the activity entry that a write owes, in its transaction, and shows it to the admins who watch.
 * @param undo what was kept of what the write deleted; given, admins can put it back from the log
 * @returns its id
 */
export async function recordActivity<A extends ActivityAction>(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  action: A,
  details: ActivityDetails<A>,
  undo: KeptUndo | null = null,
): Promise<number> {
  const [id] = await recordActivities(ctx, tx, changes, actor, action, [{ details, undo }]);
  if (id === undefined) throw new Error('an entry was not stored');
  return id;
}

/** The same for many of one kind: a statement for all, and an entry for each. @returns their ids, in their order */
export async function recordActivities<A extends ActivityAction>(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  changes: Pick<ChangeRecorder, 'put'>,
  actor: Actor,
  action: A,
  deeds: readonly Deed<A>[],
): Promise<number[]> {
  const entry = {
    timestamp: ctx.now().toISOString(),
    action,
    actor_kind: actor.role,
    actor_name: nameOf(actor),
    admin_id: actor.role === 'admin' ? actor.admin_id : null,
  };
  const admin_key = actor.role === 'admin' ? nameKey(actor.username) : null;
  const stored: number[] = [];
  for (const batch of inBatches(deeds)) {
    const rows = batch.map(({ details }) => ({ ...entry, admin_key, details: JSON.stringify(details) }));
    const inserted = await insertEntries(tx, rows);
    // Ids rise in the order of the rows, in which they need not come back.
    const ids = inserted.map(({ id }) => id).sort((a, b) => a - b);
    for (const [nth, { details, undo = null }] of batch.entries()) {
      const id = ids[nth];
      if (id === undefined) throw new Error('an entry was not stored');
      stored.push(id);
      if (undo) await entryOfUndo(tx, undo, id);
      const record = shownEntry({ id, ...entry, details, undo: undo && 'possible' });
      if (record) changes.put({ kind: 'activity', record });
    }
  }
  return stored;
}

type NewEntry = Omit<ActivityTable, 'id' | 'actor_kind' | 'undone_at' | 'undo_expired_at'> & { actor_kind: ActorKind };

const insertEntries = preparedRows((tx, rows: BoundRows<NewEntry>) =>
  tx
    .insertInto('activity')
    .values(
      rows.map((bound) => ({
        timestamp: bound('timestamp'),
        action: bound('action'),
        actor_kind: bound('actor_kind'),
        actor_name: bound('actor_name'),
        admin_id: bound('admin_id'),
        admin_key: bound('admin_key'),
        details: bound('details'),
      })),
    )
    .returning('id')
    .compile(),
);

/** @returns null where nobody is to be named */
export function nameOf(actor: Actor): string | null {
  if (actor.role === 'admin') return actor.username;
  return actor.role === 'member' ? actor.character_name : null;
}

/** The admin's name; null where whoever did it is none. */
export const adminAmong = (actor: Actor): string | null => (actor.role === 'admin' ? actor.username : null);
