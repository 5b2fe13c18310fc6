import type { Json } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { ActivityAction, ActivityEntry } from '../../shared/schemas/activity.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/open.ts';
import type { ChangeRecorder } from '../db/write.ts';
import type { Admin, Member } from '../http/credentials.ts';
import type { UndoRows } from './undo-rows.ts';

/** Who did it: an admin, a member, somebody without a key yet, or the server by itself. */
export type Actor = Admin | Member | { role: 'visitor' } | { role: 'server' };

/**
 * Writes the activity entry that a write owes, in its transaction, and shows it to the admins who watch.
 * @param undo what the write deleted; given, admins can put it back from the log
 */
export async function recordActivity(
  ctx: Pick<Context, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  action: ActivityAction,
  details: Record<string, Json>,
  undo: UndoRows | null = null,
): Promise<void> {
  const admin = actor.role === 'admin' ? actor : null;
  const entry = {
    timestamp: ctx.now().toISOString(),
    action,
    admin_id: admin?.admin_id ?? null,
    admin_username: admin?.username ?? null,
  };
  const all = actor.role === 'member' ? { by: actor.character_name, ...details } : details;
  const { id } = await tx
    .insertInto('activity')
    .values({
      ...entry,
      admin_key: admin && nameKey(admin.username),
      details: JSON.stringify(all),
      undo: undo && JSON.stringify(undo),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const record: ActivityEntry = { id, ...entry, details: { ...all }, undo: undo && 'possible' };
  changes.put({ kind: 'activity', record });
}
