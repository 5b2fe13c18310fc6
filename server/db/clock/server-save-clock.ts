import {
  type ServerSaveClock,
  type ServerSaveTime,
  serverSaveTime,
} from '../../../shared/rules/server-save.ts';
import type { Reading } from '../database.ts';

/** The server-save clock that the settings ask for. */
export function serverSaveClock({ env }: Pick<Reading, 'env'>): ServerSaveClock {
  return { ss_time_zone: env.SS_TIME_ZONE, ss_hour: env.SS_HOUR };
}

/** The server-save date and hour now. */
/** The settings and the time, for what depends on nothing else. */
export type ServerSaveContext = Pick<Reading, 'env' | 'now'>;

export function serverSaveNow({ env, now }: ServerSaveContext): ServerSaveTime {
  return serverSaveTime(now(), serverSaveClock({ env }));
}

/** Today's server-save date. */
export function serverSaveToday(settings: ServerSaveContext): string {
  return serverSaveNow(settings).date;
}
