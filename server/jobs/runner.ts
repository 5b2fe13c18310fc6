import { Gauge } from 'prom-client';
import { DatabaseAway } from '../db/errors.ts';
import { defineMemory } from '../db/memory.ts';
import { inTime } from '../db/promises.ts';
import type { WriteHook } from '../db/unit-of-work.ts';
import { onBehalfOfAll } from '../db/write-queue.ts';
import { createLogLimit } from '../http/log-limit.ts';
import { expireDeadlines } from './deadlines.ts';
import { type JobContext, type JobKind, nextRun } from './job-kind.ts';
import {
  countDue,
  nextJobs,
  notificationsPausedAt,
  recurringJobs,
  type StoredJob,
  storeJob,
  wakeTimes,
} from './job-store.ts';
import { type LeaseOptions, runInside, runOutside } from './run-job.ts';

/** Look for due work at least this often, in milliseconds: clocks jump, and other servers store jobs and deadlines, or die. */
const LOOK_EVERY_MS = 5_000;
/** Minimum time between two runs, in milliseconds, so that other work runs in between. */
const MIN_PAUSE_MS = 20;
/** Jobs that are started at once. */
export const JOBS_A_LOOK = 50;
/** How long stopping waits for running jobs, in milliseconds; the next server runs the others again. */
const STOP_MS = 2_000;
/** How long /metrics waits for the count, in milliseconds; if the database doesn't answer, it reports the last one. */
const COUNT_MS = 500;

/** Wakes this process's job runner. A no-op where no runner is attached (command-line tools). */
interface JobWaker {
  wake: (due_at: string) => void;
  /** Attaches the runner. @returns a function that detaches it */
  listen: (listener: (due_at: string) => void) => () => void;
}

function createJobWaker(): JobWaker {
  let current: ((due_at: string) => void) | null = null;
  return {
    wake: (due_at) => current?.(due_at),
    listen: (listener) => {
      current = listener;
      return () => {
        if (current === listener) current = null;
      };
    },
  };
}

/** Wakes this server's runner for what a write stored. */
const jobWaker = defineMemory(createJobWaker);

export const wakeRunner: WriteHook = {
  committed: ({ ctx, changes }) => {
    for (const at of changes.collect(wakeTimes)) jobWaker(ctx).wake(at);
  },
};

export interface Jobs {
  /**
   * Expires deadlines and starts due jobs. After the first call, the runner's own timer continues.
   * @returns when jobs inside transactions are done; others may still run
   */
  runDue: () => Promise<void>;
  /** Starts no more jobs, aborts running ones and waits for them, `STOP_MS` at most. */
  stop: () => Promise<void>;
}

export interface JobsOptions extends LeaseOptions {
  everyMs?: number;
}

