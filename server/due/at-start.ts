import type { Reading } from '../db/open.ts';
import { type Writing, write } from '../db/write.ts';

/**
 * Plans anew when something ends by itself, where that is another moment now than was noted: this server may be told another
 * hour, or zone, of the server save than the one before it.
 */
export async function planAnew(ctx: Reading & Writing): Promise<void> {
  if (!ctx.upkeep.isOurs()) return;
  const { next_due } = await ctx.db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow();
  if ((await ctx.upkeep.nextDue(ctx.db, ctx.now())) === next_due) return;
  await write(ctx, async (_tx, changes) => {
    changes.ends.moved = true;
  });
}
