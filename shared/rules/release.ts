import type { HourRange } from './hours.ts';

export interface Release {
  gone: HourRange;
  /** The hours that are past or running, and stay; null if all are freed. */
  stays: HourRange | null;
}

/**
 * R9.20: the hours that a release on a date frees: those that have not started. The running hour is kept to its end.
 * @param now today's server-save date and the SS hour that runs
 * @returns null where nothing of it is left
 */
export function releaseOf(
  { hour_start, hour_end }: HourRange,
  date: string,
  now: { today: string; hour: number },
): Release | null {
  if (date < now.today) return null;
  const from = date === now.today ? Math.max(hour_start, now.hour + 1) : hour_start;
  if (from >= hour_end) return null;
  return {
    gone: { hour_start: from, hour_end },
    stays: from > hour_start ? { hour_start, hour_end: from } : null,
  };
}
