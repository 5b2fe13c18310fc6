import type { Tx } from '../db/database.ts';
import { DatabaseAway } from '../db/errors.ts';
import { type Unit, write, writeUnseen } from '../db/unit-of-work.ts';
import {
  type InsideKind,
  type Job,
  type JobContext,
  type JobKind,
  type Lease,
  nextRun,
  type OutsideKind,
  retryAt,
  type StoreOutcome,
} from './job-kind.ts';
import {
  addJob,
  endLeased,
  giveBack,
  hasLease,
  leaseJob,
  recordFailure,
  renewLease,
  type StoredJob,
  storeJob,
  takeDue,
} from './job-store.ts';

/** A job that did only a part runs again after this, in milliseconds, so that other work runs in between. */
const MORE_AFTER_MS = 1_000;
/** A running job renews its lease. If its server dies or freezes, another one takes the job after this, in seconds. */
export const LEASE_S = 30;
/** In milliseconds. The clocks of two servers may differ by the rest of a lease. */
const RENEW_EVERY_MS = 10_000;
/** How long a run may finish when the server stops, in milliseconds: the runner stops waiting after 2 s. */
const FINISH_MS = 1_500;

/** Rolls back what was written for a job that another server ran, or that was moved. */
class LeaseLost extends Error {}

export interface LeaseOptions {
  /** Tests shorten it. */
  renewEveryMs?: number;
}

function jobOf<P>(kind: JobKind<P>, { key, payload, due_at }: StoredJob, attempt: number): Job<P> {
  return {
    key,
    due_at: new Date(due_at),
    attempt,
    payload: kind.payload.parse(JSON.parse(payload)),
  };
}

async function addNextRun(unit: Unit, kind: JobKind<unknown>): Promise<void> {
  const due_at = await nextRun(kind, { ...unit.ctx, db: unit.tx });
  if (due_at) await addJob(unit, kind, { key: '', due_at, payload: null });
}

/**
 * Runs a job in a write that deletes it, so it runs once although several servers try.
 * @returns whether its outcome is stored; it is not while the database is unreachable
 */
export async function runInside(
  ctx: JobContext,
  kind: InsideKind<unknown>,
  row: StoredJob,
): Promise<boolean> {
  try {
    const isPaused = kind.deletes_by_age && ctx.clock.deletionPaused() !== null;
    const judgedAt = ctx.now();
    if (isPaused || (kind.isNeeded && !(await kind.isNeeded(ctx)))) {
      // Not a write: nothing changed that watchers see.
      await ctx.writes.transaction((tx) => skipRun(ctx, tx, { kind, row, judgedAt }));
      return true;
    }
    await write(ctx, async (unit) => {
      // The job may have been moved, with another payload.
      const due = await takeDue(unit.tx, row.id, unit.at);
      if (!due) throw new LeaseLost();
      await addNextRun(unit, kind);
      const job = jobOf(kind, due, due.attempts + 1);
      const left = await kind.run(unit, job);
      if (left === 'more')
        await addJob(unit, kind, {
          ...job,
          due_at: new Date(ctx.now().getTime() + MORE_AFTER_MS),
        });
    });
    return true;
  } catch (error) {
    return (
      error instanceof LeaseLost ||
      storeJobFailure(ctx, { kind, job: row, attempts: row.attempts + 1 }, error)
    );
  }
}

interface Skipped {
  kind: InsideKind<unknown>;
  row: StoredJob;
  /** When the run was found not to be needed: one that became due since then, such as at a server save, is not skipped. */
  judgedAt: Date;
}

async function skipRun(ctx: JobContext, tx: Tx, { kind, row, judgedAt }: Skipped): Promise<void> {
  const due = await takeDue(tx, row.id, ctx.now());
  const next = await nextRun(kind, { ...ctx, db: tx, now: () => judgedAt });
  if (due && next)
    await storeJob(tx, { kind: kind.kind, key: '', due_at: next.toISOString(), payload: 'null' });
}

interface OutsideRun extends LeaseOptions {
  kind: OutsideKind<unknown>;
  row: StoredJob;
  /** Aborts when the server stops: a job that doesn't finish then is given back. */
  stopping: AbortSignal;
}

/**
 * Leases a job, runs it, and stores its outcome.
 * @returns as `runInside`
 */
