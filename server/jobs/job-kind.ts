import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Counter, Registry } from 'prom-client';
import { z } from 'zod';
import { waitAfter } from '../db/back-off.ts';
import type { Heartbeats } from '../db/clock/heartbeats.ts';
import type { Peers } from '../db/clock/peers.ts';
import type { ServerClock } from '../db/clock/server-clock.ts';
import type { Db, Reading, Tx } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import type { Unit, Writing } from '../db/unit-of-work.ts';

export interface Job<P> {
  key: string;
  payload: P;
  due_at: Date;
  /** Counts from 1. */
  attempt: number;
}

/** The runner's context. A kind whose `run` needs more names it as `C`; the server's context has it. */
export interface JobContext extends Writing {
  heartbeats: Heartbeats;
  log: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
  clock: Pick<ServerClock, 'deletionPaused'>;
  peers: Pick<Peers, 'differing'>;
  metrics: { registry: Registry; jobsFailed: Counter<'kind'> };
}

/** The input for computing a kind's next run. In a write, `db` is the transaction. */
export type Timing = Omit<Reading, 'db'> & { db: Db | Tx };

interface AnyKind<P> {
  /** Stored with each job, so it must not change; `subject.verb`. */
  kind: string;
  payload: z.ZodType<P>;
  /** It notifies members or channels, so it waits while notifications are paused. */
  notifies?: true;
  /** Deletes by age, so its runs are skipped while the clock may be wrong (`ServerClock.deletionPaused`). */
  deletes_by_age?: true;
  /** Pauses after each failure, in seconds. After the last the job is given up, or waits for its next regular run. */
  retry_after_s?: readonly number[];
  /**
   * For recurring jobs, whose key is '' and payload null: the next time after now; null while the settings switch it off. It is
   * stored at the start if it is missing, and by the write that runs it.
   */
  next?: (ctx: Timing) => Date | null | Promise<Date | null>;
}

/** Runs inside a write's transaction, exactly once: the same transaction deletes the job. */
export interface InsideKind<P, C extends JobContext = JobContext> extends AnyKind<P> {
  runs: 'inside';
  /** Checked before the write, so that a run with nothing to do advances no clock. */
  isNeeded?(ctx: C): Promise<boolean>;
  /**
   * Awaits nothing but the database.
   * @returns 'more' to run again soon: it did a part, so as not to delay other writes
   */
  run(unit: Unit<C>, job: Job<P>): Promise<'more' | undefined>;
}

/** This server's lease of a job that runs outside a transaction. */
export interface Lease {
  /** Aborts when the run took too long, the lease was lost, or this server stops. */
  signal: AbortSignal;
  /** Call before each part of the work: whether this server still has the lease and is not stopping. */
  mayContinue: () => Promise<boolean>;
}

/** Stores the outcome of a run outside, in the transaction that deletes the job; it may add the job again. */
export type StoreOutcome = (unit: Unit) => Promise<void>;

/** Runs outside a transaction, to await the network or a file; at least once: again if its server died meanwhile. */
export interface OutsideKind<P, C extends JobContext = JobContext> extends AnyKind<P> {
  runs: 'outside';
  /** Jobs of this kind that one server runs at a time. Other kinds don't wait for them. */
  max_running: number;
  /** The same for jobs with the same `receiver`, so that one receiver that hangs doesn't block all others. */
  max_running_per_receiver?: number;
  timeout_s: number;
  /** When the server stops, a run may finish within `FINISH_MS`; otherwise it is aborted at once. */
  finishes?: true;
  /** Watchers see nothing of its outcome, so it advances no clock and records no changes. */
  unseen?: true;
  run(ctx: C, job: Job<P>, lease: Lease): Promise<StoreOutcome | undefined>;
}

export type JobKind<P> = InsideKind<P> | OutsideKind<P>;

/** About a day and a half, if the kind names no waits: it is work of ours, which a restart or a corrected setting lets succeed. */
const WAITS_S: readonly number[] = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200];

/** When to retry a job after so many failures; null: never. */
export function retryAt(
  { retry_after_s = WAITS_S }: JobKind<unknown>,
  failures: number,
  now: Date,
): Date | null {
  const seconds = waitAfter(failures, retry_after_s);
  return seconds === null ? null : new Date(now.getTime() + seconds * 1_000);
}

/** The next regular run of a recurring job, at least a second away; null: none. */
export async function nextRun({ next }: JobKind<unknown>, ctx: Timing): Promise<Date | null> {
  const at = await next?.(ctx);
  return at ? new Date(Math.max(at.getTime(), ctx.now().getTime() + 1_000)) : null;
}

const HOUR_MS = 3_600_000;

export const nextHour = ({ now }: Pick<JobContext, 'now'>): Date =>
  new Date((Math.floor(now().getTime() / HOUR_MS) + 1) * HOUR_MS);

/** The moment so many days ago, as it is stored. */
export const daysBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * 86_400_000).toISOString();

/** Rows deleted by one write, so that it doesn't delay others. */
const MAX_DELETED = 100;

const HOURLY_DELETION = {
  runs: 'inside',
  payload: z.null(),
  deletes_by_age: true,
  next: nextHour,
} as const;

type OldRows = {
  [T in keyof Database]: {
    kind: string;
    table: T;
    /** When a row began to age. */
    column: keyof Database[T] & string;
    /** Rows with the same key are deleted together. */
    key: keyof Database[T] & string;
    kept_days: number;
  };
}[keyof Database];

/** Declares a job that deletes old rows of a table each hour, `MAX_DELETED` in a write. */
export function deleteOld({ kind, table, column, key, kept_days }: OldRows): InsideKind<null> {
  const old = (now: Date) =>
    sql`select ${sql.ref(key)} from ${sql.table(table)}
      where ${sql.ref(column)} < ${daysBefore(now, kept_days)} order by ${sql.ref(column)}`;
  return {
    ...HOURLY_DELETION,
    kind,
    isNeeded: async ({ db, now }) => (await sql`${old(now())} limit 1`.execute(db)).rows.length > 0,
    run: async ({ ctx: { now }, tx }) => {
      const some = sql`${old(now())} limit ${MAX_DELETED}`;
      const { numAffectedRows = 0n } =
        await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${some})`.execute(tx);
      return numAffectedRows < MAX_DELETED ? undefined : 'more';
    },
  };
}

interface OldRecords<Old> {
  kind: string;
  /** The oldest that may be deleted, first the oldest, at most `most`. */
  old: (db: Db | Tx, now: Date, most: number) => Promise<readonly Old[]>;
  remove: (unit: Unit, old: readonly Old[]) => Promise<unknown>;
}

/** The same for rows that need more than their age to be chosen, or are shown to watchers. */
export const deleteOldRecords = <Old>({
  kind,
  old,
  remove,
}: OldRecords<Old>): InsideKind<null> => ({
  ...HOURLY_DELETION,
  kind,
  isNeeded: async ({ db, now }) => (await old(db, now(), 1)).length > 0,
  run: async (unit) => {
    const found = await old(unit.tx, unit.ctx.now(), MAX_DELETED);
    if (found.length > 0) await remove(unit, found);
    return found.length < MAX_DELETED ? undefined : 'more';
  },
});
