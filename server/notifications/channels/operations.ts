import { DomainError, existing } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type {
  Destination,
  DestinationChange,
  DestinationInput,
  NewDestination,
  RotatedSecret,
  TestAnswer,
} from '../../../shared/schemas/destination.ts';
import { keepUndo } from '../../activity/undo-store.ts';
import { changedFields, logActivity } from '../../auth/activity-log.ts';
import type { Tx } from '../../db/database.ts';
import { updateSubscribedTypes } from '../../db/domain-events.ts';
import { defineMemory } from '../../db/memory.ts';
import { assertNameIsFree } from '../../db/unique-names.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { addJob, notificationsPausedAt, removeJob } from '../../jobs/job-store.ts';
import { assertAllowedUrl } from '../outbound/allowed-urls.ts';
import type { Sending } from '../outbound/post.ts';
import {
  assertMayAdd,
  channelDetails,
  channelRecord,
  eventsOf,
  findChannel,
  SEND_JOB,
  type StoredChannel,
  sendJob,
  subscribedAfter,
} from './channel.ts';
import { countPending, newestEventId, pendingAfter } from './events.ts';
import { newSecret, OLD_SECRET_MS, testMessage } from './messages.ts';
import { keptChannel } from './restore.ts';
import { judgeChannel } from './send.ts';

/**
 * @returns the record with its whole address and its secret, which are never shown again
 * @throws DomainError destination.url, destination.private, destination.notDiscord, destination.tooMany, destination.exists
 */
export async function createChannel(
  ctx: Writing,
  admin: Admin,
  input: DestinationInput,
): Promise<NewDestination> {
  assertAllowedUrl(ctx.env, input.url, input.kind);
  const secret = input.kind === 'webhook' ? newSecret() : null;
  return write(ctx, async (unit) => {
    const { tx, changes } = unit;
    await assertMayAdd(tx, input.name);
    const { events, ...fields } = input;
    const row = await tx
      .insertInto('channels')
      .values({
        ...fields,
        name_key: nameKey(input.name),
        events: JSON.stringify(events),
        secret,
        last_event_id: await newestEventId(tx),
        created_at: unit.at.toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await updateSubscribedTypes(unit.ctx, unit.tx);
    const record = channelRecord(row);
    changes.put({ kind: 'destination', record });
    await logActivity(unit, admin, {
      action: 'destination_created',
      details: channelDetails(row),
    });
    return { ...record, url: row.url, secret };
  });
}

function withChange(
  row: StoredChannel,
  { name, kind = row.kind, url, events, language, is_enabled }: DestinationChange,
): StoredChannel {
  return {
    ...row,
    name: name ?? row.name,
    kind,
    url: url ?? row.url,
    events: events ? JSON.stringify(events) : row.events,
    language: language ?? row.language,
    is_enabled: is_enabled ?? row.is_enabled,
    // Never shown: admins rotate it to see one.
    secret: kind === 'webhook' ? (row.secret ?? newSecret()) : row.secret,
  };
}

/** For `subscribed_after`: events of newly subscribed types count from now on, even if older events of other types are pending. */
function subscriptionStarts(before: StoredChannel, after: StoredChannel, newest: number): string {
  const subscribed = new Set(eventsOf(before));
  const starts = new Map(subscribedAfter(before));
  const later = eventsOf(after).map(
    (type) => [type, subscribed.has(type) ? (starts.get(type) ?? 0) : newest] as const,
  );
  return JSON.stringify(Object.fromEntries(later.filter(([, id]) => id > after.last_event_id)));
}

const firstPendingId = async (tx: Tx, channel: StoredChannel): Promise<number | undefined> =>
  (await pendingAfter(tx, channel, 1))[0]?.id;

const CHANGEABLE = ['name', 'kind', 'events', 'language', 'is_enabled'] as const;
const isSameChannel = (one: StoredChannel, other: StoredChannel): boolean =>
  one.url === other.url &&
  Object.keys(changedFields(channelRecord(one), channelRecord(other), CHANGEABLE)).length === 0;

/**
 * Changes the given fields. Switching a channel off drops its pending events; switched on, it gets what is reported from then on.
 * A new address gets the pending events at once.
 * @throws DomainError destination.notFound, destination.exists, destination.url, destination.private, destination.notDiscord
 */
export async function updateChannel(
  ctx: Writing,
  admin: Admin,
  { id, ...change }: DestinationChange & { id: number },
): Promise<Destination> {
  const known = existing(await findChannel(ctx.db, id), 'destination.notFound');
  if (isSameChannel(known, withChange(known, change))) return channelRecord(known);
  return write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const before = existing(await findChannel(tx, id), 'destination.notFound');
    const after = withChange(before, change);
    const isElsewhere = after.url !== before.url || after.kind !== before.kind;
    // Only a new address: a channel whose address is no longer allowed can still be switched off.
    if (isElsewhere) assertAllowedUrl(ctx.env, after.url, after.kind);
    await assertNameIsFree(tx, 'channels', { name: after.name, id });
    if (after.events !== before.events) {
      const newest = await newestEventId(tx);
      if ((await countPending(tx, before)) === 0) after.last_event_id = newest;
      after.subscribed_after = subscriptionStarts(before, after, newest);
    }
    // A failure counts only for the same message to the same address.
    const startsOver =
      isElsewhere ||
      (before.attempts > 0 &&
        (await firstPendingId(tx, before)) !== (await firstPendingId(tx, after)));
    if (startsOver || after.is_enabled !== before.is_enabled)
      Object.assign(after, {
        attempts: 0,
        rescheduled_attempts: 0,
        next_try_at: null,
        last_error: null,
      });
    if (after.is_enabled !== before.is_enabled)
      Object.assign(after, {
        switched_off: null,
        last_event_id: await newestEventId(tx),
        subscribed_after: '{}',
      });
    const count = after.is_enabled ? await countPending(tx, after) : 0;
    after.waiting = after.next_try_at === null ? 0 : count;
    await tx
      .updateTable('channels')
      .set({ ...omit(after, 'id'), name_key: nameKey(after.name) })
      .where('id', '=', id)
      .execute();
    await updateSubscribedTypes(unit.ctx, unit.tx);
    if (!after.is_enabled || (startsOver && count === 0)) await removeJob(tx, SEND_JOB, String(id));
    else if (startsOver) await addJob(unit, SEND_JOB, sendJob(id, unit.at));
    const record = channelRecord(after);
    changes.put({ kind: 'destination', record });
    const from = channelRecord(before);
    // The log has hosts only, so it says that the address changed even where the host is the same.
    const url = after.url === before.url ? {} : { url: { from: from.url, to: record.url } };
    const changed = { ...changedFields(from, record, CHANGEABLE), ...url };
    await logActivity(unit, admin, {
      action: 'destination_updated',
      details: { ...channelDetails(after), changed },
    });
    return record;
  });
}

