import type { Json } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { ActivityAction, ActivityEntry } from '../../shared/schemas/activity.ts';
import { inBatches } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import { type BoundRows, preparedRows } from '../db/prepared.ts';
import type { ActivityTable } from '../db/schema.ts';
import type { Writing } from '../db/write.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import type { Admin, Member } from '../session/callers.ts';
import type { UndoRows } from './undo-rows.ts';

/** Who did it: an admin, a member, somebody without a key yet, or the server by itself. */
export type Actor = Admin | Member | { role: 'visitor' } | { role: 'server' };

/** What an entry tells. */
export interface Deed {
  details: Record<string, Json>;
  /** What was deleted; given, admins can put it back from the log. */
  undo?: UndoRows | null;
}

/**
 * Writes the activity entry that a write owes, in its transaction, and shows it to the admins who watch.
 * @param undo what the write deleted; given, admins can put it back from the log
 */
export function recordActivity(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  action: ActivityAction,
  details: Record<string, Json>,
  undo: UndoRows | null = null,
): Promise<void> {
  return recordActivities(ctx, tx, changes, actor, action, [{ details, undo }]);
}

/** The same for many of one kind: a statement for all, and an entry for each. */
export async function recordActivities(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  action: ActivityAction,
  deeds: readonly Deed[],
): Promise<void> {
  const admin = actor.role === 'admin' ? actor : null;
  const entry = {
    timestamp: ctx.now().toISOString(),
    action,
    admin_id: admin?.admin_id ?? null,
    admin_username: admin?.username ?? null,
  };
  const by = actor.role === 'member' ? { by: actor.character_name } : {};
  for (const batch of inBatches(deeds)) {
    const rows = batch.map(({ details, undo = null }) => ({
      ...entry,
      admin_key: admin && nameKey(admin.username),
      details: JSON.stringify({ ...by, ...details }),
      undo: undo && JSON.stringify(undo),
    }));
    const inserted = await insertEntries(tx, rows);
    // Ids rise in the order of the rows, in which they need not come back.
    const ids = inserted.map(({ id }) => id).sort((a, b) => a - b);
    for (const [nth, id] of ids.entries()) {
      const { details, undo = null } = batch[nth] ?? { details: {} };
      const record: ActivityEntry = { id, ...entry, details: { ...by, ...details }, undo: undo && 'possible' };
      changes.put({ kind: 'activity', record });
    }
  }
}

type NewEntry = Omit<ActivityTable, 'id' | 'undone_at' | 'undo_expired_at'>;

const insertEntries = preparedRows((tx, rows: BoundRows<NewEntry>) =>
  tx
    .insertInto('activity')
    .values(
      rows.map((bound) => ({
        timestamp: bound('timestamp'),
        action: bound('action'),
        admin_id: bound('admin_id'),
        admin_username: bound('admin_username'),
        admin_key: bound('admin_key'),
        details: bound('details'),
        undo: bound('undo'),
      })),
    )
    .returning('id')
    .compile(),
);
