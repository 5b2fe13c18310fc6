import { type ChangeRecorder, discardChanges } from '../db/change-set.ts';
import { DatabaseAway } from '../db/failures.ts';
import type { Tx } from '../db/open.ts';
import { write } from '../db/unit-of-work.ts';
import { addJob } from './add.ts';
import { type HeldJob, type HoldOptions, holdJob, NotOurs } from './held.ts';
import { type InsideKind, type Job, type JobContext, type JobKind, nextTurn, type OutsideKind, retryAt, type Settle } from './kind.ts';
import { endLeased, giveBack, noteFailure, type StoredJob, storeJob, takeDue } from './stored.ts';

/** What left something to do does the rest so much later, in milliseconds: everything else has its turn in between. */
const MORE_AFTER_MS = 1_000;

function jobOf<P>(kind: JobKind<P>, { key, payload, due_at }: StoredJob, attempt: number): Job<P> {
  return { key, due_at: new Date(due_at), attempt, payload: kind.payload.parse(JSON.parse(payload)) };
}

async function addTurn(ctx: JobContext, tx: Tx, changes: ChangeRecorder, kind: JobKind<unknown>): Promise<void> {
  const due_at = await nextTurn(kind, { ...ctx, db: tx });
  if (due_at) await addJob(tx, changes, kind, { key: '', due_at, payload: null });
}

/**
 * Runs a job in a write of its own, which takes it away: so it runs once, whichever servers try.
 * @returns whether what became of it is stored; it is not while the database is away
 */
export async function runInside(ctx: JobContext, kind: InsideKind<unknown>, row: StoredJob): Promise<boolean> {
  try {
    const isPaused = kind.deletes_by_age && ctx.clock.deletionPaused() !== null;
    if (isPaused || (kind.isNeeded && !(await kind.isNeeded(ctx)))) {
      await ctx.writes.transaction((tx) => putOff(ctx, tx, kind, row));
      return true;
    }
    await write(ctx, async (tx, changes) => {
      // It may have been moved, too: what is stored now counts.
      const due = await takeDue(tx, row.id, ctx.now());
      if (!due) throw new NotOurs();
      await addTurn(ctx, tx, changes, kind);
      const job = jobOf(kind, due, due.attempts + 1);
      const left = await kind.run(ctx, tx, changes, job);
      if (left === 'more') await addJob(tx, changes, kind, { ...job, due_at: new Date(ctx.now().getTime() + MORE_AFTER_MS) });
    });
    return true;
  } catch (error) {
    return error instanceof NotOurs || failed(ctx, kind, row, row.attempts + 1, error);
  }
}

/** Nobody is told: nothing that anybody sees has changed. */
async function putOff(ctx: JobContext, tx: Tx, kind: JobKind<unknown>, row: StoredJob): Promise<void> {
  const due = await takeDue(tx, row.id, ctx.now());
  const next = await nextTurn(kind, { ...ctx, db: tx });
  if (due && next) await storeJob(tx, { kind: kind.kind, key: '', due_at: next.toISOString(), payload: 'null' });
}

/**
 * Takes a job for some time, runs it, and writes what came of it.
 * @param stopping aborts when the server stops: what does not end by itself then is given back
 * @returns as `runInside`
 */
export async function runOutside(
  ctx: JobContext,
  kind: OutsideKind<unknown>,
  row: StoredJob,
  stopping: AbortSignal,
  options?: HoldOptions,
): Promise<boolean> {
  let held: HeldJob | null = null;
  try {
    held = await holdJob(ctx, kind, row, stopping, options);
    if (!held) return true;
    stopping.throwIfAborted();
    const { attempts } = held.stored();
    const settle = await endsWith(held.over, kind.run(ctx, jobOf(kind, held.stored(), attempts), held));
    await held.end();
    const job = held.stored();
    const end: Settle = async (tx, changes) => {
      const ended = await endLeased(tx, job);
      if (ended === 'lost') throw new NotOurs();
      if (ended === 'ended') await addTurn(ctx, tx, changes, kind);
      await settle?.(tx, changes);
    };
    if (kind.unseen) await ctx.writes.transaction((tx) => end(tx, discardChanges()));
    else await write(ctx, end);
    return true;
  } catch (error) {
    await held?.end();
    if (error instanceof NotOurs) return true;
    const job = held?.stored();
    if (!stopping.aborted || !job) return failed(ctx, kind, job ?? row, job?.attempts ?? row.attempts + 1, error);
    // Where that fails, too, its time runs out.
    return isDone(ctx.writes.transaction((tx) => giveBack(tx, job)));
  }
}

/** What does not heed its signal is not waited for. */
async function endsWith<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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

async function failed(ctx: JobContext, kind: JobKind<unknown>, job: StoredJob, attempts: number, error: unknown): Promise<boolean> {
  ctx.metrics.jobsFailed.inc({ kind: kind.kind });
  const now = ctx.now();
  // While the database is away the failure cannot be stored, either.
  const [again, turn] = [retryAt(kind, attempts, now), await nextTurn(kind, ctx).catch(() => null)];
  const next = again && turn ? new Date(Math.min(again.getTime(), turn.getTime())) : (again ?? turn);
  const given_up_at = next ? null : now.toISOString();
  const due_at = next?.toISOString() ?? job.due_at;
  // That the database is away has been said.
  if (!(error instanceof DatabaseAway)) {
    const { kind: of, key } = job;
    ctx.log.error(
      { err: error, job: { kind: of, key, attempts } },
      given_up_at ? 'a job failed and is given up' : `a job failed, again at ${due_at}`,
    );
  }
  const last_error = error instanceof Error ? error.message : String(error);
  return isDone(ctx.writes.transaction((tx) => noteFailure(tx, job, { attempts, last_error, due_at, given_up_at })));
}

const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
