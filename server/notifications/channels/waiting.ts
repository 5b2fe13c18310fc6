import { sql } from 'kysely';
import { type News, type NewsType, news as newsShape } from '../../../shared/schemas/news.ts';
import type { Db, Tx } from '../../db/open.ts';
import { eventsOf, heardAfter, type StoredDestination } from './queries.ts';

/** News that waits for a destination, as it is stored. */
export interface Waiting {
  id: number;
  type: NewsType;
  /** When it happened. */
  at: string;
  news: Pick<News, 'type' | 'timestamp'> & { data: unknown };
}

type Listening = Pick<StoredDestination, 'events' | 'heard_after' | 'kind'>;

const after = (db: Db | Tx, destination: Listening, place: number) =>
  db
    .selectFrom('news')
    .where('id', '>', place)
    .where('type', 'in', eventsOf(destination))
    .where((where) =>
      where.and(
        heardAfter(destination)
          .filter(([, id]) => id > place)
          .map(([type, id]) => where.or([where(sql<string>`type`, '!=', type), where('id', '>', id)])),
      ),
    );

/** What comes next for a destination that has done with all up to a place. */
export async function waitingAfter(db: Db | Tx, destination: Listening, place: number, most: number): Promise<Waiting[]> {
  const rows = await after(db, destination, place).select(['id', 'at', 'type', 'body']).orderBy('id').limit(most).execute();
  return rows.map(({ id, at, type, body }) => ({ id, at, type, news: { type, timestamp: at, data: JSON.parse(body) } }));
}

/** How many wait. */
export async function countWaiting(db: Db | Tx, destination: Listening & Pick<StoredDestination, 'place'>): Promise<number> {
  const counted = after(db, destination, destination.place).select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** When the oldest that waits happened; null: none does. */
export async function oldestWaiting(db: Db | Tx, destination: Listening & Pick<StoredDestination, 'place'>): Promise<string | null> {
  return (await after(db, destination, destination.place).select('at').orderBy('id').limit(1).executeTakeFirst())?.at ?? null;
}

/** The newest news there is: whoever begins to listen hears what comes after it. */
export async function newestNews(db: Db | Tx): Promise<number> {
  const { newest } = await db
    .selectFrom('news')
    .select(({ fn }) => fn.max<number | null>('id').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/**
 * What a channel is told of some news: a no-show is one message to people, who need not be told that the claim has gone, too;
 * and nothing of a shape that this version does not know.
 */
export function toldToPeople(destination: Listening, waiting: readonly Waiting[]): News[] {
  const isToldOfNoShows = eventsOf(destination).includes('claim.no_show');
  return waiting.flatMap(({ news }) => {
    const { data } = newsShape.safeParse(news);
    if (!data || (isToldOfNoShows && data.type === 'claim.deleted' && data.data.reason === 'no_show')) return [];
    return [data];
  });
}
