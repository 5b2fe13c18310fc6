import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import type { JobsTable } from '../db/schema.ts';
import { defineCollector, type Unit } from '../db/unit-of-work.ts';
import { deleteOld, type JobKind } from './job-kind.ts';

export type StoredJob = Pick<
  Selectable<JobsTable>,
  | 'id'
  | 'kind'
  | 'key'
  | 'due_at'
  | 'payload'
  | 'attempts'
  | 'revision'
  | 'leased_until'
  | 'receiver'
>;
const COLUMNS = [
  'id',
  'kind',
  'key',
  'due_at',
  'payload',
  'attempts',
  'revision',
  'leased_until',
  'receiver',
] as const;

/** The columns of a job that is added. */
type NewRow = Pick<StoredJob, 'kind' | 'key' | 'due_at' | 'payload'> &
  Partial<Pick<StoredJob, 'receiver'>>;

/** Characters of a job's payload. It names records, it doesn't contain them. */
export const MAX_PAYLOAD = 10_000;
/** Characters of a job's key. */
export const MAX_KEY = 200;
/** Characters stored of a job's error. */
const MAX_ERROR = 500;
/** A lease that ends later than this, in seconds, was made by a clock that has jumped back since. */
const LATEST_LEASE_S = 300;
/** How long a job that was given up is kept, in days. */
const GIVEN_UP_DAYS = 30;

export interface NewJob<P> {
  /** Unique for its kind: adding a second one replaces time and payload of the first. */
  key: string;
  /** In the past: due at once. */
  due_at: Date;
  payload: P;
  /** The receiver, if its kind limits how many jobs of one receiver run at a time. */
  receiver?: string | null;
}

/** When the runner has something to do because of a write. */
export const wakeTimes = defineCollector(
  (): string[] => [],
  (times) => {
    const { length } = times;
    return () => {
      times.length = length;
    };
  },
);

const rowOf = <P>(kind: string, { key, due_at, payload, receiver = null }: NewJob<P>): NewRow => {
  const text = JSON.stringify(payload);
  if (key.length > MAX_KEY || text.length > MAX_PAYLOAD)
    throw new Error(`a job of ${kind} is too large to be stored`);
  return { kind, key, due_at: due_at.toISOString(), payload: text, receiver };
};

/**
 * Stores a job. One of the same kind and key is replaced, and its failures are forgotten; if that one runs outside just now, it
 * runs once more afterwards.
 * @throws Error if it is larger than a job may be
 */
export async function addJob<P>(
  { tx, changes }: Unit,
  { kind }: Pick<JobKind<P>, 'kind'>,
  job: NewJob<P>,
): Promise<void> {
  const row = rowOf(kind, job);
  await storeJob(tx, row);
  changes.collect(wakeTimes).push(row.due_at);
}

/** `addJob` for several in one statement; their keys differ. */
export async function addJobs<P>(
  { tx, changes }: Unit,
  { kind }: Pick<JobKind<P>, 'kind'>,
  jobs: readonly NewJob<P>[],
): Promise<void> {
  if (jobs.length === 0) return;
  const rows = jobs.map((job) => rowOf(kind, job));
  await insertOrReplace(tx, rows).execute();
  changes.collect(wakeTimes).push(...rows.map(({ due_at }) => due_at));
}

/** Stores a job unless one of its kind and key exists. */
export async function addMissingJob<P>(
  { tx, changes }: Unit,
  { kind }: Pick<JobKind<P>, 'kind'>,
  job: NewJob<P>,
): Promise<void> {
  const row = rowOf(kind, job);
  await tx
    .insertInto('jobs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .execute();
  changes.collect(wakeTimes).push(row.due_at);
}

/** Deletes a job. A run outside that is under way finishes. */
export async function removeJob(
  tx: Tx,
  { kind }: Pick<JobKind<unknown>, 'kind'>,
  key: string,
): Promise<void> {
  await tx.deleteFrom('jobs').where('kind', '=', kind).where('key', '=', key).execute();
}

/** @param later_than replaces a stored job only if that is due later than this */
export async function storeJob(tx: Tx, job: NewRow, later_than = ''): Promise<void> {
  await insertOrReplace(tx, [job], later_than).execute();
}

const insertOrReplace = (tx: Tx, jobs: readonly NewRow[], later_than = '') =>
  tx
    .insertInto('jobs')
    .values([...jobs])
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet(({ ref }) => ({
          due_at: ref('excluded.due_at'),
          payload: ref('excluded.payload'),
          receiver: ref('excluded.receiver'),
          attempts: 0,
          last_error: null,
          given_up_at: null,
          revision: sql<number>`jobs.revision + 1`,
        }))
        .where('jobs.due_at', '>', later_than),
    );

/** When a restore paused all notifications; null: they are sent. Kinds that notify wait meanwhile. */
export async function notificationsPausedAt(db: Db | Tx): Promise<string | null> {
  return (
    (await db.selectFrom('config').select('notifications_paused_at').executeTakeFirst())
      ?.notifications_paused_at ?? null
  );
}

/** Whether no server has a valid lease: none was made, it ended, or the clock that made it has jumped. */
function isFree(now: Date) {
  const latest = new Date(now.getTime() + LATEST_LEASE_S * 1_000).toISOString();
  return sql<boolean>`(leased_until is null or leased_until <= ${now.toISOString()} or leased_until > ${latest})`;
}

/** An expression, so that the planner searches the index of due times instead of the kind's. */
const KIND = sql<string>`kind || ''`;

