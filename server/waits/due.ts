import { instantOf, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { Heartbeats } from '../clock/heartbeats.ts';
import { serverSaveClock } from '../config/clock.ts';
import { readConfig } from '../config/queries.ts';
import type { DueSource } from '../due/source.ts';
import type { Env } from '../env.ts';
import { endWaits } from './end.ts';
import { holdUntil, inMinutes, MINUTE_MS } from './hold-time.ts';
import { firstOver, lapsedWaits, type StoredWait, waitsFrom, waitsUntil } from './stored.ts';

/**
 * R9.8: holds whose time is over end, and the next on the waitlist are asked. A hold during which the server was away, or its
 * clock jumped, gets its time again.
 */
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
  settle: async (ctx, tx, changes, until) => {
    const [witness, waits] = [await ctx.heartbeats.witness(tx), await lapsedWaits(tx, until)];
    const { hold_minutes } = await readConfig(ctx, tx);
    const { true: had = [], false: missed = [] } = Object.groupBy(waits, ({ held_until }) => {
      const end = new Date(held_until ?? until);
      return witness.covers(new Date(end.getTime() - hold_minutes * MINUTE_MS), end) ? 'true' : 'false';
    });
    await endWaits(ctx, tx, changes, { role: 'server' }, had, 'lapsed');
    const ids = missed.map(({ id }) => id);
    if (ids.length > 0) await holdUntil(ctx, tx, changes, ids, inMinutes(ctx.now(), hold_minutes));
  },
};

/** R9.9: waitlist entries are void when the last of their hours is over. A clock that has just jumped is not believed that they are. */
export const waitsDue = (env: Pick<Env, 'SS_TIME_ZONE' | 'SS_HOUR'>, heartbeats: Heartbeats): DueSource => {
  const clock = serverSaveClock({ env });
  const endOf = ({ date, hour_end }: Pick<StoredWait, 'date' | 'hour_end'>): Date => instantOf(date, hour_end, clock);
  return {
    name: 'waits',
    earliest: async (db) => {
      const first = await firstOver(db);
      if (!first) return null;
      const { steadySince, believes } = await heartbeats.witness(db);
      const at = believes(endOf(first));
      if (steadySince === null || endOf(first) >= steadySince) return at.toISOString();
      const next = (await waitsFrom(db, serverSaveTime(steadySince, clock).date)).map(endOf).find((end) => end >= steadySince);
      return (next && next < at ? next : at).toISOString();
    },
    settle: async (ctx, tx, changes, until) => {
      const moment = new Date(until);
      const waits = await waitsUntil(tx, serverSaveTime(moment, clock).date);
      const { believes } = await heartbeats.witness(tx);
      const over = waits.filter((wait) => believes(endOf(wait)) <= moment);
      await endWaits(ctx, tx, changes, { role: 'server' }, over, 'void');
    },
  };
};
