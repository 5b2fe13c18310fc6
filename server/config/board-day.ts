import type { Tx } from '../db/open.ts';

/**
 * Notes the day that the board stands on, when another has begun.
 * @param from the day that was noted last; empty before the first write
 * @returns whether the board shows something else by that alone, which every watcher has to load anew
 */
export async function turnBoardDay(tx: Tx, from: string, today: string): Promise<boolean> {
  if (from === today) return false;
  await tx.updateTable('clock').set({ board_date: today }).execute();
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
