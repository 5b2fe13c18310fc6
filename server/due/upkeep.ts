import { apart } from '../db/apart.ts';
import { isOfDatabase } from '../db/failures.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Ticked, Upkeep, Writing } from '../db/write.ts';
import { addJob, removeJob } from '../jobs/add.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { endsByItself } from './job.ts';
import type { DueSource } from './source.ts';
import type { Troubled } from './troubled.ts';

/** Offers what was noted as free. */
type Serve = (ctx: Writing, tx: Tx, changes: ChangeRecorder) => Promise<void>;

/** When a source is to be settled next. */
interface Next {
  source: DueSource;
  at: string;
}

/**
 * What every write does besides its own work. Of several sorts of things that are over, each ends in its time: what was due
 * first ends first. Only then is offered what came free by it, so that the line goes before whoever writes now. A sort that
 * fails at it, or ends nothing, keeps nobody from writing: what it did is taken back, and it is let be for a while. So is what
 * came free where it cannot be offered; then all lines are looked at.
 */
export function createUpkeep(sources: readonly DueSource[], serve: Serve, troubled: Troubled): Upkeep {
  // Something came free and could not be offered. Other servers know it by being due for nothing that they find.
  let isOwed = false;
  const lines: DueSource = { name: 'lines', earliest: async () => null, settle: async () => {} };
  const all = [...sources, lines];

  const nextOf = async (tx: Db | Tx, source: DueSource, now: Date): Promise<string | null> => {
    const until = troubled.until(source, now);
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
  const next = async (tx: Db | Tx, now: Date): Promise<Next[]> => {
    const found: Next[] = [];
    for (const source of all) {
      const at = await nextOf(tx, source, now);
      if (at !== null) found.push({ source, at });
    }
    return found.sort((one, other) => (one.at < other.at ? -1 : 1));
  };

  const arm = async (tx: Tx, changes: ChangeRecorder, { next_due }: Ticked, now: Date): Promise<void> => {
    const at = (await next(tx, now))[0]?.at ?? null;
    if (at !== next_due) await tx.updateTable('clock').set({ next_due: at }).execute();
    if (at === null) await removeJob(tx, endsByItself, '');
    else await addJob(tx, changes, endsByItself, { key: '', due_at: new Date(at), payload: null });
  };

  /** @returns whether anything was due */
  const settle = async (ctx: Writing, tx: Tx, changes: ChangeRecorder): Promise<boolean> => {
    const now = ctx.now();
    const moment = now.toISOString();
    const settled = new Map<DueSource, string>();
    for (let [first, second] = await next(tx, now); first && first.at <= moment; [first, second] = await next(tx, now)) {
      const { source, at } = first;
      if (at <= (settled.get(source) ?? '')) {
        troubled.note(source, now, new Error('what was due did not end'));
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

  /** Offers what came free by what is over; where that fails, whoever writes now is not kept by it. */
  const serveSettled = async (ctx: Writing, tx: Tx, changes: ChangeRecorder): Promise<void> => {
    const now = ctx.now();
    if (troubled.until(lines, now) !== null) return void changes.touched.take();
    const takeBack = changes.mark();
    const done = await apart(tx, () => serve(ctx, tx, changes));
    isOwed = 'error' in done;
    if (!('error' in done)) return;
    takeBack();
    changes.touched.take();
    troubled.note(lines, now, done.error);
  };

  return {
    nextDue: async (db, now) => (await next(db, now))[0]?.at ?? null,
    settle: async (ctx, tx, changes, { open_waits }) => {
      changes.ends.moved = true;
      const isSettled = await settle(ctx, tx, changes);
      if (isOwed || !isSettled) changes.touched.all();
      if (changes.touched.any && open_waits > 0) await serveSettled(ctx, tx, changes);
    },
    serve: async (ctx, tx, changes, ticked) => {
      if (changes.touched.any && ticked.open_waits > 0) await serve(ctx, tx, changes);
      if (changes.ends.moved) await arm(tx, changes, ticked, ctx.now());
    },
  };
}
