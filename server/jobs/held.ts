import type { Held, JobContext, OutsideKind } from './kind.ts';
import { isHeld, leaseJob, renewLease, type StoredJob } from './stored.ts';

/**
 * How long a server that runs a job outside has it, in seconds; while it runs it is renewed. Where the server dies, or is frozen,
 * another one has the job after that.
 */
export const LEASE_S = 30;
/** How often it is renewed, in milliseconds: clocks of two servers may differ by the rest of it. */
const RENEW_EVERY_MS = 10_000;
/**
 * How long what was begun may go on when the server stops, in milliseconds: what came of it has to be written before stopping
 * waits no longer.
 */
const FINISH_WITHIN_MS = 1_500;

/** Thrown where a job is no longer to be run here, so that nothing is written and no clock moves. */
export class NotOurs extends Error {}

/** What tests shorten. */
export interface HoldOptions {
  renewEveryMs?: number;
}

/** A job that is run outside, from when this server took it until it ends it. */
export interface HeldJob extends Held {
  /** As it is stored; its lease as it was renewed last. */
  stored: () => StoredJob;
  /** Aborts where the run is waited for no longer, whether or not it heeds its signal. */
  over: AbortSignal;
  /** Renews it no more. */
  end: () => Promise<void>;
}

/** @returns null when another server was faster, or the job was moved */
export async function holdJob(
  ctx: Pick<JobContext, 'db' | 'writes' | 'now'>,
  { within_s, finishes }: Pick<OutsideKind<unknown>, 'within_s' | 'finishes'>,
  row: StoredJob,
  stopping: AbortSignal,
  { renewEveryMs = RENEW_EVERY_MS }: HoldOptions = {},
): Promise<HeldJob | null> {
  const leaseFrom = (): Date => new Date(ctx.now().getTime() + LEASE_S * 1_000);
  /** By the process' own clock, which goes on while it is frozen and does not leap. */
  let until_ms = performance.now() + LEASE_S * 1_000;
  const leased = await ctx.writes.transaction((tx) => leaseJob(tx, row, leaseFrom()));
  if (!leased) return null;
  let job = leased;

  const lost = new AbortController();
  const cut = new AbortController();
  const late = AbortSignal.timeout(within_s * 1_000);
  let cutting: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (finishes) cutting = setTimeout(() => cut.abort(stopping.reason), FINISH_WITHIN_MS);
    else cut.abort(stopping.reason);
  };
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { once: true });

  const renew = async (): Promise<void> => {
    const [began_ms, leased_until] = [performance.now(), leaseFrom().toISOString()];
    if (!(await ctx.writes.transaction((tx) => renewLease(tx, job, leased_until)))) return lost.abort(new NotOurs());
    job = { ...job, leased_until };
    until_ms = began_ms + LEASE_S * 1_000;
  };
  /** One after the other: what is looked at must not be renewed meanwhile. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  let isRenewing = false;
  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    // While the database is away it is renewed by nobody, and runs out.
    void inTurn(renew)
      .catch(() => {})
      .finally(() => {
        isRenewing = false;
      });
  }, renewEveryMs);
  timer.unref();

  return {
    stored: () => job,
    signal: AbortSignal.any([late, lost.signal, cut.signal]),
    over: AbortSignal.any([late, lost.signal, ...(finishes ? [] : [stopping])]),
    mayGoOn: async () => {
      if (!(await inTurn(() => isHeld(ctx.db, job)))) lost.abort(new NotOurs());
      // Looked at last of all, as a process may be frozen anywhere.
      const isOver = performance.now() >= until_ms || (job.leased_until ?? '') <= ctx.now().toISOString();
      return !isOver && !stopping.aborted && !late.aborted && !lost.signal.aborted;
    },
    end: async () => {
      clearInterval(timer);
      clearTimeout(cutting);
      stopping.removeEventListener('abort', stop);
      await turn;
    },
  };
}
