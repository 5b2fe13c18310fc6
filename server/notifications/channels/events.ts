import { sql } from 'kysely';
import { z } from 'zod';
import {
  type DomainEvent,
  PUBLIC_EVENT_TYPES,
  type PublicEvent,
  type PublicEventType,
  publicEvent,
} from '../../../shared/schemas/domain-events.ts';
import {
  type BoundRows,
  type Db,
  inBatches,
  prepared,
  preparedRows,
  type Tx,
} from '../../db/database.ts';
import { inTime } from '../../db/promises.ts';
import type { OutboxTable } from '../../db/schema.ts';
import type { EventListener, Unit } from '../../db/unit-of-work.ts';
import { daysBefore, type InsideKind, nextHour } from '../../jobs/job-kind.ts';
import { addJob, addJobs } from '../../jobs/job-store.ts';
import type { Sending } from '../outbound/post.ts';
import {
  channelRecord,
  eventsOf,
  GATHER_MS,
  MAX_RETRY_DELAY_MS,
  SEND_JOB,
  type StoredChannel,
  sendJob,
  subscribedAfter,
} from './channel.ts';

/*
 * The outbox: each event once, for all channels. A channel's `last_event_id` is the last one that it has handled.
 */

/** An event is about 1 kB. */
const EVENTS_A_STATEMENT = 250;

const CHANNEL_EVENTS: ReadonlySet<string> = new Set(PUBLIC_EVENT_TYPES);
const isForChannels = (event: DomainEvent): event is PublicEvent => CHANNEL_EVENTS.has(event.type);

/** Runs with every submission, so it reads only what channels subscribe to and whether a job to send exists. */
const subscriptions = prepared((db) =>
  db
    .selectFrom('channels')
    .leftJoin('jobs', (join) =>
      join
        .on('jobs.kind', '=', SEND_JOB.kind)
        .on((on) => on('jobs.key', '=', on.cast<string>('channels.id', 'text'))),
    )
    .select(['channels.id', 'channels.kind', 'channels.events', 'jobs.due_at', 'jobs.given_up_at'])
    .where((where) => where('channels.is_enabled', '=', where.lit(1)))
    .orderBy('channels.id')
    .compile(),
);

/**
 * Stores the events that a channel subscribes to, and a job for each such channel. An existing job is not moved: after a failure
 * it waits for its time, and a running one looks again before it ends. How many events are pending is counted when they are sent:
 * a changed channel record in every write would cost more than the write.
 */
export const channelListener: EventListener = {
  subscribedTypes: async (_, tx) => (await subscriptions(tx, {})).flatMap(eventsOf),
  handle: async (unit, reported) => {
    const { tx } = unit;
    const events = reported.filter(isForChannels);
    if (events.length === 0) return;
    const types = [...new Set(events.map(({ type }) => type))];
    const subscribes = (channel: { events: string }, type: string): boolean =>
      channel.events.includes(JSON.stringify(type));
    const subscribers = (await subscriptions(tx, {})).filter((channel) =>
      types.some((type) => subscribes(channel, type)),
    );
    const subscribed = new Set(
      types.filter((type) => subscribers.some((channel) => subscribes(channel, type))),
    );
    const wanted = events.filter(({ type }) => subscribed.has(type));
    for (const batch of inBatches(wanted, EVENTS_A_STATEMENT))
      await insertEvents(tx, batch.map(rowOf));
    const now = unit.at.getTime();
    const latest = new Date(now + MAX_RETRY_DELAY_MS).toISOString();
    const jobs = subscribers
      .filter(
        ({ due_at, given_up_at }) => due_at === null || given_up_at !== null || due_at > latest,
      )
      .map(({ id, kind }) => ({
        key: String(id),
        due_at: new Date(now + GATHER_MS[kind]),
        payload: null,
      }));
    await addJobs(unit, SEND_JOB, jobs);
  },
};

type EventRow = Pick<OutboxTable, 'at' | 'type' | 'body'>;
const rowOf = ({ type, timestamp, data }: PublicEvent): EventRow => ({
  at: timestamp,
  type,
  body: JSON.stringify(data),
});

