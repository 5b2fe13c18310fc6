import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import type { JobsTable } from '../db/schema.ts';

export type StoredJob = Pick<
  Selectable<JobsTable>,
  'id' | 'kind' | 'key' | 'due_at' | 'payload' | 'attempts' | 'revision' | 'leased_until' | 'via'
>;
const COLUMNS = ['id', 'kind', 'key', 'due_at', 'payload', 'attempts', 'revision', 'leased_until', 'via'] as const;

/** What is stored of a job that is added. */
type NewRow = Pick<StoredJob, 'kind' | 'key' | 'due_at' | 'payload'> & Partial<Pick<StoredJob, 'via'>>;

/** A lease that ends later than this, in seconds, was made by a clock that has leapt since. */
const LATEST_LEASE_S = 300;
/** What is kept of an error, in characters. */
const ERROR_MOST = 500;

/** @param later_than moves only one that is due later than this; by default any */
export async function storeJob(tx: Tx, job: NewRow, later_than = ''): Promise<void> {
  const { due_at, payload, via } = job;
  await tx
    .insertInto('jobs')
    .values(job)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet({ due_at, payload, via, attempts: 0, last_error: null, given_up_at: null, revision: sql<number>`jobs.revision + 1` })
        .where('jobs.due_at', '>', later_than),
    )
    .execute();
}

/** Stores several in one statement; each moves the one of its kind and key that is there. */
export async function storeJobs(tx: Tx, jobs: readonly NewRow[]): Promise<void> {
  await tx
    .insertInto('jobs')
    .values([...jobs])
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet(({ ref }) => ({
        due_at: ref('excluded.due_at'),
        payload: ref('excluded.payload'),
        via: ref('excluded.via'),
        attempts: 0,
        last_error: null,
        given_up_at: null,
        revision: sql<number>`jobs.revision + 1`,
      })),
    )
    .execute();
}

/** Stores one, unless there is one of its kind and key: that stays as it is. */
export async function storeMissingJob(tx: Tx, job: NewRow): Promise<void> {
  await tx
    .insertInto('jobs')
    .values(job)
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .execute();
}

/** Whether nobody holds it: nobody did, their time is over, or the clock by which they took it has leapt. */
function isFree(now: Date) {
  const latest = new Date(now.getTime() + LATEST_LEASE_S * 1_000).toISOString();
  return sql<boolean>`(leased_until is null or leased_until <= ${now.toISOString()} or leased_until > ${latest})`;
}

/** Named so, a kind is no reason to look in its own index: what is due is found by its time, however much is due later. */
const KIND = sql<string>`kind || ''`;

/** Which jobs are looked for. */
interface Wanted {
  kinds: readonly string[];
  /** Those of a kind and `via` that have no place now. */
  but: readonly Pick<StoredJob, 'kind' | 'via'>[];
  most: number;
  /** Also ones that will be due so much later, in milliseconds. */
  aheadMs: number;
}

/** Those of some kinds that nobody runs, in the order in which they are due. */
export function nextJobs(db: Db, now: Date, { kinds, but, most, aheadMs }: Wanted): Promise<StoredJob[]> {
  return db
    .selectFrom('jobs')
    .select(COLUMNS)
    .where('given_up_at', 'is', null)
    .where('due_at', '<=', new Date(now.getTime() + aheadMs).toISOString())
    .where(KIND, 'in', kinds)
    .where(isFree(now))
    .where((where) =>
      where.and(but.map(({ kind, via }) => where.or([where('kind', '!=', kind), where('via', 'is', null), where('via', '!=', via)]))),
    )
    .orderBy('due_at')
    .orderBy('id')
    .limit(most)
    .execute();
}

/** When each of what comes again and again is due; what is missing is not stored. */
export function recurringJobs(db: Db, kinds: readonly string[]): Promise<Pick<StoredJob, 'id' | 'kind' | 'due_at'>[]> {
  return db.selectFrom('jobs').select(['id', 'kind', 'due_at']).where('kind', 'in', kinds).where('key', '=', '').execute();
}

