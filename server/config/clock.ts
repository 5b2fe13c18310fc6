import { type ServerSaveClock, type ServerSaveTime, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { Context } from '../context.ts';

/** The server-save clock that the settings ask for. */
export function serverSaveClock(ctx: Pick<Context, 'env'>): ServerSaveClock {
  return { ss_time_zone: ctx.env.SS_TIME_ZONE, ss_hour: ctx.env.SS_HOUR };
}

/** The server-save date and hour now. */
export function serverSaveNow(ctx: Pick<Context, 'env' | 'now'>): ServerSaveTime {
  return serverSaveTime(ctx.now(), serverSaveClock(ctx));
}

/** Today's server-save date. */
export function serverSaveToday(ctx: Pick<Context, 'env' | 'now'>): string {
  return serverSaveNow(ctx).date;
}
