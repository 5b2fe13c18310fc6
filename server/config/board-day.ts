import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import type { Tx } from '../db/open.ts';
import { type ServerSaveSettings, serverSaveClock } from './clock.ts';

/** The job that begins each day. */
export const DAY_TURN = 'day.turn';

/**
 * Stores the day that the board shows.
 * @param from the day that was noted last; empty before the first write
 * @returns whether the board shows something else by that alone, which every watcher has to load anew
 */
export async function showBoardDay(ctx: Pick<ServerSaveSettings, 'env'>, tx: Tx, from: string, today: string): Promise<boolean> {
  await tx.updateTable('clock').set({ board_date: today }).execute();
  // Whoever wrote began the day, not its job: that is due for the next one, which a clock that leaps back is told by.
  const due_at = instantOf(addDays(today, 1), 0, serverSaveClock(ctx)).toISOString();
  await tx.updateTable('jobs').set({ due_at }).where('kind', '=', DAY_TURN).where('key', '=', '').execute();
  // Without an event the board begins today, so a new day takes claims off it that no change names.
  return from !== '' && !(await isEventActive(tx));
}

/** As the write left it: an event that was activated in this very write asked for a reset of its own. */
async function isEventActive(tx: Tx): Promise<boolean> {
  return (
    (await tx
      .selectFrom('events')
      .select('id')
      .where((event) => event('is_active', '=', event.lit(1)))
      .executeTakeFirst()) !== undefined
  );
}
