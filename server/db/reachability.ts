import type { Logger } from 'pino';
import type { Reachability } from './patient-pool.ts';

/**
 * What the pools of one database know together, for each by its use. Each says once that the database is gone, and
 * once that it is back: where only one is served, what they say of it is not the same.
 */
export function createReachability(log: Logger): (use: string) => Reachability {
  let era = 0;
  return (use) => {
    let away = false;
    return {
      away: (error) => {
        if (!away) log.warn({ use, reason: error instanceof Error ? error.message : String(error) }, 'the database does not answer');
        away = true;
      },
      answered: () => {
        if (away) log.info({ use }, 'the database answers again');
        away = false;
      },
      distrust: () => {
        era += 1;
      },
      era: () => era,
    };
  };
}