/**
 * Deletes a channel. Its pending events stay until all other channels are done with them: an undo sends those.
 * @throws DomainError destination.notFound
 */
export async function deleteChannel(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const row = existing(await findChannel(tx, id), 'destination.notFound');
    const undo = await keepUndo(unit, { records: [await keptChannel(tx, row)] });
    await removeJob(tx, SEND_JOB, String(id));
    await tx.deleteFrom('deliveries').where('channel_id', '=', id).execute();
    await tx.deleteFrom('channels').where('id', '=', id).execute();
    await updateSubscribedTypes(unit.ctx, unit.tx);
    changes.remove('destination', id);
    await logActivity(unit, admin, {
      action: 'destination_deleted',
      details: channelDetails(row),
      undo,
    });
  });
}

/**
 * Gives a webhook a new secret. The old one stays valid for OLD_SECRET_MS.
 * @throws DomainError destination.notFound, destination.notWebhook
 */
export function rotateSecret(ctx: Writing, admin: Admin, id: number): Promise<RotatedSecret> {
  const secret = newSecret();
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const row = existing(await findChannel(tx, id), 'destination.notFound');
    if (row.kind !== 'webhook') throw new DomainError('destination.notWebhook');
    const old_secret_until = new Date(unit.at.getTime() + OLD_SECRET_MS).toISOString();
    await tx
      .updateTable('channels')
      .set({ secret, old_secret: row.secret, old_secret_until })
      .where('id', '=', id)
      .execute();
    await logActivity(unit, admin, {
      action: 'destination_secret_rotated',
      details: channelDetails(row),
    });
    return { secret };
  });
}

export const testsUnderWay = defineMemory(() => new Map<number, Promise<TestAnswer>>());

/**
 * Sends a test message once, past the pending events. Concurrent tests of a channel share one message.
 * @throws DomainError destination.notFound, notifications.paused
 */
export async function testChannel(ctx: Sending, id: number): Promise<TestAnswer> {
  const underWay = testsUnderWay(ctx).get(id);
  if (underWay) return underWay;
  const answer = sendTest(ctx, id).finally(() => testsUnderWay(ctx).delete(id));
  testsUnderWay(ctx).set(id, answer);
  return answer;
}

async function sendTest(ctx: Sending, id: number): Promise<TestAnswer> {
  const channel = existing(await findChannel(ctx.db, id), 'destination.notFound');
  if (await notificationsPausedAt(ctx.db)) throw new DomainError('notifications.paused');
  const message = testMessage(ctx, channel);
  const startedAt = performance.now();
  const answer = await ctx.post(message);
  const ms = Math.round(performance.now() - startedAt);
  const verdict = judgeChannel(channel, answer, ctx.now());
  const error = verdict.type === 'delivered' ? null : verdict.error;
  return { ok: error === null, status: answer.ok ? answer.status : null, error, ms };
}