interface Wanted {
  kinds: readonly string[];
  /** Kinds and receivers that may not run more jobs now. */
  except: readonly Pick<StoredJob, 'kind' | 'receiver'>[];
  most: number;
  /** Includes jobs that are due so much later, in milliseconds. */
  aheadMs: number;
}

/** Jobs that no server runs, by their due time. */
export function nextJobs(
  db: Db,
  now: Date,
  { kinds, except, most, aheadMs }: Wanted,
): Promise<StoredJob[]> {
  return db
    .selectFrom('jobs')
    .select(COLUMNS)
    .where('given_up_at', 'is', null)
    .where('due_at', '<=', new Date(now.getTime() + aheadMs).toISOString())
    .where(KIND, 'in', kinds)
    .where(isFree(now))
    .where((where) =>
      where.and(
        except.map(({ kind, receiver }) =>
          where.or([
            where('kind', '!=', kind),
            where('receiver', 'is', null),
            where('receiver', '!=', receiver),
          ]),
        ),
      ),
    )
    .orderBy('due_at')
    .orderBy('id')
    .limit(most)
    .execute();
}

/** The stored recurring jobs of these kinds. */
export function recurringJobs(
  db: Db,
  kinds: readonly string[],
): Promise<Pick<StoredJob, 'id' | 'kind' | 'due_at'>[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'kind', 'due_at'])
    .where('kind', 'in', kinds)
    .where('key', '=', '')
    .execute();
}

/** Deletes a due job. @returns null if another server did, or it was moved */
export async function takeDue(tx: Tx, id: number, now: Date): Promise<StoredJob | null> {
  const due = tx
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('due_at', '<=', now.toISOString())
    .where('given_up_at', 'is', null);
  return (await due.returning(COLUMNS).executeTakeFirst()) ?? null;
}

/** @returns null if another server leased the job, or it was moved */
export async function leaseJob(
  tx: Tx,
  { id, revision }: StoredJob,
  until: Date,
): Promise<StoredJob | null> {
  const leased = await tx
    .updateTable('jobs')
    .set((job) => ({
      leased_until: until.toISOString(),
      attempts: job('attempts', '+', 1),
      revision: job('revision', '+', 1),
    }))
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning(COLUMNS)
    .executeTakeFirst();
  return leased ?? null;
}

/**
 * Extends a lease, even if the job was moved meanwhile.
 * @returns false if the lease ended and another server took the job, or it was removed
 */
export async function renewLease(
  tx: Tx,
  { id, leased_until }: StoredJob,
  until: string,
): Promise<boolean> {
  if (leased_until === null) return false;
  const renewed = tx
    .updateTable('jobs')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until);
  return (await renewed.executeTakeFirst()).numUpdatedRows > 0;
}

/** Whether the lease is still this one: no two leases of a job end at the same moment. */
export async function hasLease(db: Db, { id, leased_until }: StoredJob): Promise<boolean> {
  const job = await db
    .selectFrom('jobs')
    .select('leased_until')
    .where('id', '=', id)
    .executeTakeFirst();
  return job !== undefined && job.leased_until === leased_until;
}

/**
 * Deletes a leased job.
 * @returns 'moved' if it was added again meanwhile, and may run once more; 'lost' if another server has it, or it was removed
 */
export async function endLeased(tx: Tx, job: StoredJob): Promise<'ended' | 'moved' | 'lost'> {
  const ended = await tx
    .deleteFrom('jobs')
    .where('id', '=', job.id)
    .where('revision', '=', job.revision)
    .executeTakeFirst();
  if (ended.numDeletedRows > 0) return 'ended';
  return (await freeMoved(tx, job)) ? 'moved' : 'lost';
}

async function freeMoved(tx: Tx, { id, leased_until }: StoredJob): Promise<boolean> {
  if (leased_until === null) return false;
  const moved = tx
    .updateTable('jobs')
    .set({ leased_until: null })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until);
  return (await moved.executeTakeFirst()).numUpdatedRows > 0;
}

/** Ends a lease as if the job had not been tried, because this server stops. */
export async function giveBack(tx: Tx, job: StoredJob): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set((row) => ({
      leased_until: null,
      attempts: row('attempts', '-', 1),
      revision: row('revision', '+', 1),
    }))
    .where('id', '=', job.id)
    .where('revision', '=', job.revision)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await freeMoved(tx, job);
}

interface Failure {
  attempts: number;
  last_error: string;
  /** When it is retried. */
  due_at: string;
  given_up_at: string | null;
}

/** Does nothing if the job was moved or leased by another server since. */
export async function recordFailure(
  tx: Tx,
  job: StoredJob,
  { last_error, ...after }: Failure,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set((row) => ({
      ...after,
      last_error: last_error.slice(0, MAX_ERROR),
      leased_until: null,
      revision: row('revision', '+', 1),
    }))
    .where('id', '=', job.id)
    .where('revision', '=', job.revision)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await freeMoved(tx, job);
}

export function countDue(db: Db, now: Date): Promise<{ kind: string; n: number }[]> {
  return db
    .selectFrom('jobs')
    .select(({ fn }) => [KIND.as('kind'), fn.countAll<number>().as('n')])
    .where('given_up_at', 'is', null)
    .where('due_at', '<=', now.toISOString())
    .groupBy(KIND)
    .execute();
}

export const deleteGivenUpJobs = deleteOld({
  kind: 'job.forget',
  table: 'jobs',
  column: 'given_up_at',
  key: 'id',
  kept_days: GIVEN_UP_DAYS,
});