export async function runOutside(ctx: JobContext, run: OutsideRun): Promise<boolean> {
  const { kind, row, stopping } = run;
  let leased: LeasedJob | null = null;
  try {
    leased = await leaseAndRenew(ctx, run);
    if (!leased) return true;
    stopping.throwIfAborted();
    const { attempts } = leased.stored();
    const storeOutcome = await orAbort(
      leased.cancelled,
      kind.run(ctx, jobOf(kind, leased.stored(), attempts), leased),
    );
    await leased.stopRenewing();
    const job = leased.stored();
    const end: StoreOutcome = async (unit) => {
      const ended = await endLeased(unit.tx, job);
      if (ended === 'lost') throw new LeaseLost();
      if (ended === 'ended') await addNextRun(unit, kind);
      await storeOutcome?.(unit);
    };
    await (kind.unseen ? writeUnseen : write)(ctx, end);
    return true;
  } catch (error) {
    await leased?.stopRenewing();
    if (error instanceof LeaseLost) return true;
    const job = leased?.stored();
    if (!stopping.aborted || !job)
      return storeJobFailure(
        ctx,
        { kind, job: job ?? row, attempts: job?.attempts ?? row.attempts + 1 },
        error,
      );
    // If that fails, the lease ends by its time.
    return succeeds(ctx.writes.transaction((tx) => giveBack(tx, job)));
  }
}

/** Doesn't wait for work that ignores its signal. */
async function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function storeJobFailure(
  ctx: JobContext,
  { kind, job, attempts }: { kind: JobKind<unknown>; job: StoredJob; attempts: number },
  error: unknown,
): Promise<boolean> {
  ctx.metrics.jobsFailed.inc({ kind: kind.kind });
  const now = ctx.now();
  const retry = retryAt(kind, attempts, now);
  const regular = await nextRun(kind, ctx).catch(() => null);
  const next =
    retry && regular ? new Date(Math.min(retry.getTime(), regular.getTime())) : (retry ?? regular);
  const given_up_at = next ? null : now.toISOString();
  const due_at = next?.toISOString() ?? job.due_at;
  // An unreachable database is logged elsewhere.
  if (!(error instanceof DatabaseAway)) {
    const { kind: of, key } = job;
    const outcome = given_up_at
      ? 'a job failed and is given up'
      : `a job failed, again at ${due_at}`;
    ctx.log.error({ err: error, job: { kind: of, key, attempts } }, outcome);
  }
  const last_error = error instanceof Error ? error.message : String(error);
  return succeeds(
    ctx.writes.transaction((tx) =>
      recordFailure(tx, job, { attempts, last_error, due_at, given_up_at }),
    ),
  );
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

interface LeasedJob extends Lease {
  /** The row, with the lease as it was last renewed. */
  stored: () => StoredJob;
  /** Aborts when the runner no longer waits for the run, even if that ignores its signal. */
  cancelled: AbortSignal;
  stopRenewing: () => Promise<void>;
}

/** @returns null if another server leased the job, or it was moved */
async function leaseAndRenew(
  ctx: JobContext,
  { kind: { timeout_s, finishes }, row, stopping, renewEveryMs = RENEW_EVERY_MS }: OutsideRun,
): Promise<LeasedJob | null> {
  const newEnd = (): Date => new Date(ctx.now().getTime() + LEASE_S * 1_000);
  /** By the process' monotonic clock, which doesn't jump and continues while the process is frozen. */
  let until_ms = performance.now() + LEASE_S * 1_000;
  const leased = await ctx.writes.transaction((tx) => leaseJob(tx, row, newEnd()));
  if (!leased) return null;
  let job = leased;

  const lost = new AbortController();
  const stopped = new AbortController();
  const timeout = AbortSignal.timeout(timeout_s * 1_000);
  let finishTimer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (finishes) finishTimer = setTimeout(() => stopped.abort(stopping.reason), FINISH_MS);
    else stopped.abort(stopping.reason);
  };
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { once: true });

  const renew = async (): Promise<void> => {
    const began_ms = performance.now();
    const leased_until = newEnd().toISOString();
    if (!(await ctx.writes.transaction((tx) => renewLease(tx, job, leased_until))))
      return lost.abort(new LeaseLost());
    job = { ...job, leased_until };
    until_ms = began_ms + LEASE_S * 1_000;
  };
  /** One at a time: a check must not see a lease that is being renewed. */
  let queue: Promise<unknown> = Promise.resolve();
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };
  let isRenewing = false;
  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    // While the database is unreachable, the lease runs out.
    void enqueue(renew)
      .catch(() => {})
      .finally(() => {
        isRenewing = false;
      });
  }, renewEveryMs);
  timer.unref();

  return {
    stored: () => job,
    signal: AbortSignal.any([timeout, lost.signal, stopped.signal]),
    cancelled: AbortSignal.any([timeout, lost.signal, ...(finishes ? [] : [stopping])]),
    mayContinue: async () => {
      if (!(await enqueue(() => hasLease(ctx.db, job)))) lost.abort(new LeaseLost());
      // Checked last: the process may have been frozen at any point before.
      const isOver =
        performance.now() >= until_ms || (job.leased_until ?? '') <= ctx.now().toISOString();
      return !isOver && !stopping.aborted && !timeout.aborted && !lost.signal.aborted;
    },
    stopRenewing: async () => {
      clearInterval(timer);
      clearTimeout(finishTimer);
      stopping.removeEventListener('abort', stop);
      await queue;
    },
  };
}
