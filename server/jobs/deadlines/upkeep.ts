import { affectedWaitlists } from '../../board/waitlist/affected-waitlists.ts';
import { apart } from '../../db/apart.ts';
import type { ChangeRecorder, ClockRow } from '../../db/change-set.ts';
import { isOfDatabase } from '../../db/failures.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { WriteHook } from '../../db/unit-of-work.ts';
import { addJob, removeJob } from '../add.ts';
import type { Upkeep, Writing } from '../writing.ts';
import { deadlineChanges } from './deadline-changes.ts';
import { endsByItself } from './job.ts';
import type { DueSource } from './source.ts';
import type { Troubled } from './troubled.ts';

/** Runs `Upkeep` in each write that needs it. */
export const keepDeadlines = (ctx: Writing): WriteHook => ({
  before: async ({ at, clock, tx, changes }) => {
    const isDue = clock.next_due !== null && clock.next_due <= at.toISOString();
    if (isDue || (changes.collect(affectedWaitlists).any && clock.open_waits > 0)) await ctx.upkeep.settle(ctx, tx, changes, clock);
  },
  after: async ({ clock, tx, changes }) => {
    const isAffected = changes.collect(affectedWaitlists).any && clock.open_waits > 0;
    if (changes.collect(deadlineChanges).moved || isAffected) await ctx.upkeep.serve(ctx, tx, changes, clock);
  },
});

/**
 * Offers freed hours to the next on the waitlists that the write touched.
 * @param isServed whether to look at the waitlist of a spot and date (`lineOf`); asked for each that was touched
 */
export type Serve = (ctx: Writing, tx: Tx, changes: ChangeRecorder, isServed: (line: string) => boolean) => Promise<void>;

/** When a source is to be settled next. */
interface Next {
  source: DueSource;
  at: string;
}

/** Rolls back a trial that succeeded. */
class TrialSucceeded extends Error {}

/** The back-off of the waitlist of one spot and date. */
const waitlistOf = (line: string): Pick<DueSource, 'name'> => ({ name: `waitlist ${line}` });

/**
 * What every write does besides its own work: it expires due items, the earliest first, then offers the hours that came free,
 * so that members on a waitlist go before the caller. Each kind of due items and each offering runs in a savepoint: if it fails,
 * the write goes on without it, and it backs off for a minute. If offering fails, only the waitlists that make it fail back off;
 * the others are served. After the back-off all waitlists are looked at again.
 */
