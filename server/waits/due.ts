import type { DueSource } from '../due/source.ts';
import { endWaits } from './end.ts';
import { lapsedWaits } from './stored.ts';

/** R9.8: holds whose time is over end by themselves, and the next in line are asked. */
export const holdsDue: DueSource = {
  name: 'holds',
  earliest: async (db) => {
    const first = await db
      .selectFrom('waits')
      .select('held_until')
      .where('ended_at', 'is', null)
      .where('held_until', 'is not', null)
      .orderBy('held_until')
      .limit(1)
      .executeTakeFirst();
    return first?.held_until ?? null;
  },
  settle: async (ctx, tx, changes, until) => endWaits(ctx, tx, changes, { role: 'server' }, await lapsedWaits(tx, until), 'lapsed'),
};
