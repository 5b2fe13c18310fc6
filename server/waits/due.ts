import { instantOf, serverSaveTime } from '../../shared/rules/server-save.ts';
import { serverSaveClock } from '../config/clock.ts';
import type { DueSource } from '../due/source.ts';
import type { Env } from '../env.ts';
import { endWaits } from './end.ts';
import { firstOver, lapsedWaits, waitsUntil } from './stored.ts';

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

/** R9.9: waits are void when the last of their hours is over. */
export const waitsDue = (env: Pick<Env, 'SS_TIME_ZONE' | 'SS_HOUR'>): DueSource => {
  const clock = serverSaveClock({ env });
  return {
    name: 'waits',
    earliest: async (db) => {
      const first = await firstOver(db);
      return first ? instantOf(first.date, first.hour_end, clock).toISOString() : null;
    },
    settle: async (ctx, tx, changes, until) => {
      const moment = new Date(until);
      const waits = await waitsUntil(tx, serverSaveTime(moment, clock).date);
      const over = waits.filter(({ date, hour_end }) => instantOf(date, hour_end, clock) <= moment);
      await endWaits(ctx, tx, changes, { role: 'server' }, over, 'void');
    },
  };
};
