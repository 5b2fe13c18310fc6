import type { Reading } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../writing.ts';
import { deadlineChanges } from './deadline-changes.ts';

/** Corrects the stored next deadline: the server that stored it may have had another server-save hour or time zone. */
export async function rescheduleDeadlines(ctx: Reading & Writing): Promise<void> {
  if (!ctx.upkeep.isOurs()) return;
  const { next_due } = await ctx.db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow();
  if ((await ctx.upkeep.nextDue(ctx.db, ctx.now())) === next_due) return;
  await write(ctx, async (_tx, changes) => {
    changes.collect(deadlineChanges).moved = true;
  });
}
