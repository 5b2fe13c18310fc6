import { z } from 'zod';
import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import type { Reading } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import type { InsideKind } from '../jobs/kind.ts';
import { DAY_TURN } from './board-day.ts';
import { type ServerSaveSettings, serverSaveClock, serverSaveToday } from './clock.ts';

async function isNewDay(ctx: Reading & ServerSaveSettings): Promise<boolean> {
  const { board_date } = await ctx.db.selectFrom('clock').select('board_date').executeTakeFirstOrThrow();
  return board_date !== serverSaveToday(ctx);
}

/**
 * Begins a new server-save day: without an active event the board shows today's and later claims, so every
 * watcher has to load anew. The write itself notices the new date and asks for the reset.
 */
export async function beginDay(ctx: Reading & Writing): Promise<void> {
  if (await isNewDay(ctx)) await write(ctx, async () => {});
}

/** Begins each day at its server save, or as soon as somebody looks: a clock that leapt, back, too, shows another date. */
export const dayTurn: InsideKind<null> = {
  kind: DAY_TURN,
  runs: 'inside',
  payload: z.null(),
  next: (ctx) => instantOf(addDays(serverSaveToday(ctx), 1), 0, serverSaveClock(ctx)),
  isNeeded: isNewDay,
  run: async () => undefined,
};
