import { DELIVERIES_KEPT } from '../../shared/schemas/destination.ts';
import { type Actor, logActivity } from '../auth/activity-log.ts';
import { readConfig } from '../board/records/guild.ts';
import type { Db, Tx } from '../db/database.ts';
import { type Unit, type Writing, write } from '../db/unit-of-work.ts';
import { addJob, notificationsPausedAt, wakeTimes } from '../jobs/job-store.ts';
import { channelRecord, SEND_JOB, type StoredChannel, sendJob } from './channels/channel.ts';
import { countPending, pendingAfter } from './channels/events.ts';
import { storeAttempts } from './channels/send.ts';

interface Pause {
  now: Date;
  notifyingJobs: readonly string[];
}

/** Call after a restore: the database may be a copy, and the original still notifies the guild. */
export async function pauseNotifications(
  db: Db | Tx,
  { now, notifyingJobs }: Pause,
): Promise<void> {
  // The original sends these. Events of channels are abandoned on resuming.
  await db
    .deleteFrom('jobs')
    .where('kind', 'in', notifyingJobs)
    .where('kind', '!=', SEND_JOB.kind)
    .execute();
  // The original edits these.
  await db.deleteFrom('direct_messages').execute();
  await db.updateTable('config').set({ notifications_paused_at: now.toISOString() }).execute();
}

/**
 * Sends notifications again. Events from before the restore are abandoned: the original has sent them.
 * @returns whether notifications were paused
 */
export function resumeNotifications(ctx: Writing, actor: Actor): Promise<boolean> {
  return write(ctx, async (unit) => {
    const { tx, changes, at } = unit;
    const paused_at = await notificationsPausedAt(tx);
    if (paused_at === null) return false;
    await tx.updateTable('config').set({ notifications_paused_at: null }).execute();
    let abandoned = 0;
    for (const channel of await tx.selectFrom('channels').selectAll().orderBy('id').execute())
      abandoned += await abandonOld(unit, channel, paused_at);
    changes.put({ kind: 'config', record: await readConfig(ctx, tx) });
    await logActivity(unit, actor, {
      action: 'notifications_resumed',
      details: { paused_at, abandoned },
    });
    // Wakes the job runner.
    changes.collect(wakeTimes).push(at.toISOString());
    return true;
  });
}

/** @returns how many messages are abandoned */
async function abandonOld(unit: Unit, channel: StoredChannel, paused_at: string): Promise<number> {
  const { tx, changes } = unit;
  const [newest] = await tx
    .selectFrom('outbox')
    .select('id')
    .where('at', '<=', paused_at)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  const last_event_id = Math.max(channel.last_event_id, newest?.id ?? 0);
  const before = await countPending(tx, channel);
  const waiting = await countPending(tx, { ...channel, last_event_id });
  const old = (await pendingAfter(tx, channel, DELIVERIES_KEPT)).filter(
    ({ id }) => id <= last_event_id,
  );
  const abandoned = {
    at: unit.at.toISOString(),
    attempt: Math.max(1, channel.attempts),
    status: null,
    error: 'restored',
    ms: 0,
    answer: '',
  };
  await storeAttempts(
    tx,
    channel.id,
    old.map(({ id, type }) => ({
      ...abandoned,
      message_id: `msg_${id}_${channel.id}`,
      type,
      outcome: 'given_up' as const,
    })),
  );
  const after = { last_event_id, waiting, attempts: 0, rescheduled_attempts: 0, next_try_at: null };
  await tx.updateTable('channels').set(after).where('id', '=', channel.id).execute();
  changes.put({ kind: 'destination', record: channelRecord({ ...channel, ...after }) });
  if (waiting > 0 && channel.is_enabled === 1)
    await addJob(unit, SEND_JOB, sendJob(channel.id, unit.at));
  return before - waiting;
}
