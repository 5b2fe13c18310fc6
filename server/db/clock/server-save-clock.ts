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
export function serverSaveNow({ env, now }: Pick<Reading, 'env' | 'now'>): ServerSaveTime {
  return serverSaveTime(now(), serverSaveClock({ env }));
}

/** Today's server-save date. */
export function serverSaveToday(settings: Pick<Reading, 'env' | 'now'>): string {
  return serverSaveNow(settings).date;
}
