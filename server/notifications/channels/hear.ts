import type { News } from '../../../shared/schemas/news.ts';
import { inBatches } from '../../db/batches.ts';
import type { NewsTable } from '../../db/outbox-tables.ts';
import { type BoundRows, prepared, preparedRows } from '../../db/prepared.ts';
import { addJobs } from '../../jobs/add.ts';
import type { NewsListener } from '../outbox/outbox.ts';
import { isNews } from '../outbox/told.ts';
import { eventsOf } from './queries.ts';
import { GATHERED_MS, LONGEST_WAIT_MS, SEND_JOB } from './send-job.ts';

/** Rows of some kilobyte that a statement stores at most. */
const NEWS_A_STATEMENT = 250;

/** Every submission asks: nothing of a destination but what it hears, and whether there is a job to send it. */
const listening = prepared((db) =>
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
 * Destinations read news on from their own places: it is stored once, however many hear it. Whoever sends it is stored a job,
 * which is left as it is where there is one: after a failure it waits for its time, and one that runs looks before it ends. How
 * much waits is counted then: a record of each that hangs, with every write, would cost more than the write.
 */
export const destinationsHear: NewsListener = {
  heard: async (tx) => (await listening(tx, {})).flatMap(eventsOf),
  hear: async (ctx, tx, changes, told) => {
    const news = told.filter(isNews);
    if (news.length === 0) return;
    const types = [...new Set(news.map(({ type }) => type))];
    const hears = ({ events }: { events: string }, type: string): boolean => events.includes(JSON.stringify(type));
    const hearers = (await listening(tx, {})).filter((each) => types.some((type) => hears(each, type)));
    const heard = new Set(types.filter((type) => hearers.some((each) => hears(each, type))));
    const kept = news.filter(({ type }) => heard.has(type));
    for (const some of inBatches(kept, NEWS_A_STATEMENT)) await storeNews(tx, some.map(rowOf));
    const now = ctx.now().getTime();
    const latest = new Date(now + LONGEST_WAIT_MS).toISOString();
    const jobs = hearers
      .filter(({ due_at, given_up_at }) => due_at === null || given_up_at !== null || due_at > latest)
      .map(({ id, kind }) => ({ key: String(id), due_at: new Date(now + GATHERED_MS[kind]), payload: null }));
    await addJobs(tx, changes, SEND_JOB, jobs);
  },
};

type NewsRow = Pick<NewsTable, 'at' | 'type' | 'body'>;
const rowOf = ({ type, timestamp, data }: News): NewsRow => ({ at: timestamp, type, body: JSON.stringify(data) });

const storeNews = preparedRows((db, rows: BoundRows<NewsRow>) =>
  db
    .insertInto('news')
    .values(rows.map((bound) => ({ at: bound('at'), type: bound('type'), body: bound('body') })))
    .compile(),
);
