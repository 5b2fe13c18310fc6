import { z } from 'zod';
import { addDays, instantOf, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { Db, Reading, Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import type { InsideKind } from '../jobs/kind.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { DAY_TURN, showBoardDay } from './board-day.ts';
import { serverSaveClock, serverSaveToday } from './clock.ts';

/** The clocks of two servers may differ by less than this, in milliseconds: one may begin the day before the other. */
const AHEAD_MS = 5 * 60_000;
/** So long the clock has to have gone on without a jump, in milliseconds, before it is believed that the board's day is wrong. */
const STEADY_MS = 10 * 60_000;

/** `begun`: another day has begun. `ahead`: the board's day is in the future, so it was stored by a clock that was wrong. */
type StateOfDay = 'right' | 'begun' | 'ahead';

async function stateOfDay(ctx: Writing, db: Db | Tx): Promise<StateOfDay> {
  const { board_date } = await db.selectFrom('clock').select('board_date').executeTakeFirstOrThrow();
  const now = ctx.now();
  if (board_date < serverSaveToday(ctx)) return 'begun';
  if (board_date <= serverSaveTime(new Date(now.getTime() + AHEAD_MS), serverSaveClock(ctx)).date) return 'right';
  const { steadySince } = await ctx.heartbeats.witness(db);
  return steadySince === null || now.getTime() - steadySince.getTime() >= STEADY_MS ? 'ahead' : 'right';
}

/**
 * The board's day only moves forward, with whatever is written on a new day. Only a day that a wrong clock stored moves back,
 * once the clock that says so has gone on steadily for a while.
 */
async function moveBack(ctx: Writing, tx: Tx, changes: ChangeRecorder): Promise<void> {
  if ((await stateOfDay(ctx, tx)) !== 'ahead') return;
  const { board_date } = await tx.selectFrom('clock').select('board_date').executeTakeFirstOrThrow();
  if (await showBoardDay(ctx, tx, board_date, serverSaveToday(ctx))) changes.reset();
}

/**
 * Begins a new server-save day, or sets right one that is in the future: without an active event the board shows today's and
 * later claims, so every watcher has to load anew. The write itself notices that a day has begun, and asks for the reset.
 */
export async function setDayRight(ctx: Reading & Writing): Promise<void> {
  if (ctx.upkeep.isOurs() && (await stateOfDay(ctx, ctx.db)) !== 'right') await write(ctx, (tx, changes) => moveBack(ctx, tx, changes));
}

/** Begins each day at its server save, or as soon as somebody looks. */
export const dayTurn: InsideKind<null> = {
  kind: DAY_TURN,
  runs: 'inside',
  payload: z.null(),
  next: (ctx) => instantOf(addDays(serverSaveToday(ctx), 1), 0, serverSaveClock(ctx)),
  isNeeded: async (ctx) => (await stateOfDay(ctx, ctx.db)) !== 'right',
  run: async (ctx, tx, changes) => {
    await moveBack(ctx, tx, changes);
    return undefined;
  },
};
