import { instantOf, serverSaveTime } from '../../../shared/rules/server-save.ts';
import type { Heartbeats } from '../../db/clock/heartbeats.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Env } from '../../env.ts';
import type { DeadlineSource } from '../../jobs/deadlines.ts';
import { endWaits } from './end.ts';
import { restartHolds } from './hold-time.ts';
import { firstOver, holdsMadeAt, lapsedWaits, type StoredWait, waitsFrom, waitsUntil } from './stored.ts';

/** R9.8: expires holds. If no server was up during all of a hold, or the clock jumped meanwhile, restarts it instead. */
export const holdsDue: DeadlineSource = {
  name: 'holds',
  needsNoSettings: true,
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
  expire: async (ctx, tx, changes, until) => {
    const [uptime, waits] = [await ctx.heartbeats.uptime(tx), await lapsedWaits(tx, until)];
    const madeAt = await holdsMadeAt(tx, waits);
    const { expired = [], unanswerable = [] } = Object.groupBy(waits, ({ held_until, held_claim_id }) => {
      const made_at = madeAt.get(held_claim_id ?? 0);
      const isUnanswerable = made_at !== undefined && !uptime.wasUpDuring(new Date(made_at), new Date(held_until ?? until));
      return isUnanswerable ? 'unanswerable' : 'expired';
    });
    await endWaits(ctx, tx, changes, { role: 'server' }, expired, 'lapsed');
    const ids = unanswerable.map(({ id }) => id);
    await restartHolds(ctx, tx, changes, ids);
  },
};

/** R9.9: voids waitlist entries whose last hour is over. After a clock jump, wait an hour before voiding entries. */
export const waitsDue = (env: Pick<Env, 'SS_TIME_ZONE' | 'SS_HOUR'>, heartbeats: Heartbeats): DeadlineSource => {
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
    expire: async (ctx, tx, changes, until) => {
      const moment = new Date(until);
      const waits = await waitsUntil(tx, serverSaveTime(moment, clock).date);
      const { trustsPast } = await heartbeats.uptime(tx);
      const over = waits.filter((wait) => trustsPast(endOf(wait)) <= moment);
      await endWaits(ctx, tx, changes, { role: 'server' }, over, 'void');
    },
  };
};
