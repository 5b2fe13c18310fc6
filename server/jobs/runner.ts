import { DatabaseAway } from '../db/failures.ts';
import { inTime } from '../db/in-time.ts';
import { onBehalfOfAll } from '../db/write-queue.ts';
import type { JobBell } from './bell.ts';
import { expireDeadlines } from './deadlines.ts';
import type { HoldOptions } from './held.ts';
import { type JobContext, type JobKind, nextTurn } from './kind.ts';
import { measureJobs } from './measure.ts';
import { notificationsPausedAt } from './paused.ts';
import { runInside, runOutside } from './run.ts';
import { nextJobs, recurringJobs, type StoredJob, storeJob } from './stored.ts';

/** How often is looked whatever is due, in milliseconds: clocks leap, and other servers store jobs, or die running one. */
export const LOOK_EVERY_MS = 5_000;
/** Between two looks at least, in milliseconds: however many are due, everything else has its turn. */
const LEAST_PAUSE_MS = 20;
/** Jobs that one look runs. */
export const JOBS_A_LOOK = 50;
/** How long stopping waits for what is under way, in milliseconds; what is not done by then is run again by the next server. */
const STOP_WITHIN_MS = 2_000;

export interface Jobs {
  /** Runs what is due. Begins by itself once it was called. @returns when that was run; what runs outside may go on */
  look: () => Promise<void>;
  /** Begins no more, has what runs outside end and waits for it, a few seconds at most. */
  stop: () => Promise<void>;
}

export interface JobsOptions extends HoldOptions {
  everyMs?: number;
}