const insertEvents = preparedRows((db, rows: BoundRows<EventRow>) =>
  db
    .insertInto('outbox')
    .values(rows.map((bound) => ({ at: bound('at'), type: bound('type'), body: bound('body') })))
    .compile(),
);

export interface PendingEvent {
  id: number;
  type: PublicEventType;
  at: string;
  event: Pick<PublicEvent, 'type' | 'timestamp'> & { data: unknown };
}

type Subscriber = Pick<StoredChannel, 'events' | 'subscribed_after' | 'kind' | 'last_event_id'>;

const pending = (db: Db | Tx, channel: Subscriber) =>
  db
    .selectFrom('outbox')
    .where('id', '>', channel.last_event_id)
    // A channel may subscribe to none; PostgreSQL takes no empty list.
    .where((where) => where.or(eventsOf(channel).map((type) => where('type', '=', type))))
    .where((where) =>
      where.and(
        subscribedAfter(channel)
          .filter(([, id]) => id > channel.last_event_id)
          .map(([type, id]) =>
            where.or([where(sql<string>`type`, '!=', type), where('id', '>', id)]),
          ),
      ),
    );

/** The next events for a channel. */
export async function pendingAfter(
  db: Db | Tx,
  channel: Subscriber,
  limit: number,
): Promise<PendingEvent[]> {
  const rows = await pending(db, channel)
    .select(['id', 'at', 'type', 'body'])
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, at, type, body }) => ({
    id,
    at,
    type,
    event: { type, timestamp: at, data: JSON.parse(body) },
  }));
}

