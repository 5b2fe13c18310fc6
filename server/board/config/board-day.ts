import { addDays, instantOf, serverSaveTime } from '../../../shared/rules/server-save.ts';
import type { Heartbeats } from '../../db/clock/heartbeats.ts';
import { type ServerSaveSettings, serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/database.ts';
import type { WriteHook, WriteStart } from '../../db/unit-of-work.ts';
import { affectedWaitlists } from '../affected-waitlists.ts';

/** The kind of the job that begins each day. */
export const DAY_TURN = 'day.turn';

/** Moves the board's day forward in the first write of each day. @param isOurs whether this process may move it */
export function moveBoardDay(
  ctx: Pick<ServerSaveSettings, 'env'> & { heartbeats: Pick<Heartbeats, 'beat'> },
  isOurs: () => boolean,
): WriteHook {
  const newDay = ({ at, clock }: WriteStart): string | null => {
    const { date } = serverSaveTime(at, serverSaveClock(ctx));
    return isOurs() && date > clock.board_date ? date : null;
  };
  return {
    // Waitlist entries of past days must expire before anything is offered.
    before: async (write) => {
      if (newDay(write) === null) return;
      // Shows a gap before anything expires: a clock that jumped, or a server that was away.
      await ctx.heartbeats.beat(write.tx, write.at);
      write.changes.collect(affectedWaitlists).all();
    },
    after: async (write) => {
      const today = newDay(write);
      if (today !== null && (await showBoardDay(ctx, write.tx, write.clock.board_date, today))) write.changes.reset();
    },
  };
}

/**
 * Stores the day that the board shows.
 * @param from the day that was stored before; empty before the first write
 * @returns whether claims leave the board, so that every watcher has to reload
 */
export async function showBoardDay(ctx: Pick<ServerSaveSettings, 'env'>, tx: Tx, from: string, today: string): Promise<boolean> {
  await tx.updateTable('clock').set({ board_date: today }).execute();
  // This write began the day, so reschedule the day-turn job for the next one.
  const due_at = instantOf(addDays(today, 1), 0, serverSaveClock(ctx)).toISOString();
  await tx.updateTable('jobs').set({ due_at }).where('kind', '=', DAY_TURN).where('key', '=', '').execute();
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
