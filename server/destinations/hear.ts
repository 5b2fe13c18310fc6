import type { News } from '../../shared/schemas/news.ts';
import { inBatches } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import { addMissingJobs } from '../jobs/add.ts';
import type { NewsListener } from '../news/outbox.ts';
import { isNews } from '../news/told.ts';
import { destinationRecord, eventsOf, type StoredDestination } from './queries.ts';
import { GATHERED_MS, LONGEST_WAIT_MS, SEND_JOB } from './send-job.ts';

/** Rows of some kilobyte that a statement stores at most. */
const NEWS_A_STATEMENT = 250;

const listening = (tx: Tx): Promise<StoredDestination[]> =>
  tx
    .selectFrom('destinations')
    .selectAll()
    .where((where) => where('is_enabled', '=', where.lit(1)))
    .orderBy('id')
    .execute();

/**
 * Destinations read news on from their own places: it is stored once, however many hear it. Whoever sends it is stored a job,
 * which is left as it is where there is one: after a failure it waits for its time, and one that runs looks before it ends.
 */
export const destinationsHear: NewsListener = {
  heard: async (tx) => (await listening(tx)).flatMap(eventsOf),
  hear: async (ctx, tx, changes, told) => {
    const news = told.filter(isNews);
    const counted = Map.groupBy(news, ({ type }) => type);
    const hearers = (await listening(tx)).flatMap((destination) => {
      const count = eventsOf(destination).reduce((sum, type) => sum + (counted.get(type)?.length ?? 0), 0);
      return count > 0 ? [{ destination, count }] : [];
    });
    const heard = new Set(hearers.flatMap(({ destination }) => eventsOf(destination)));
    await storeNews(
      tx,
      news.filter(({ type }) => heard.has(type)),
    );
    const now = ctx.now().getTime();
    const jobs = hearers.map(({ destination: { id, kind } }) => ({
      key: String(id),
      due_at: new Date(now + GATHERED_MS[kind]),
      payload: null,
    }));
    if (jobs.length > 0) await addMissingJobs(tx, changes, SEND_JOB, jobs, new Date(now + LONGEST_WAIT_MS));
    // While all is well nothing waits for longer than a moment, and nobody is shown how much.
    for (const { destination, count } of hearers.filter(({ destination }) => destination.next_try_at !== null)) {
      const waiting = destination.waiting + count;
      await tx.updateTable('destinations').set({ waiting }).where('id', '=', destination.id).execute();
      changes.put({ kind: 'destination', record: destinationRecord({ ...destination, waiting }) });
    }
  },
};

async function storeNews(tx: Tx, news: readonly News[]): Promise<void> {
  for (const some of inBatches(news, NEWS_A_STATEMENT)) {
    const rows = some.map(({ type, timestamp, data }) => ({ at: timestamp, type, body: JSON.stringify(data) }));
    await tx.insertInto('news').values(rows).execute();
  }
}
