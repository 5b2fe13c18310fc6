import {
  type ServerSaveClock,
  type ServerSaveTime,
  serverSaveTime,
} from '../../../shared/rules/server-save.ts';
import type { Env } from '../../env.ts';

/** Computes the server-save date and hour. */
export interface ServerSaveSettings {
  env: Pick<Env, 'SS_TIME_ZONE' | 'SS_HOUR'>;
  now: () => Date;
}

/** The server-save clock that the settings ask for. */
export function serverSaveClock({ env }: Pick<ServerSaveSettings, 'env'>): ServerSaveClock {
  return { ss_time_zone: env.SS_TIME_ZONE, ss_hour: env.SS_HOUR };
}

/** The server-save date and hour now. */
export function serverSaveNow({ env, now }: ServerSaveSettings): ServerSaveTime {
  return serverSaveTime(now(), serverSaveClock({ env }));
}

/** Today's server-save date. */
export function serverSaveToday(settings: ServerSaveSettings): string {
  return serverSaveNow(settings).date;
}