/** Runs, on this server, what was stored to be done later: from the first look on until it is stopped. */
export function createJobs(
  ctx: JobContext & { jobs: JobBell },
  kinds: readonly JobKind<unknown>[],
  { everyMs = LOOK_EVERY_MS, ...hold }: JobsOptions = {},
): Jobs {
  const known = new Map(kinds.map((kind) => [kind.kind, kind]));
  const stopping = new AbortController();
  /** What runs outside, by the job's id. */
  const outside = new Map<number, Pick<StoredJob, 'kind' | 'via'> & { done: Promise<unknown> }>();
  let timer: NodeJS.Timeout | undefined;
  /** What the timer waits for: nothing that is due later needs another one. */
  let awaited: string | null = null;
  let looking: Promise<void> | null = null;
  let isRung = false;

  const arm = (due_at: string | null): void => {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    awaited = due_at;
    const away = due_at === null ? everyMs : Date.parse(due_at) - ctx.now().getTime();
    timer = setTimeout(() => void look(), Math.min(Math.max(away, LEAST_PAUSE_MS), everyMs));
  };
  const ring = (due_at: string): void => {
    if (looking) isRung = true;
    else if (awaited === null || due_at < awaited) arm(due_at);
  };
  const stopListening = ctx.jobs.listen(ring);
  measureJobs(ctx, known);

  const running = (of: string) => [...outside.values()].filter(({ kind }) => kind === of);
  /** Whether notifications are paused. Only a restore into an empty database begins that, so once they are not they never are. */
  let isPaused = true;
  const isFull = (kind: JobKind<unknown>): boolean => kind.runs === 'outside' && running(kind.kind).length >= kind.at_once;
  /** Whose share of a kind's places is taken. */
  const takenShares = (kind: JobKind<unknown>): Pick<StoredJob, 'kind' | 'via'>[] => {
    if (kind.runs === 'inside' || kind.a_share === undefined) return [];
    const [most, all] = [kind.a_share, running(kind.kind).map(({ via }) => via)];
    const full = [...new Set(all)].filter((one) => one !== null && all.filter((via) => via === one).length >= most);
    return full.map((via) => ({ kind: kind.kind, via }));
  };

  /** @returns whether what became of it is stored, or it goes on outside */
  const run = async (job: StoredJob): Promise<boolean> => {
    const kind = known.get(job.kind);
    if (!kind || isFull(kind) || takenShares(kind).some(({ via }) => via === job.via)) return true;
    if (kind.runs === 'inside') return runInside(ctx, kind, job);
    if (stopping.signal.aborted) return true;
    const done = runOutside(ctx, kind, job, stopping.signal, hold).then((isStored) => {
      outside.delete(job.id);
      // Another one may have waited for its place, or this one was added anew.
      if (isStored) ring(ctx.now().toISOString());
    });
    outside.set(job.id, { kind: kind.kind, via: job.via, done });
    return true;
  };

  /** @returns when to look again, as an instant; null: in its time */
  const runDue = async (): Promise<string | null> => {
    await addMissing(ctx, kinds);
    const now = ctx.now();
    isPaused &&= (await notificationsPausedAt(ctx.db)) !== null;
    const free = kinds.filter((kind) => !isFull(kind) && !(kind.notifies && isPaused));
    if (free.length === 0) return null;
    const [names, but, most] = [free.map(({ kind }) => kind), free.flatMap(takenShares), JOBS_A_LOOK + outside.size];
    const next = await nextJobs(ctx.db, now, { kinds: names, but, most, aheadMs: LOOK_EVERY_MS });
    const jobs = next.filter(({ id }) => !outside.has(id));
    const due = jobs.filter(({ due_at }) => due_at <= now.toISOString());
    // All at once: they wait for their turns in their order, and may share a commit.
    const stored = await Promise.all(due.map(run));
    if (!stored.every(Boolean)) return null;
    // What has run may have left something behind that is due, too.
    if (due.some(({ id }) => !outside.has(id)) || due.length >= JOBS_A_LOOK) return now.toISOString();
    return jobs[due.length]?.due_at ?? null;
  };

  /** @returns when the next deadline is; null: none, or this one is tried again with the next regular look */
  const expireDue = async (): Promise<string | null> => {
    try {
      return await expireDeadlines(ctx);
    } catch (error) {
      if (!(error instanceof DatabaseAway)) ctx.log.error({ err: error }, `expiring deadlines failed; retry in ${everyMs / 1_000} s`);
      return null;
    }
  };

  const lookOnce = async (): Promise<void> => {
    let next: string | null = null;
    try {
      // A ring carries over on whose behalf the job was stored.
      next = await onBehalfOfAll(async () => {
        // It would go by other rules than the servers that agree.
        if (ctx.peers.differing().length > 0) return null;
        const times = await Promise.all([expireDue(), runDue()]);
        return times.filter((at) => at !== null).sort()[0] ?? null;
      });
    } catch (error) {
      // That the database is away has been said.
      if (!(error instanceof DatabaseAway)) ctx.log.error({ err: error }, 'looking for due jobs failed');
    }
    looking = null;
    arm(isRung ? ctx.now().toISOString() : next);
    isRung = false;
  };
  const look = async (): Promise<void> => {
    // One that is under way may have asked for the time already.
    while (looking) await looking;
    if (stopping.signal.aborted) return;
    looking = lookOnce();
    await looking;
  };

  return {
    look,
    stop: async () => {
      stopping.abort(new Error('the server stops'));
      stopListening();
      clearTimeout(timer);
      const idle = async (): Promise<void> => {
        await looking;
        await Promise.allSettled([...outside.values()].map(({ done }) => done));
      };
      await inTime(STOP_WITHIN_MS, idle());
    },
  };
}

/**
 * What comes again and again and is not stored is due at once; so is what is due later than its next turn: the clock was
 * ahead when that was stored, or the settings are others now.
 */
async function addMissing(ctx: JobContext, kinds: readonly JobKind<unknown>[]): Promise<void> {
  const found = await Promise.all(kinds.map(async (kind) => ({ kind: kind.kind, turn: await nextTurn(kind, ctx) })));
  const turns = found.flatMap(({ kind, turn }) => (turn ? [{ kind, latest: turn.toISOString() }] : []));
  const names = turns.map(({ kind }) => kind);
  if (names.length === 0) return;
  const stored = new Map((await recurringJobs(ctx.db, names)).map(({ kind, due_at }) => [kind, due_at]));
  const missing = turns.filter(({ kind, latest }) => (stored.get(kind) ?? '9') > latest);
  if (missing.length === 0) return;
  const due_at = ctx.now().toISOString();
  await ctx.writes.transaction(async (tx) => {
    for (const { kind, latest } of missing) await storeJob(tx, { kind, key: '', due_at, payload: 'null' }, latest);
  });
}
