import type { Logger } from 'pino';
import type { z } from 'zod';
import type { ChangeRecorder } from '../db/change-set.ts';
import type { Peers } from '../db/clock/peers.ts';
import type { ServerClock } from '../db/clock/server-clock.ts';
import type { Db, Reading, Tx } from '../db/open.ts';
import type { Post } from '../notifications/outbound/post.ts';
import type { ReadVapid } from '../notifications/push/web-push.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Writing } from './writing.ts';

/** What a handler is told of its job. */
export interface Job<P> {
  key: string;
  payload: P;
  due_at: Date;
  /** The how manieth time this is, from 1. */
  attempt: number;
}

/** What jobs work with. */
export interface JobContext extends Reading, Writing {
  log: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
  clock: Pick<ServerClock, 'deletionPaused'>;
  peers: Pick<Peers, 'differing'>;
  metrics: Pick<Metrics, 'registry' | 'jobsFailed' | 'deliveries'>;
  post: Post;
  vapid: ReadVapid;
}

/** What tells when a job comes next. In a write the database is the transaction. */
export type Timing = Pick<JobContext, 'env' | 'now'> & { db: Db | Tx };

interface AnyKind<P> {
  /** Stored with each job, so it must not change; `subject.deed`. */
  kind: string;
  payload: z.ZodType<P>;
  /** It notifies people outside, so it waits while notifications are paused. */
  notifies?: true;
  /** Deletes by age, so its runs are skipped while the clock may be wrong (`ServerClock.deletionPaused`). */
  deletes_by_age?: true;
  /** How long to wait after each failure, in seconds; after the last of them it is given up, or waits for its next turn. */
  retry_after_s?: readonly number[];
  /**
   * Of what comes again and again, always with the key '' and the payload null: the next absolute time after now, or null
   * while the settings switch it off. It is stored at the start where it is missing, and in the very write that runs it.
   */
  next?: (ctx: Timing) => Date | null | Promise<Date | null>;
}

/** Runs in a write, under the clock lock, exactly once: the job goes with the same transaction. */
export interface InsideKind<P> extends AnyKind<P> {
  runs: 'inside';
  /** Looks whether there is anything to do, before anything is locked; where there is not, no clock moves. */
  isNeeded?(ctx: JobContext): Promise<boolean>;
  /**
   * Awaits nothing but the database, and may put changes and add jobs.
   * @returns 'more' where it left something to do, so as not to keep other writes waiting: it then runs again soon
   */
  run(ctx: JobContext, tx: Tx, changes: ChangeRecorder, job: Job<P>): Promise<'more' | undefined>;
}

/** What a run outside heeds. */
export interface Held {
  /** Aborts when it took too long, another server has the job, or this one stops. */
  signal: AbortSignal;
  /**
   * Asked before each piece of it, where there are several: whether this server still has the job, after however long it was
   * frozen, and does not stop.
   */
  mayGoOn: () => Promise<boolean>;
}

/** Writes what came of a job that ran outside, in the transaction in which the job goes; it may add the job anew. */
export type Settle = (tx: Tx, changes: ChangeRecorder) => Promise<void>;

/** Runs where the network or a file is awaited, at least once: again where a server died meanwhile. */
export interface OutsideKind<P> extends AnyKind<P> {
  runs: 'outside';
  /** How many of the kind a server runs at once. Those of another kind do not wait for them. */
  at_once: number;
  /** How many of those need the same one (`via` of the job), so that no one who hangs holds all places. */
  a_share?: number;
  /** How long it may take, in seconds; then it has failed. */
  within_s: number;
  /** What it has begun may come to its end when the server stops, as long as stopping waits; otherwise it is aborted at once. */
  finishes?: true;
  /** What is written about it nobody sees who watches: no clock moves, and what is put is told to nobody. */
  unseen?: true;
  /** @returns what to write about it */
  run(ctx: JobContext, job: Job<P>, held: Held): Promise<Settle | undefined>;
}

export type JobKind<P> = InsideKind<P> | OutsideKind<P>;

/** About a day and a half, if the kind does not say otherwise. */
const RETRY_AFTER_S: readonly number[] = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200];

/** When a job is tried again that has failed so many times; null: never. */
export function retryAt({ retry_after_s = RETRY_AFTER_S }: JobKind<unknown>, failures: number, now: Date): Date | null {
  const seconds = retry_after_s[failures - 1];
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1_000);
}

/** When what comes again and again is due next; null: never. At least a second away, whatever the kind thinks. */
export async function nextTurn({ next }: JobKind<unknown>, ctx: Timing): Promise<Date | null> {
  const at = await next?.(ctx);
  return at ? new Date(Math.max(at.getTime(), ctx.now().getTime() + 1_000)) : null;
}

const HOUR_MS = 3_600_000;

/** For what need not be punctual: the next full hour. */
export const nextHour = ({ now }: Pick<JobContext, 'now'>): Date => new Date((Math.floor(now().getTime() / HOUR_MS) + 1) * HOUR_MS);
