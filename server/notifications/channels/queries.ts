import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ActivityDetails } from '../../../shared/schemas/activity-details.ts';
import type { Destination } from '../../../shared/schemas/destination.ts';
import { type NewsType, newsType } from '../../../shared/schemas/news.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { DestinationsTable } from '../../db/outbox-tables.ts';

export type StoredDestination = Selectable<DestinationsTable>;

const known = z.array(z.string());
const isNewsType = (type: string): type is NewsType => newsType.safeParse(type).success;

/** What a destination hears, as far as this version knows it. */
export const eventsOf = ({ events }: Pick<StoredDestination, 'events'>): NewsType[] => known.parse(JSON.parse(events)).filter(isNewsType);

const places = z.record(z.string(), z.number());

/** The types that a destination hears only after some news. */
export const heardAfter = ({ heard_after }: Pick<StoredDestination, 'heard_after'>): [type: string, id: number][] =>
  Object.entries(places.parse(JSON.parse(heard_after)));

/** The record of a destination as admins see it: never its address, nor a secret. */
export function destinationRecord(row: StoredDestination): Destination {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    url: hostOf(row.url),
    events: eventsOf(row),
    language: row.language,
    is_enabled: row.is_enabled,
    switched_off: row.switched_off,
    waiting: row.waiting,
    last_delivery_at: row.last_delivery_at,
    last_error: row.last_error,
    next_try_at: row.next_try_at,
    created_at: row.created_at,
  };
}

/** The host of an address, with its port where that is named. */
export const hostOf = (url: string): string => new URL(url).host;

/** All destinations, those that were made first first. */
export async function allDestinations(db: Db | Tx): Promise<Destination[]> {
  return (await db.selectFrom('destinations').selectAll().orderBy('id').execute()).map(destinationRecord);
}

export async function findDestination(db: Db | Tx, id: number): Promise<StoredDestination | null> {
  return (await db.selectFrom('destinations').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** What entries of the log tell of a destination. */
export const destinationTold = ({ id, name, kind, url }: StoredDestination): ActivityDetails<'destination_created'> => ({
  destination_id: id,
  name,
  kind,
  host: hostOf(url),
});
