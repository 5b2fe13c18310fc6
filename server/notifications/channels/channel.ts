import type { Selectable } from 'kysely';
import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import type { ActivityDetails } from '../../../shared/schemas/activity-details.ts';
import {
  type Destination,
  type DestinationKind,
  destination,
  MAX_DESTINATIONS,
} from '../../../shared/schemas/destination.ts';
import { type PublicEventType, publicEventType } from '../../../shared/schemas/domain-events.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { ChannelsTable } from '../../db/schema.ts';
import { assertNameIsFree } from '../../db/unique-names.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';

/** A notification channel. The API and its routes call it a destination. */
export type StoredChannel = Selectable<ChannelsTable>;

/** The job that sends a channel what is pending. Its key is the channel's id. */
export const SEND_JOB = { kind: 'destination.send', payload: z.null() } as const;

export const sendJob = (channel_id: number, due_at: Date) => ({
  key: String(channel_id),
  due_at,
  payload: null,
});

/** Gather events for this long before sending, in milliseconds: a burst is one run, and in Discord one message. */
export const GATHER_MS: { readonly [K in DestinationKind]: number } = {
  discord: 2_000,
  webhook: 500,
};

/** No attempt is planned further ahead, in milliseconds. One that is was planned by a clock that has jumped back since. */
export const MAX_RETRY_DELAY_MS = 25 * 3_600_000;

const strings = z.array(z.string());
const isPublicEventType = (type: string): type is PublicEventType =>
  publicEventType.safeParse(type).success;

/** The types that a channel subscribes to, without those that only a newer version knows. */
export const eventsOf = ({ events }: Pick<StoredChannel, 'events'>): PublicEventType[] =>
  strings.parse(JSON.parse(events)).filter(isPublicEventType);

const ids = z.record(z.string(), z.number());

/** Types that the channel subscribed to later: it gets only events with a larger id. */
export const subscribedAfter = ({
  subscribed_after,
}: Pick<StoredChannel, 'subscribed_after'>): [type: string, id: number][] =>
  Object.entries(ids.parse(JSON.parse(subscribed_after)));

/** The record as admins see it, without the address and the secret. */
export function channelRecord(row: StoredChannel): Destination {
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

const hostOf = (url: string): string => new URL(url).host;

export async function listChannels(db: Db | Tx): Promise<Destination[]> {
  return (await db.selectFrom('channels').selectAll().orderBy('id').execute()).map(channelRecord);
}

export async function findChannel(db: Db | Tx, id: number): Promise<StoredChannel | null> {
  return (
    (await db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  );
}

/** @throws DomainError destination.tooMany, destination.exists */
export async function assertMayAdd(tx: Tx, name: string): Promise<void> {
  const { n } = await tx
    .selectFrom('channels')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (n >= MAX_DESTINATIONS)
    throw new DomainError('destination.tooMany', { max: MAX_DESTINATIONS });
  await assertNameIsFree(tx, 'channels', { name });
}

/** For entries of the activity log. */
export const channelDetails = ({
  id,
  name,
  kind,
  url,
}: StoredChannel): ActivityDetails<'destination_created'> => ({
  destination_id: id,
  name,
  kind,
  host: hostOf(url),
});

export const destinationRecords = recordSource('destination', {
  schema: destination,
  read: ({ tx }) => listChannels(tx),
  order: oldestFirst,
});
