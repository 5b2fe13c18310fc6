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
    const [uptime, waits] = [await ctx.heartbeats.uptime(tx), await lapsedWaits(tx, until)];
    const { hold_minutes } = await readConfig(ctx, tx);
    const { true: had = [], false: missed = [] } = Object.groupBy(waits, ({ held_until }) => {
      const end = new Date(held_until ?? until);
      return uptime.wasUpDuring(new Date(end.getTime() - hold_minutes * MINUTE_MS), end) ? 'true' : 'false';
    });
    await endWaits(ctx, tx, changes, { role: 'server' }, had, 'lapsed');
    const ids = missed.map(({ id }) => id);
    if (ids.length > 0) await holdUntil(ctx, tx, changes, ids, inMinutes(ctx.now(), hold_minutes));
  },
};

/** R9.9: voids waitlist entries whose last hour is over. After a clock jump, wait an hour before voiding entries. */
export const waitsDue = (env: Pick<Env, 'SS_TIME_ZONE' | 'SS_HOUR'>, heartbeats: Heartbeats): DueSource => {
  const clock = serverSaveClock({ env });
  const endOf = ({ date, hour_end }: Pick<StoredWait, 'date' | 'hour_end'>): Date => instantOf(date, hour_end, clock);
  return {
    name: 'waits',
    earliest: async (db) => {
      const first = await firstOver(db);
      if (!first) return null;
      const { steadySince, trustsPast } = await heartbeats.uptime(db);
      const at = trustsPast(endOf(first));
      if (steadySince === null || endOf(first) >= steadySince) return at.toISOString();
      const next = (await waitsFrom(db, serverSaveTime(steadySince, clock).date)).map(endOf).find((end) => end >= steadySince);
      return (next && next < at ? next : at).toISOString();
    },
    settle: async (ctx, tx, changes, until) => {
      const moment = new Date(until);
      const waits = await waitsUntil(tx, serverSaveTime(moment, clock).date);
      const { trustsPast } = await heartbeats.uptime(tx);
      const over = waits.filter((wait) => trustsPast(endOf(wait)) <= moment);
      await endWaits(ctx, tx, changes, { role: 'server' }, over, 'void');
    },
  };
};