/** Ends a job that is due, for good where the rest of the transaction is. @returns null when another one did, or moved it */
export async function takeDue(tx: Tx, id: number, now: Date): Promise<StoredJob | null> {
  const due = tx.deleteFrom('jobs').where('id', '=', id).where('due_at', '<=', now.toISOString()).where('given_up_at', 'is', null);
  return (await due.returning(COLUMNS).executeTakeFirst()) ?? null;
}

/** Takes a job for some time. @returns null when another server was faster, or it was moved */
export async function leaseJob(tx: Tx, { id, revision }: StoredJob, until: Date): Promise<StoredJob | null> {
  const leased = await tx
    .updateTable('jobs')
    .set((job) => ({ leased_until: until.toISOString(), attempts: job('attempts', '+', 1), revision: job('revision', '+', 1) }))
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning(COLUMNS)
    .executeTakeFirst();
  return leased ?? null;
}

/**
 * Takes a job that was leased for some more time, whether or not it was moved meanwhile.
 * @returns false when the lease was over and another server has taken it, or it was taken back
 */
export async function renewLease(tx: Tx, { id, leased_until }: StoredJob, until: string): Promise<boolean> {
  if (leased_until === null) return false;
  const renewed = tx.updateTable('jobs').set({ leased_until: until }).where('id', '=', id).where('leased_until', '=', leased_until);
  return (await renewed.executeTakeFirst()).numUpdatedRows > 0;
}

/** Whether a job is still leased as it was: no two leases of one end at the same moment. */
export async function isHeld(db: Db, { id, leased_until }: StoredJob): Promise<boolean> {
  const job = await db.selectFrom('jobs').select('leased_until').where('id', '=', id).executeTakeFirst();
  return job !== undefined && job.leased_until === leased_until;
}

/**
 * Ends a job that was leased.
 * @returns 'moved' when it was added anew meanwhile, and may run once more; 'lost' when the lease was over and another
 * server has taken it, or it was taken back
 */
export async function endLeased(tx: Tx, job: StoredJob): Promise<'ended' | 'moved' | 'lost'> {
  const ended = await tx.deleteFrom('jobs').where('id', '=', job.id).where('revision', '=', job.revision).executeTakeFirst();
  if (ended.numDeletedRows > 0) return 'ended';
  return (await freeMoved(tx, job)) ? 'moved' : 'lost';
}

async function freeMoved(tx: Tx, { id, leased_until }: StoredJob): Promise<boolean> {
  if (leased_until === null) return false;
  const moved = tx.updateTable('jobs').set({ leased_until: null }).where('id', '=', id).where('leased_until', '=', leased_until);
  return (await moved.executeTakeFirst()).numUpdatedRows > 0;
}

/** Gives a leased job back, as if nobody had tried: the server that did stops. */
export async function giveBack(tx: Tx, job: StoredJob): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set((row) => ({ leased_until: null, attempts: row('attempts', '-', 1), revision: row('revision', '+', 1) }))
    .where('id', '=', job.id)
    .where('revision', '=', job.revision)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await freeMoved(tx, job);
}

/** What becomes of a job that failed: when it is tried again, or since when it is given up. */
export interface AfterFailure {
  attempts: number;
  last_error: string;
  due_at: string;
  given_up_at: string | null;
}

/** Notes a failure, unless the job was moved or taken by another since. */
export async function noteFailure(tx: Tx, job: StoredJob, { last_error, ...after }: AfterFailure): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set((row) => ({ ...after, last_error: last_error.slice(0, ERROR_MOST), leased_until: null, revision: row('revision', '+', 1) }))
    .where('id', '=', job.id)
    .where('revision', '=', job.revision)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await freeMoved(tx, job);
}

/** How many are due and have not been run, by kind. */
export function countDue(db: Db, now: Date): Promise<{ kind: string; n: number }[]> {
  return db
    .selectFrom('jobs')
    .select(({ fn }) => [KIND.as('kind'), fn.countAll<number>().as('n')])
    .where('given_up_at', 'is', null)
    .where('due_at', '<=', now.toISOString())
    .groupBy(KIND)
    .execute();
}
