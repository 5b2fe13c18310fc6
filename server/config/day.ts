import type { Context } from '../context.ts';
import { DatabaseAway } from '../db/failures.ts';
import { write } from '../db/write.ts';
import { serverSaveToday } from './clock.ts';

const CHECK_EVERY_MS = 5_000;

/**
 * Begins a new server-save day: without an active event the board shows today's and later claims, so every
 * watcher has to load anew. The write itself notices the new date and asks for the reset.
 */
export async function beginDay(ctx: Context): Promise<void> {
  const { board_date } = await ctx.db.selectFrom('clock').select('board_date').executeTakeFirstOrThrow();
  // Whatever another process wrote is heard at the latest now, also where its notification was lost or the clock went back.
  ctx.bus.wake();
  if (board_date !== serverSaveToday(ctx)) await write(ctx, async () => {});
}

/** Watches for the server save. @returns a function that stops it */
export function watchDay(ctx: Context): () => void {
  const timer = setInterval(() => {
    beginDay(ctx).catch((error: unknown) => {
      // That the database is away has been said.
      if (!(error instanceof DatabaseAway)) ctx.log.error({ err: error }, 'the new day could not begin');
    });
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}