export async function countPending(db: Db | Tx, channel: Subscriber): Promise<number> {
  const counted = pending(db, channel).select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

export async function oldestPendingAt(db: Db | Tx, channel: Subscriber): Promise<string | null> {
  const oldest = pending(db, channel).select('at').orderBy('id').limit(1);
  return (await oldest.executeTakeFirst())?.at ?? null;
}

/** The place of a channel that starts now. */
export async function newestEventId(db: Db | Tx): Promise<number> {
  const { newest } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.max<number | null>('id').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/**
 * The events that people read about: not the deletion that a no-show causes if the no-show itself is among the subscribed types,
 * and none of a shape that this version does not know.
 */
export function eventsForPeople(
  channel: Subscriber,
  events: readonly PendingEvent[],
): PublicEvent[] {
  const getsNoShows = eventsOf(channel).includes('claim.no_show');
  return events.flatMap(({ event }) => {
    const { data } = publicEvent.safeParse(event);
    if (!data || (getsNoShows && data.type === 'claim.deleted' && data.data.reason === 'no_show'))
      return [];
    return [data];
  });
}

/** The retry schedule spans three days, so this only forgets events after a clock jump. */
const KEPT_DAYS = 31;
/** Delete by age at most this much of the log in one run: a clock that jumped ahead then loses no more. */
const DELETED_HOURS = 2;
/** Domain events kept for channels that cannot be reached. */
export const MAX_EVENTS = 100_000;
const HOUR_MS = 3_600_000;
const EARLIEST = '2000-01-01T00:00:00.000Z';
/** Events deleted by one write; other writes wait for it. */
const MAX_DELETED = 1_000;

const enabledChannels = (db: Db | Tx): Promise<StoredChannel[]> =>
  db
    .selectFrom('channels')
    .selectAll()
    .where((where) => where('is_enabled', '=', where.lit(1)))
    .orderBy('id')
    .execute();

/** Deletes a batch of the events that all enabled channels are done with. @returns whether there may be more */
export async function deleteDelivered(tx: Tx): Promise<boolean> {
  const places = (await enabledChannels(tx)).map(({ last_event_id }) => last_event_id);
  return deleteUntil(tx, places.length > 0 ? Math.min(...places) : await newestEventId(tx));
}

async function deleteUntil(tx: Tx, id: number): Promise<boolean> {
  const batch = tx
    .selectFrom('outbox')
    .select('id')
    .where('id', '<=', id)
    .orderBy('id')
    .limit(MAX_DELETED);
  const { numDeletedRows } = await tx
    .deleteFrom('outbox')
    .where('id', 'in', batch)
    .executeTakeFirst();
  return Number(numDeletedRows) === MAX_DELETED;
}

/** The newest event to delete for its age in this run. */
async function newestOutdated(tx: Tx, now: Date): Promise<number> {
  const oldest = await tx
    .selectFrom('outbox')
    .select(['id', 'at'])
    .orderBy('id')
    .limit(MAX_DELETED)
    .execute();
  const limit = new Date(
    Date.parse(oldest[0]?.at ?? EARLIEST) + DELETED_HOURS * HOUR_MS,
  ).toISOString();
  return oldest.findLast(({ at }) => at < limit && at < daysBefore(now, KEPT_DAYS))?.id ?? 0;
}

/** Hourly: deletes events that no channel needs, and wakes channels that a clock jump put to sleep. */
export const deleteOldEvents: InsideKind<null> = {
  kind: 'news.forget',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async ({ db }) =>
    (await db.selectFrom('outbox').select('id').limit(1).executeTakeFirst()) !== undefined,
  run: async (unit) => {
    const { ctx, tx, at } = unit;
    const hasMore = await deleteUntil(tx, (await newestEventId(tx)) - MAX_EVENTS);
    // By age one batch an hour: by the next run a clock that jumped may be right again.
    if (!ctx.clock.deletionPaused()) await deleteUntil(tx, await newestOutdated(tx, at));
    for (const channel of await enabledChannels(tx)) await refreshChannel(unit, channel);
    return (await deleteDelivered(tx)) || hasMore ? 'more' : undefined;
  },
};

async function refreshChannel(unit: Unit, channel: StoredChannel): Promise<void> {
  const { tx, changes, at } = unit;
  const count = await countPending(tx, channel);
  const latest = new Date(at.getTime() + MAX_RETRY_DELAY_MS).toISOString();
  const isAsleep = count > 0 && (await sleepsPast(tx, channel, latest));
  const after = {
    ...channel,
    // Events of other types need not be kept for it.
    last_event_id:
      count === 0
        ? Math.max(channel.last_event_id, await newestEventId(tx))
        : channel.last_event_id,
    waiting: channel.next_try_at === null ? Math.min(channel.waiting, count) : count,
    next_try_at: isAsleep || count === 0 ? null : channel.next_try_at,
  };
  if (isAsleep) await addJob(unit, SEND_JOB, sendJob(channel.id, at));
  const { last_event_id, waiting, next_try_at } = after;
  await tx
    .updateTable('channels')
    .set({ last_event_id, waiting, next_try_at })
    .where('id', '=', channel.id)
    .execute();
  if (waiting !== channel.waiting || next_try_at !== channel.next_try_at) {
    changes.put({ kind: 'destination', record: channelRecord(after) });
  }
}

/** Whether no job will send before `latest`. */
async function sleepsPast(
  tx: Tx,
  { id, next_try_at }: StoredChannel,
  latest: string,
): Promise<boolean> {
  const job = await tx
    .selectFrom('jobs')
    .select(['due_at', 'given_up_at'])
    .where('kind', '=', SEND_JOB.kind)
    .where('key', '=', String(id))
    .executeTakeFirst();
  return !job || job.given_up_at !== null || job.due_at > latest || (next_try_at ?? '') > latest;
}

/** Don't hold up /metrics longer than this, in milliseconds: it then repeats the last value. */
const MEASURE_TIMEOUT_MS = 500;

/** How long the oldest pending event has waited, in seconds; 0 without pending events. */
async function longestWait(db: Db, now: Date): Promise<number> {
  const times: number[] = [];
  for (const channel of await enabledChannels(db)) {
    const at = await oldestPendingAt(db, channel);
    if (at !== null) times.push(Date.parse(at));
  }
  return times.length === 0 ? 0 : Math.max(0, (now.getTime() - Math.min(...times)) / 1_000);
}

export function measurePending({ metrics, db, now }: Sending): void {
  const help = 'How long the oldest message to any destination waits to be delivered';
  metrics.measure({ name: 'claimboard_oldest_waiting_seconds', help }, async (gauge) => {
    const measured = longestWait(db, now()).then((seconds) => gauge.set(seconds));
    await inTime(MEASURE_TIMEOUT_MS, measured).catch(() => false);
  });
}
