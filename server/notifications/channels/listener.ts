import { type DomainEvent, NEWS_TYPES, type News } from '../../../shared/schemas/news.ts';
import { inBatches } from '../../db/batches.ts';
import type { NewsTable } from '../../db/outbox-tables.ts';
import { type BoundRows, prepared, preparedRows } from '../../db/prepared.ts';
import { addJobs } from '../../jobs/add.ts';
import type { EventListener } from '../outbox.ts';
import { eventsOf } from './queries.ts';
import { GATHERED_MS, LONGEST_WAIT_MS, SEND_JOB } from './send-job.ts';

/** An event is about 1 kB. */
const EVENTS_A_STATEMENT = 250;

const CHANNEL_EVENTS: ReadonlySet<string> = new Set(NEWS_TYPES);
const isForChannels = (event: DomainEvent): event is News => CHANNEL_EVENTS.has(event.type);

/** Runs with every submission: reads only what channels subscribe to, and whether a job to send exists. */
const enabledChannels = prepared((db) =>
  db
    .selectFrom('destinations')
    .leftJoin('jobs', (join) =>
      join.on('jobs.kind', '=', SEND_JOB.kind).on((on) => on('jobs.key', '=', on.cast<string>('destinations.id', 'text'))),
    )
    .select(['destinations.id', 'destinations.kind', 'destinations.events', 'jobs.due_at', 'jobs.given_up_at'])
    .where((where) => where('destinations.is_enabled', '=', where.lit(1)))
    .orderBy('destinations.id')
    .compile(),
);

/**
 * Stores each event once: channels read on from their own places. A job that exists is not moved: after a failure it waits for
 * its time, and a running one looks again before it ends. How many events wait is counted when they are sent, as a changed
 * channel record in every write would cost more than the write.
 */
export const channelListener: EventListener = {
  subscribedTypes: async (tx) => (await enabledChannels(tx, {})).flatMap(eventsOf),
  handle: async (ctx, tx, changes, reported) => {
    const events = reported.filter(isForChannels);
    if (events.length === 0) return;
    const types = [...new Set(events.map(({ type }) => type))];
    const subscribes = (channel: { events: string }, type: string): boolean => channel.events.includes(JSON.stringify(type));
    const subscribers = (await enabledChannels(tx, {})).filter((channel) => types.some((type) => subscribes(channel, type)));
    const subscribed = new Set(types.filter((type) => subscribers.some((channel) => subscribes(channel, type))));
    const wanted = events.filter(({ type }) => subscribed.has(type));
    for (const batch of inBatches(wanted, EVENTS_A_STATEMENT)) await storeEvents(tx, batch.map(rowOf));
    const now = ctx.now().getTime();
    const latest = new Date(now + LONGEST_WAIT_MS).toISOString();
    const jobs = subscribers
      .filter(({ due_at, given_up_at }) => due_at === null || given_up_at !== null || due_at > latest)
      .map(({ id, kind }) => ({ key: String(id), due_at: new Date(now + GATHERED_MS[kind]), payload: null }));
    await addJobs(tx, changes, SEND_JOB, jobs);
  },
};

type EventRow = Pick<NewsTable, 'at' | 'type' | 'body'>;
const rowOf = ({ type, timestamp, data }: News): EventRow => ({ at: timestamp, type, body: JSON.stringify(data) });

const storeEvents = preparedRows((db, rows: BoundRows<EventRow>) =>
  db
    .insertInto('news')
    .values(rows.map((bound) => ({ at: bound('at'), type: bound('type'), body: bound('body') })))
    .compile(),
);
