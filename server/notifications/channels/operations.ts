import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import {
  type Destination,
  type DestinationChange,
  type DestinationInput,
  MAX_DESTINATIONS,
  type NewDestination,
  type RotatedSecret,
} from '../../../shared/schemas/destination.ts';
import { changedFields, logActivity } from '../../auth/activity-log.ts';
import type { Admin } from '../../auth/callers.ts';
import type { Db, Reading, Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import { addJob, removeJob } from '../../jobs/add.ts';
import type { Writing } from '../../jobs/writing.ts';
import { assertAllowedUrl } from '../outbound/judge-url.ts';
import { OLD_SECRET_MS } from './messages.ts';
import { newSecret } from './new-secret.ts';
import { destinationRecord, destinationTold, eventsOf, findDestination, heardAfter, type StoredDestination } from './queries.ts';
import { SEND_JOB } from './send-job.ts';
import { countWaiting, newestNews, waitingAfter } from './waiting.ts';

/** @throws DomainError destination.notFound */
export async function existingDestination(db: Db | Tx, id: number): Promise<StoredDestination> {
  const destination = await findDestination(db, id);
  if (!destination) throw new DomainError('destination.notFound');
  return destination;
}

async function assertNameIsFree(tx: Tx, name: string, except?: number): Promise<void> {
  const other = await tx.selectFrom('destinations').select(['id', 'name']).where('name_key', '=', nameKey(name)).executeTakeFirst();
  if (other && other.id !== except) throw new DomainError('destination.exists', { name: other.name });
}

/**
 * Makes a destination; its whole address and its secret are told this once.
 * @throws DomainError destination.url, destination.private, destination.notDiscord, destination.tooMany, destination.exists
 */
export async function createDestination(ctx: Writing, admin: Admin, input: DestinationInput): Promise<NewDestination> {
  assertAllowedUrl(ctx.env, input.url, input.kind);
  const secret = input.kind === 'webhook' ? newSecret() : null;
  return write(ctx, async (tx, changes) => {
    const { n } = await tx
      .selectFrom('destinations')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    if (n >= MAX_DESTINATIONS) throw new DomainError('destination.tooMany', { max: MAX_DESTINATIONS });
    await assertNameIsFree(tx, input.name);
    const { events, ...fields } = input;
    const row = await tx
      .insertInto('destinations')
      .values({
        ...fields,
        name_key: nameKey(input.name),
        events: JSON.stringify(events),
        secret,
        place: await newestNews(tx),
        created_at: ctx.now().toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await ctx.outbox.updateSubscribedTypes(tx);
    const record = destinationRecord(row);
    changes.put({ kind: 'destination', record });
    await logActivity(changes, admin, 'destination_created', destinationTold(row));
    return { ...record, url: row.url, secret };
  });
}

/** The row once some fields are others; how it is doing stays. */
function withChange(row: StoredDestination, { name, kind, url, events, language, is_enabled }: DestinationChange): StoredDestination {
  const changed = kind ?? row.kind;
  return {
    ...row,
    name: name ?? row.name,
    kind: changed,
    url: url ?? row.url,
    events: events ? JSON.stringify(events) : row.events,
    language: language ?? row.language,
    is_enabled: is_enabled ?? row.is_enabled,
    // Told when it is rotated.
    secret: changed === 'webhook' ? (row.secret ?? newSecret()) : row.secret,
  };
}

/** Of what a destination did not hear before it hears what comes from now on, also where something else waits for it. */
function onlyLater(before: StoredDestination, after: StoredDestination, newest: number): string {
  const heard = new Set(eventsOf(before));
  const known = new Map(heardAfter(before));
  const later = eventsOf(after).map((type) => [type, heard.has(type) ? (known.get(type) ?? 0) : newest] as const);
  return JSON.stringify(Object.fromEntries(later.filter(([, id]) => id > after.place)));
}

const firstWaiting = async (tx: Tx, destination: StoredDestination): Promise<number | undefined> =>
  (await waitingAfter(tx, destination, destination.place, 1))[0]?.id;

const CHANGEABLE = ['name', 'kind', 'events', 'language', 'is_enabled'] as const;
const isSame = (one: StoredDestination, other: StoredDestination): boolean =>
  one.url === other.url && Object.keys(changedFields(destinationRecord(one), destinationRecord(other), CHANGEABLE)).length === 0;

/**
 * Changes the fields that are given. Switched off it hears nothing, and what waited is told no more; switched on again it hears
 * what comes from then on. To another address what waits is sent at once.
 * @throws DomainError destination.notFound, destination.exists, destination.url, destination.private, destination.notDiscord
 */
export async function updateDestination(ctx: Reading & Writing, admin: Admin, id: number, change: DestinationChange): Promise<Destination> {
  const known = await existingDestination(ctx.db, id);
  const wanted = withChange(known, change);
  if (isSame(known, wanted)) return destinationRecord(known);
  return write(ctx, async (tx, changes) => {
    const before = await existingDestination(tx, id);
    const after = withChange(before, change);
    const isElsewhere = after.url !== before.url || after.kind !== before.kind;
    // One that was allowed once, and is judged anew at each connection, must not be in the way of pausing it.
    if (isElsewhere) assertAllowedUrl(ctx.env, after.url, after.kind);
    await assertNameIsFree(tx, after.name, id);
    // What it did not hear yet has happened before: only what waits for it keeps its place.
    if (after.events !== before.events) {
      const newest = await newestNews(tx);
      if ((await countWaiting(tx, before)) === 0) after.place = newest;
      after.heard_after = onlyLater(before, after, newest);
    }
    // What failed there, or is told there no more, holds up nothing that comes next.
    const isOther = isElsewhere || (before.attempts > 0 && (await firstWaiting(tx, before)) !== (await firstWaiting(tx, after)));
    if (isOther || after.is_enabled !== before.is_enabled)
      Object.assign(after, { attempts: 0, asked_to_wait: 0, next_try_at: null, last_error: null });
    if (after.is_enabled !== before.is_enabled)
      Object.assign(after, { switched_off: null, place: await newestNews(tx), heard_after: '{}' });
    const waiting = after.is_enabled ? await countWaiting(tx, after) : 0;
    after.waiting = after.next_try_at === null ? 0 : waiting;
    const { id: _, ...fields } = after;
    await tx
      .updateTable('destinations')
      .set({ ...fields, name_key: nameKey(after.name) })
      .where('id', '=', id)
      .execute();
    await ctx.outbox.updateSubscribedTypes(tx);
    const job = { key: String(id), due_at: ctx.now(), payload: null };
    if (!after.is_enabled || (isOther && waiting === 0)) await removeJob(tx, SEND_JOB, job.key);
    else if (isOther) await addJob(tx, changes, SEND_JOB, job);
    const record = destinationRecord(after);
    changes.put({ kind: 'destination', record });
    const [from, to] = [destinationRecord(before), record];
    // That it is another one is told, also where the host is the same; which one is not.
    const url = after.url === before.url ? {} : { url: { from: from.url, to: to.url } };
    const changed = { ...changedFields(from, to, CHANGEABLE), ...url };
    await logActivity(changes, admin, 'destination_updated', { ...destinationTold(after), changed });
    return record;
  });
}

/**
 * Deletes a destination with all that waits for it.
 * @throws DomainError destination.notFound
 */
export async function deleteDestination(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const row = await existingDestination(tx, id);
    await removeJob(tx, SEND_JOB, String(id));
    await tx.deleteFrom('deliveries').where('destination_id', '=', id).execute();
    await tx.deleteFrom('destinations').where('id', '=', id).execute();
    await ctx.outbox.updateSubscribedTypes(tx);
    changes.remove('destination', id);
    await logActivity(changes, admin, 'destination_deleted', destinationTold(row));
  });
}

/**
 * Gives a webhook another secret; messages are signed with the old one, too, for a day.
 * @throws DomainError destination.notFound, destination.notWebhook
 */
export function rotateSecret(ctx: Writing, admin: Admin, id: number): Promise<RotatedSecret> {
  const secret = newSecret();
  return write(ctx, async (tx, changes) => {
    const row = await existingDestination(tx, id);
    if (row.kind !== 'webhook') throw new DomainError('destination.notWebhook');
    const old_secret_until = new Date(ctx.now().getTime() + OLD_SECRET_MS).toISOString();
    await tx.updateTable('destinations').set({ secret, old_secret: row.secret, old_secret_until }).where('id', '=', id).execute();
    await logActivity(changes, admin, 'destination_secret_rotated', destinationTold(row));
    return { secret };
  });
}