export function createUpkeep(sources: readonly DueSource[], serve: Serve, troubled: Troubled, isOurs = (): boolean => true): Upkeep {
  /** Waitlists that could not be served. Other servers notice them because something is due, yet nothing expires. */
  const failedLines = new Set<string>();
  /** Offering failed as a whole, or because of no waitlist alone. */
  let isOwed = false;
  const waitlists: DueSource = { name: 'waitlists', earliest: async () => null, settle: async () => {} };
  const all = [...sources, waitlists];
  const settingless = sources.filter(({ needsNoSettings }) => needsNoSettings);

  const isBackedOff = (line: string, now: Date): boolean => troubled.until(waitlistOf(line), now) !== null;

  /** When the first back-off of a waitlist ends; null: none is backed off. */
  const waitlistsUntil = (now: Date): string | null => {
    const until = [waitlists, ...[...failedLines].map(waitlistOf)].flatMap((each) => troubled.until(each, now) ?? []);
    return until.sort()[0] ?? null;
  };

  const nextOf = async (tx: Db | Tx, source: DueSource, now: Date): Promise<string | null> => {
    const until = source === waitlists ? waitlistsUntil(now) : troubled.until(source, now);
    if (until !== null) return until;
    try {
      return await source.earliest(tx);
    } catch (error) {
      if (isOfDatabase(error)) throw error;
      troubled.note(source, now, error);
      return troubled.until(source, now);
    }
  };

  /** The next moment of each source, the earliest first. */
  const next = async (tx: Db | Tx, now: Date, among: readonly DueSource[] = all): Promise<Next[]> => {
    const found: Next[] = [];
    for (const source of among) {
      const at = await nextOf(tx, source, now);
      if (at !== null) found.push({ source, at });
    }
    return found.sort((one, other) => (one.at < other.at ? -1 : 1));
  };

  const arm = async (tx: Tx, changes: ChangeRecorder, { next_due }: ClockRow, now: Date): Promise<void> => {
    const at = (await next(tx, now))[0]?.at ?? null;
    if (at !== next_due) await tx.updateTable('clock').set({ next_due: at }).execute();
    if (at === null) await removeJob(tx, endsByItself, '');
    else await addJob(tx, changes, endsByItself, { key: '', due_at: new Date(at), payload: null });
  };

  /** @returns whether anything was due */
  const settle = async (ctx: Writing, tx: Tx, changes: ChangeRecorder, now: Date, among = all): Promise<boolean> => {
    const moment = now.toISOString();
    const settled = new Map<DueSource, string>();
    for (let [first, second] = await next(tx, now, among); first && first.at <= moment; [first, second] = await next(tx, now, among)) {
      const { source, at } = first;
      if (at <= (settled.get(source) ?? '')) {
        troubled.note(source, now, new Error('due items did not expire'));
        continue;
      }
      const until = second && second.at < moment ? second.at : moment;
      const takeBack = changes.mark();
      const done = await apart(tx, () => source.settle(ctx, tx, changes, until));
      if ('error' in done) {
        takeBack();
        troubled.note(source, now, done.error);
      }
      settled.set(source, until);
    }
    return settled.size > 0;
  };

  /** Offers freed hours; a failure keeps no write from being stored. */
  const offer = async (ctx: Writing, tx: Tx, changes: ChangeRecorder): Promise<void> => {
    const now = ctx.now();
    if (troubled.until(waitlists, now) !== null) return void changes.collect(affectedWaitlists).take();
    const isAll = changes.collect(affectedWaitlists).copy().all;
    const seen = new Set<string>();
    const isServed = (line: string): boolean => {
      seen.add(line);
      return !isBackedOff(line, now);
    };
    const first = await tryOffer(ctx, tx, changes, isServed);
    const failing = 'error' in first ? await findFailing(ctx, tx, changes, [...seen].filter(isServed)) : [];
    for (const { line, error } of failing) {
      failedLines.add(line);
      troubled.note(waitlistOf(line), now, error);
    }
    const last = failing.length > 0 ? await tryOffer(ctx, tx, changes, isServed) : first;
    if ('error' in first) changes.collect(deadlineChanges).moved = true;
    if ('error' in last) {
      isOwed = true;
      troubled.note(waitlists, now, last.error);
      changes.collect(affectedWaitlists).take();
      return;
    }
    if (isAll) isOwed = false;
    for (const line of isAll ? failedLines : seen) if (!isBackedOff(line, now)) failedLines.delete(line);
  };

  /** Offers in a savepoint; if that fails, nothing of it remains. */
  const tryOffer = async (ctx: Writing, tx: Tx, changes: ChangeRecorder, isServed: (line: string) => boolean) => {
    const takeBack = changes.mark();
    const done = await apart(tx, () => serve(ctx, tx, changes, isServed));
    if ('error' in done) takeBack();
    return done;
  };

  /** The waitlists that fail alone, found by halves; nothing of the trials remains. */
  const findFailing = async (
    ctx: Writing,
    tx: Tx,
    changes: ChangeRecorder,
    lines: readonly string[],
  ): Promise<{ line: string; error: unknown }[]> => {
    if (lines.length === 0) return [];
    const tried = new Set(lines);
    const takeBack = changes.mark();
    const done = await apart(tx, async () => {
      await serve(ctx, tx, changes, (line) => tried.has(line));
      throw new TrialSucceeded();
    });
    takeBack();
    const error = 'error' in done ? done.error : null;
    if (error instanceof TrialSucceeded) return [];
    const [line = ''] = lines;
    if (lines.length === 1) return [{ line, error }];
    const half = Math.ceil(lines.length / 2);
    return [...(await findFailing(ctx, tx, changes, lines.slice(0, half))), ...(await findFailing(ctx, tx, changes, lines.slice(half)))];
  };

  /** A server whose settings do not differ then checks all deadlines and waitlists. */
  const handOver = async (tx: Tx, changes: ChangeRecorder, now: Date): Promise<void> => {
    await tx.updateTable('clock').set({ next_due: now.toISOString() }).execute();
    await addJob(tx, changes, endsByItself, { key: '', due_at: now, payload: null });
  };

  return {
    isOurs,
    nextDue: async (db, now) => (await next(db, now))[0]?.at ?? null,
    settle: async (ctx, tx, changes, { open_waits }) => {
      // The same time for both: an item that expires after the heartbeat would look as if no server had been up.
      const now = ctx.now();
      await ctx.heartbeats.beat(tx, now);
      if (!isOurs()) return void (await settle(ctx, tx, changes, now, settingless));
      changes.collect(deadlineChanges).moved = true;
      const isSettled = await settle(ctx, tx, changes, now);
      if (isOwed || failedLines.size > 0 || !isSettled) changes.collect(affectedWaitlists).all();
      if (changes.collect(affectedWaitlists).any && open_waits > 0) await offer(ctx, tx, changes);
    },
    serve: async (ctx, tx, changes, ticked) => {
      if (!isOurs()) return handOver(tx, changes, ctx.now());
      if (changes.collect(affectedWaitlists).any && ticked.open_waits > 0) await offer(ctx, tx, changes);
      if (changes.collect(deadlineChanges).moved) await arm(tx, changes, ticked, ctx.now());
    },
    offer,
  };
}
