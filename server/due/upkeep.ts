import type { Tx } from '../db/open.ts';
import type { Ticked, Upkeep, Writing } from '../db/write.ts';
import { addJob, removeJob } from '../jobs/add.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { endsByItself } from './job.ts';
import type { DueSource } from './source.ts';

/** Offers what was noted as free. */
type Serve = (ctx: Writing, tx: Tx, changes: ChangeRecorder) => Promise<void>;

/**
 * What every write does besides its own work. Of several sorts of things that are over, each ends in its time: what was due
 * first ends first. Only then is offered what came free by it, so that the line goes before whoever writes now.
 */
export function createUpkeep(sources: readonly DueSource[], serve: Serve): Upkeep {
  /** The next moment of each source, the earliest first. */
  const next = async (tx: Tx): Promise<{ source: DueSource; at: string }[]> => {
    const found: { source: DueSource; at: string }[] = [];
    for (const source of sources) {
      const at = await source.earliest(tx);
      if (at !== null) found.push({ source, at });
    }
    return found.sort((one, other) => (one.at < other.at ? -1 : 1));
  };

  const arm = async (tx: Tx, changes: ChangeRecorder, { next_due }: Ticked): Promise<void> => {
    const at = (await next(tx))[0]?.at ?? null;
    if (at !== next_due) await tx.updateTable('clock').set({ next_due: at }).execute();
    if (at === null) await removeJob(tx, endsByItself, '');
    else await addJob(tx, changes, endsByItself, { key: '', due_at: new Date(at), payload: null });
  };

  return {
    settle: async (ctx, tx, changes, { open_waits }) => {
      const now = ctx.now().toISOString();
      changes.ends.moved = true;
      for (let [first, second] = await next(tx); first && first.at <= now; [first, second] = await next(tx)) {
        const until = second && second.at < now ? second.at : now;
        await first.source.settle(ctx, tx, changes, until);
        // Or the write would go on for ever.
        if ((await first.source.earliest(tx)) === first.at) throw new Error('what was due did not end');
      }
      if (changes.touched.any && open_waits > 0) await serve(ctx, tx, changes);
    },
    serve: async (ctx, tx, changes, ticked) => {
      if (changes.touched.any && ticked.open_waits > 0) await serve(ctx, tx, changes);
      if (changes.ends.moved) await arm(tx, changes, ticked);
    },
  };
}
