import { z } from 'zod';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Db, Tx } from '../../db/open.ts';
import { addJob } from '../../jobs/add.ts';
import { daysBefore } from '../../jobs/forgetting.ts';
import { type InsideKind, type JobContext, nextHour } from '../../jobs/kind.ts';
import { destinationRecord, type StoredDestination } from '../channels/queries.ts';
import { LONGEST_WAIT_MS, SEND_JOB } from '../channels/send-job.ts';
import { countWaiting, newestNews } from '../channels/waiting.ts';

/**
 * News that a destination could not be told for so many days, or that so many came after, is told to it no more: thirty, and one
 * by which the clock may have leapt.
 */
const KEPT_DAYS = 31;
/** What happened within so many hours is forgotten at one look for its age: however far the clock leapt, no more is lost. */
const FORGOTTEN_HOURS = 2;
export const MOST_NEWS = 100_000;
const HOUR_MS = 3_600_000;
const NEVER = '2000-01-01T00:00:00.000Z';
/** Rows that a write forgets at most, or others would wait for it. */
const FORGOTTEN_AT_ONCE = 1_000;

const listening = (db: Db | Tx): Promise<StoredDestination[]> =>
  db
    .selectFrom('destinations')
    .selectAll()
    .where((where) => where('is_enabled', '=', where.lit(1)))
    .orderBy('id')
    .execute();

/** Forgets news, some at once, that everybody who listens has done with. @returns whether there may be more */
export async function forgetPassed(tx: Tx): Promise<boolean> {
  const places = (await listening(tx)).map(({ place }) => place);
  return forgetUntil(tx, places.length > 0 ? Math.min(...places) : await newestNews(tx));
}

async function forgetUntil(tx: Tx, id: number): Promise<boolean> {
  const old = tx.selectFrom('news').select('id').where('id', '<=', id).orderBy('id').limit(FORGOTTEN_AT_ONCE);
  const gone = await tx.deleteFrom('news').where('id', 'in', old).executeTakeFirst();
  return Number(gone.numDeletedRows) === FORGOTTEN_AT_ONCE;
}

/** The newest news that is too old to be told, as far as one look forgets it. */
async function oldestKept(tx: Tx, now: Date): Promise<number> {
  const first = await tx.selectFrom('news').select(['id', 'at']).orderBy('id').limit(FORGOTTEN_AT_ONCE).execute();
  const most = new Date(Date.parse(first[0]?.at ?? NEVER) + FORGOTTEN_HOURS * HOUR_MS).toISOString();
  const old = first.findLast(({ at }) => at < most && at < daysBefore(now, KEPT_DAYS));
  return old?.id ?? 0;
}

/**
 * Hour by hour: forgets news that nobody is told any more, and wakes whoever a clock that has leapt would have waited for long.
 */
export const forgetNews: InsideKind<null> = {
  kind: 'news.forget',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async ({ db }) => (await db.selectFrom('news').select('id').limit(1).executeTakeFirst()) !== undefined,
  run: async (ctx, tx, changes) => {
    const areTooMany = await forgetUntil(tx, (await newestNews(tx)) - MOST_NEWS);
    // What is left of that has its turn in an hour: a clock that has leapt may be right again by then.
    if (!ctx.clock.deletionPaused()) await forgetUntil(tx, await oldestKept(tx, ctx.now()));
    for (const destination of await listening(tx)) await lookAfter(ctx, tx, changes, destination);
    return (await forgetPassed(tx)) || areTooMany ? 'more' : undefined;
  },
};

async function lookAfter(ctx: JobContext, tx: Tx, changes: ChangeRecorder, destination: StoredDestination): Promise<void> {
  const waiting = await countWaiting(tx, destination);
  const longest = new Date(ctx.now().getTime() + LONGEST_WAIT_MS).toISOString();
  const isAsleep = waiting > 0 && (await isSleeping(tx, destination, longest));
  const after = {
    ...destination,
    // What it does not hear need not wait for it.
    place: waiting === 0 ? Math.max(destination.place, await newestNews(tx)) : destination.place,
    waiting: destination.next_try_at === null ? Math.min(destination.waiting, waiting) : waiting,
    next_try_at: isAsleep || waiting === 0 ? null : destination.next_try_at,
  };
  if (isAsleep) await addJob(tx, changes, SEND_JOB, { key: String(destination.id), due_at: ctx.now(), payload: null });
  const { place, waiting: shown, next_try_at } = after;
  await tx.updateTable('destinations').set({ place, waiting: shown, next_try_at }).where('id', '=', destination.id).execute();
  if (shown !== destination.waiting || next_try_at !== destination.next_try_at) {
    changes.put({ kind: 'destination', record: destinationRecord(after) });
  }
}

/** Whether nobody will send what waits for as long as anybody ever waits. */
async function isSleeping(tx: Tx, { id, next_try_at }: StoredDestination, longest: string): Promise<boolean> {
  const job = await tx
    .selectFrom('jobs')
    .select(['due_at', 'given_up_at'])
    .where('kind', '=', SEND_JOB.kind)
    .where('key', '=', String(id))
    .executeTakeFirst();
  return !job || job.given_up_at !== null || job.due_at > longest || (next_try_at ?? '') > longest;
}
