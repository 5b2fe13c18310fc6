import { DELIVERIES_KEPT } from '../../../shared/schemas/destination.ts';
import { type Actor, logActivity } from '../../auth/activity-log.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Db, Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import { addJob } from '../../jobs/add.ts';
import { addedJobs } from '../../jobs/added-jobs.ts';
import type { Writing } from '../../jobs/writing.ts';
import { storeTries } from '../channels/deliveries.ts';
import { destinationRecord, type StoredDestination } from '../channels/queries.ts';
import { SEND_JOB } from '../channels/send-job.ts';
import { countWaiting, waitingAfter } from '../channels/waiting.ts';
import { PUSH_JOB } from '../push/push-job.ts';

/** Since when no notification is sent, because this database was restored from an archive; null: they are sent. */
export async function notificationsPausedAt(db: Db | Tx): Promise<string | null> {
  return (await db.selectFrom('config').select('notifications_paused_at').executeTakeFirst())?.notifications_paused_at ?? null;
}

/** Sends nothing from this database until an owner resumes it: it may be a copy, and the guild has the original. */
export async function pauseNotifications(db: Db | Tx, now: Date): Promise<void> {
  // Push notifications of the original, which sends them itself, however late they are due. Those of channels: `resumeNotifications`.
  await db.deleteFrom('jobs').where('kind', '=', PUSH_JOB.kind).execute();
  await db.updateTable('config').set({ notifications_paused_at: now.toISOString() }).execute();
}

/**
 * Sends notifications again. What happened before the restore is abandoned: it is old, and the guild was told of it then.
 * @returns whether they were paused
 */
export function resumeNotifications(ctx: Writing, actor: Actor): Promise<boolean> {
  return write(ctx, async (tx, changes) => {
    const paused_at = await notificationsPausedAt(tx);
    if (paused_at === null) return false;
    await tx.updateTable('config').set({ notifications_paused_at: null }).execute();
    let abandoned = 0;
    for (const destination of await tx.selectFrom('destinations').selectAll().orderBy('id').execute())
      abandoned += await abandonOld(ctx, tx, changes, destination, paused_at);
    await logActivity(changes, actor, 'notifications_resumed', { paused_at, abandoned });
    // Looks at once for what waits.
    changes.collect(addedJobs).push(ctx.now().toISOString());
    return true;
  });
}

/** @returns how many messages are abandoned */
async function abandonOld(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  destination: StoredDestination,
  paused_at: string,
): Promise<number> {
  const [newest] = await tx
    .selectFrom('news')
    .select('id')
    .where('at', '<=', paused_at)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  const place = Math.max(destination.place, newest?.id ?? 0);
  const before = await countWaiting(tx, destination);
  const waiting = await countWaiting(tx, { ...destination, place });
  const old = (await waitingAfter(tx, destination, destination.place, DELIVERIES_KEPT)).filter(({ id }) => id <= place);
  const at = ctx.now().toISOString();
  const abandoned = { at, attempt: Math.max(1, destination.attempts), status: null, error: 'restored', ms: 0, answer: '' };
  await storeTries(
    tx,
    destination.id,
    old.map(({ id, type }) => ({ ...abandoned, message_id: `msg_${id}_${destination.id}`, type, outcome: 'given_up' as const })),
  );
  const after = { place, waiting, attempts: 0, asked_to_wait: 0, next_try_at: null };
  await tx.updateTable('destinations').set(after).where('id', '=', destination.id).execute();
  changes.put({ kind: 'destination', record: destinationRecord({ ...destination, ...after }) });
  if (waiting > 0 && destination.is_enabled === 1)
    await addJob(tx, changes, SEND_JOB, { key: String(destination.id), due_at: ctx.now(), payload: null });
  return before - waiting;
}
