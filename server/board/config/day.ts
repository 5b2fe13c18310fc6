import { z } from 'zod';
import { addDays, instantOf, serverSaveTime } from '../../../shared/rules/server-save.ts';
import { serverSaveClock, serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Unit, type WriteHook, type Writing, write } from '../../db/unit-of-work.ts';
import type { InsideKind } from '../../jobs/job-kind.ts';
import { freedHours } from '../freed-hours.ts';

/** The kind of the job that begins each day. */
const DAY_TURN = 'day.turn';

/** The day that this write begins; null: none, or another process moves the board's day. */
const newDay = ({ ctx, at, clock }: Unit): string | null => {
  const { date } = serverSaveTime(at, serverSaveClock(ctx));
  return ctx.isInCharge() && date > clock.board_date ? date : null;
};

/** Moves the board's day forward in the first write of each day. */
export const moveBoardDay: WriteHook = {
  // Waitlist entries of past days must expire before anything is offered.
  before: async (unit) => {
    if (newDay(unit) === null) return;
    // Shows a gap before anything expires: a clock that jumped, or a server that was away.
    await unit.ctx.heartbeats.beat(unit.tx, unit.at);
    unit.changes.collect(freedHours).everywhere();
  },
  after: async (unit) => {
    const today = newDay(unit);
    if (today === null) return;
    if (await showBoardDay(unit, { from: unit.clock.board_date, today })) unit.changes.reset();
  },
};

/**
 * Stores the day that the board shows.
 * @param from the day that was stored before; empty before the first write
 * @returns whether claims leave the board, so that every watcher has to reload
 */
async function showBoardDay(
  { ctx, tx }: Unit,
  { from, today }: { from: string; today: string },
): Promise<boolean> {
  await tx.updateTable('clock').set({ board_date: today }).execute();
  // This write began the day, so reschedule the day-turn job for the next one.
  const due_at = instantOf(addDays(today, 1), 0, serverSaveClock(ctx)).toISOString();
  await tx
    .updateTable('jobs')
    .set({ due_at })
    .where('kind', '=', DAY_TURN)
    .where('key', '=', '')
    .execute();
  // Without an active event, a new day removes yesterday's claims from the board, and no change set names them.
  return from !== '' && !(await isEventActive(tx));
}

/** After the write: if it activated an event, it has already asked for a reset. */
async function isEventActive(tx: Tx): Promise<boolean> {
  return (
    (await tx
      .selectFrom('events')
      .select('id')
      .where((event) => event('is_active', '=', event.lit(1)))
      .executeTakeFirst()) !== undefined
  );
}

/** The clocks of two servers may differ by less than this, in ms, so one may begin the day before the other. */
const AHEAD_MS = 5 * 60_000;
/**
 * Where servers share a database, move the board's day back only this long after the last gap in the heartbeats, in ms: another one may
 * be right. A single server moves it back at once, because the board shows more claims then, not fewer.
 */
const STEADY_MS = 10 * 60_000;

/** `begun`: a new day has started. `ahead`: the stored day is in the future, because a wrong clock stored it. */
type StateOfDay = 'right' | 'begun' | 'ahead';

async function stateOfDay(ctx: Writing, db: Db | Tx): Promise<StateOfDay> {
  const { board_date } = await db
    .selectFrom('clock')
    .select('board_date')
    .executeTakeFirstOrThrow();
  const now = ctx.now();
  if (board_date < serverSaveToday(ctx)) return 'begun';
  if (board_date <= serverSaveTime(new Date(now.getTime() + AHEAD_MS), serverSaveClock(ctx)).date)
    return 'right';
  if (ctx.dialect === 'sqlite') return 'ahead';
  const { steadySince } = await ctx.heartbeats.uptime(db);
  return steadySince === null || now.getTime() - steadySince.getTime() >= STEADY_MS
    ? 'ahead'
    : 'right';
}

/**
 * The first write on a new day moves the board's day forward. It moves back only if a wrong clock stored it.
 */
async function moveBack(unit: Unit): Promise<void> {
  const { ctx, tx, changes } = unit;
  if ((await stateOfDay(ctx, tx)) !== 'ahead') return;
  const { board_date } = await tx
    .selectFrom('clock')
    .select('board_date')
    .executeTakeFirstOrThrow();
  if (await showBoardDay(unit, { from: board_date, today: serverSaveToday(ctx) })) changes.reset();
}

/**
 * Begins a new server-save day, or moves the board's day back if it is in the future. Without an active event the board shows
 * today's and later claims, so every watcher reloads. Each write checks for a new day, so an empty one is enough.
 */
export async function correctBoardDate(ctx: Writing): Promise<void> {
  if (ctx.isInCharge() && (await stateOfDay(ctx, ctx.db)) !== 'right') await write(ctx, moveBack);
}

/** Begins each day at its server save, or with the first read or write after it. */
export const dayTurn: InsideKind<null> = {
  kind: DAY_TURN,
  runs: 'inside',
  payload: z.null(),
  next: (ctx) => instantOf(addDays(serverSaveToday(ctx), 1), 0, serverSaveClock(ctx)),
  isNeeded: async (ctx) => (await stateOfDay(ctx, ctx.db)) !== 'right',
  run: async (unit) => {
    await moveBack(unit);
    return undefined;
  },
};