/** Runs this server's share of the stored jobs, and expires deadlines when no caller writes. */
export function createJobs(
  ctx: JobContext,
  kinds: readonly JobKind<unknown>[],
  { everyMs = LOOK_EVERY_MS, ...lease }: JobsOptions = {},
): Jobs {
  const known = new Map(kinds.map((kind) => [kind.kind, kind]));
  const stopping = new AbortController();
  /** Jobs that run outside a transaction, by id. */
  const outside = new Map<
    number,
    Pick<StoredJob, 'kind' | 'receiver'> & { done: Promise<unknown> }
  >();
  let timer: NodeJS.Timeout | undefined;
  /** When the timer is set to; null: to the next regular look. */
  let wakeAt: string | null = null;
  let looking: Promise<void> | null = null;
  let lookAgain = false;

  const limitLog = createLogLimit();
  /** Each look may fail for the same reason. An unreachable database is logged elsewhere. */
  const logFailure = (error: unknown, message: string): void => {
    if (error instanceof DatabaseAway) return;
    limitLog(message, (left_out) =>
      ctx.log.error({ err: error, ...(left_out > 0 ? { left_out } : {}) }, message),
    );
  };
  const setTimer = (due_at: string | null): void => {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    wakeAt = due_at;
    const away = due_at === null ? everyMs : Date.parse(due_at) - ctx.now().getTime();
    timer = setTimeout(() => void runDue(), Math.min(Math.max(away, MIN_PAUSE_MS), everyMs));
  };
  const wake = (due_at: string): void => {
    if (looking) lookAgain = true;
    else if (wakeAt === null || due_at < wakeAt) setTimer(due_at);
  };
  const stopListening = jobWaker(ctx).listen(wake);
  measureDue(ctx, known);

  const running = (of: string) => [...outside.values()].filter(({ kind }) => kind === of);
  /** Only a restore into an empty database pauses notifications, so once they are not paused they never are again. */
  let isPaused = true;
  const isFull = (kind: JobKind<unknown>): boolean =>
    kind.runs === 'outside' && running(kind.kind).length >= kind.max_running;
  /** Receivers that already have as many running jobs as the kind allows. */
  const busyReceivers = (kind: JobKind<unknown>): Pick<StoredJob, 'kind' | 'receiver'>[] => {
    if (kind.runs === 'inside' || kind.max_running_per_receiver === undefined) return [];
    const most = kind.max_running_per_receiver;
    const all = running(kind.kind).map(({ receiver }) => receiver);
    const full = [...new Set(all)].filter(
      (one) => one !== null && all.filter((receiver) => receiver === one).length >= most,
    );
    return full.map((receiver) => ({ kind: kind.kind, receiver }));
  };

  /** @returns whether the outcome is stored, or the job runs outside */
  const run = async (job: StoredJob): Promise<boolean> => {
    const kind = known.get(job.kind);
    if (
      !kind ||
      isFull(kind) ||
      busyReceivers(kind).some(({ receiver }) => receiver === job.receiver)
    )
      return true;
    if (kind.runs === 'inside') return runInside(ctx, kind, job);
    if (stopping.signal.aborted) return true;
    const done = runOutside(ctx, { kind, row: job, stopping: stopping.signal, ...lease }).then(
      (isStored) => {
        outside.delete(job.id);
        // Another job may have waited for its place, or this one was added again.
        if (isStored) wake(ctx.now().toISOString());
      },
    );
    outside.set(job.id, { kind: kind.kind, receiver: job.receiver, done });
    return true;
  };

  /** @returns when to look again; null: with the next regular look */
  const runJobs = async (): Promise<string | null> => {
    await addMissing(ctx, kinds);
    const now = ctx.now();
    isPaused &&= (await notificationsPausedAt(ctx.db)) !== null;
    const free = kinds.filter((kind) => !isFull(kind) && !(kind.notifies && isPaused));
    if (free.length === 0) return null;
    const next = await nextJobs(ctx.db, now, {
      kinds: free.map(({ kind }) => kind),
      except: free.flatMap(busyReceivers),
      most: JOBS_A_LOOK + outside.size,
      aheadMs: LOOK_EVERY_MS,
    });
    const jobs = next.filter(({ id }) => !outside.has(id));
    const due = jobs.filter(({ due_at }) => due_at <= now.toISOString());
    // All at once: they queue in their order, and may share a commit.
    const stored = await Promise.all(due.map(run));
    if (!stored.every(Boolean)) return null;
    // A job may have added others that are due.
    if (due.some(({ id }) => !outside.has(id)) || due.length >= JOBS_A_LOOK)
      return now.toISOString();
    return jobs[due.length]?.due_at ?? null;
  };

  /** @returns when the next deadline is; null: none, or it is tried again with the next regular look */
  const expireDue = async (): Promise<string | null> => {
    try {
      return await expireDeadlines(ctx);
    } catch (error) {
      logFailure(error, `expiring deadlines failed; retry in ${everyMs / 1_000} s`);
      return null;
    }
  };

  const lookOnce = async (): Promise<void> => {
    let next: string | null = null;
    try {
      // Called from a write's hook, this would otherwise run with that caller's authorization.
      next = await onBehalfOfAll(async () => {
        // A server with other settings would apply other rules.
        if (ctx.peers.differing().length > 0) return null;
        const times = await Promise.all([expireDue(), runJobs()]);
        return times.filter((at) => at !== null).sort()[0] ?? null;
      });
    } catch (error) {
      logFailure(error, 'looking for due jobs failed');
    }
    looking = null;
    setTimer(lookAgain ? ctx.now().toISOString() : next);
    lookAgain = false;
  };
  const runDue = async (): Promise<void> => {
    // A look under way may have read the time before.
    while (looking) await looking;
    if (stopping.signal.aborted) return;
    looking = lookOnce();
    await looking;
  };

  return {
    runDue,
    stop: async () => {
      stopping.abort(new Error('the server stops'));
      stopListening();
      clearTimeout(timer);
      const idle = async (): Promise<void> => {
        await looking;
        await Promise.allSettled([...outside.values()].map(({ done }) => done));
      };
      await inTime(STOP_MS, idle());
    },
  };
}

/**
 * Stores missing recurring jobs, due at once, and reschedules those due later than their next regular run: the clock
 * was ahead when they were stored, or the settings have changed.
 */
async function addMissing(ctx: JobContext, kinds: readonly JobKind<unknown>[]): Promise<void> {
  const found = await Promise.all(
    kinds.map(async (kind) => ({ kind: kind.kind, next: await nextRun(kind, ctx) })),
  );
  const recurring = found.flatMap(({ kind, next }) =>
    next ? [{ kind, latest: next.toISOString() }] : [],
  );
  const names = recurring.map(({ kind }) => kind);
  if (names.length === 0) return;
  const stored = new Map(
    (await recurringJobs(ctx.db, names)).map(({ kind, due_at }) => [kind, due_at]),
  );
  const missing = recurring.filter(({ kind, latest }) => (stored.get(kind) ?? '9') > latest);
  if (missing.length === 0) return;
  const due_at = ctx.now().toISOString();
  await ctx.writes.transaction(async (tx) => {
    for (const { kind, latest } of missing)
      await storeJob(tx, { kind, key: '', due_at, payload: 'null' }, latest);
  });
}

/** Kinds that this server doesn't know are counted together. */
function measureDue(
  { metrics: { registry }, db, now }: JobContext,
  known: ReadonlyMap<string, unknown>,
): void {
  const name = 'claimboard_jobs_due';
  const count = async (gauge: Gauge<'kind'>): Promise<void> => {
    const counted = await countDue(db, now());
    gauge.reset();
    for (const { kind, n } of counted) gauge.inc({ kind: known.has(kind) ? kind : 'unknown' }, n);
  };
  const gauge: Gauge<'kind'> = new Gauge({
    name,
    help: 'Jobs that are due and have not been run, by kind',
    labelNames: ['kind'],
    registers: [],
    collect: async () => void (await inTime(COUNT_MS, count(gauge)).catch(() => false)),
  });
  // A server that was restarted in this process replaces the metric.
  registry.removeSingleMetric(name);
  registry.registerMetric(gauge);
}
