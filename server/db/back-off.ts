import type { Logger } from 'pino';

/** Seconds to wait after each failure in a row of a service that many wait for: Discord, the game's data. Then always the last. */
const OUTAGE_WAITS_S: readonly number[] = [15, 30, 60, 120, 240, 300];

/** The wait after so many failures in a row, at least one, in seconds; null: all waits are used up. */
export const waitAfter = (failures: number, waits_s: readonly number[]): number | null =>
  waits_s[failures - 1] ?? null;

/** The same, where the last wait repeats. */
export const endlessWaitAfter = (failures: number, waits_s = OUTAGE_WAITS_S): number =>
  waitAfter(Math.min(failures, waits_s.length), waits_s) ?? 0;

/** Back off this long after a failure, in milliseconds: always the same, as writes that succeed don't show that the work would. */
const BACKOFF_MS = 60_000;
/** Log the same failure at most this often, in milliseconds. */
const LOG_EVERY_MS = 10 * 60_000;

/** Back-off for work that every write does besides its own: expiring deadlines, offering freed hours. A failure must not block writes. */
export interface BackOff {
  /** When the back-off of this name ends; null: it is not backed off. */
  endsAt: (name: string, now: Date) => string | null;
  recordFailure: (name: string, now: Date, error: unknown) => void;
  /** The names that are backed off now. */
  names: (now: Date) => string[];
}

export function createBackOff(log: Pick<Logger, 'error'>): BackOff {
  const failures = new Map<string, { at: number; logged: number }>();
  // Use the absolute difference: the clock may have jumped back.
  const isWithin = (now: Date, moment: number, ms: number): boolean =>
    Math.abs(now.getTime() - moment) < ms;
  return {
    endsAt: (name, now) => {
      const last = failures.get(name);
      return last && isWithin(now, last.at, BACKOFF_MS)
        ? new Date(last.at + BACKOFF_MS).toISOString()
        : null;
    },
    names: (now) =>
      [...failures].filter(([, { at }]) => isWithin(now, at, BACKOFF_MS)).map(([name]) => name),
    recordFailure: (name, now, error) => {
      const at = now.getTime();
      const last = failures.get(name);
      const isLogged = last !== undefined && isWithin(now, last.logged, LOG_EVERY_MS);
      for (const [each, { logged }] of failures)
        if (!isWithin(now, logged, LOG_EVERY_MS)) failures.delete(each);
      failures.set(name, { at, logged: isLogged ? last.logged : at });
      if (!isLogged)
        log.error(
          { err: error, due: name },
          `work that each write does failed; retry in ${BACKOFF_MS / 1_000} s`,
        );
    },
  };
}
