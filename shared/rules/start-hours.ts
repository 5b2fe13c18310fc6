import { type HourRange, rangesOverlap, wouldExceedDay } from './hours.ts';
import { HOURS_IN_DAY } from './server-save.ts';

/**
 * What the form says of one start hour. `taken`: the hour itself belongs to a claim.
 * `conflict`: it is free, but the duration asked for runs into a claim. `exceeds`: it runs past SS+24.
 */
export type StartHourState = 'free' | 'taken' | 'conflict' | 'exceeds';

export interface StartHour {
  hour: number;
  state: StartHourState;
  /** The longest claim that fits here, 0 when the hour is taken; at most the voucher's duration. */
  max_duration: number;
}

/** R2.2, R2.3: the longest claim that fits at a start hour, at most `voucher` hours; 0 when the hour is taken. */
export function maxDurationAt(hour_start: number, voucher: number, taken: readonly HourRange[]): number {
  let fits = 0;
  while (fits < voucher) {
    const next = { hour_start, hour_end: hour_start + fits + 1 };
    if (wouldExceedDay(hour_start, fits + 1) || taken.some((range) => rangesOverlap(next, range))) break;
    fits += 1;
  }
  return fits;
}

/**
 * The state of each of the 24 start hours for a duration. An hour is disabled in the form exactly when
 * its state is not `free`, and exactly then the server refuses a claim of that duration there.
 */
export function startHours(duration: number, voucher: number, taken: readonly HourRange[]): StartHour[] {
  return Array.from({ length: HOURS_IN_DAY }, (_, hour) => {
    const max_duration = maxDurationAt(hour, voucher, taken);
    const state = startHourState(hour, duration, taken);
    return { hour, state, max_duration };
  });
}

function startHourState(hour: number, duration: number, taken: readonly HourRange[]): StartHourState {
  if (taken.some((range) => rangesOverlap({ hour_start: hour, hour_end: hour + 1 }, range))) return 'taken';
  if (wouldExceedDay(hour, duration)) return 'exceeds';
  const wanted = { hour_start: hour, hour_end: hour + duration };
  return taken.some((range) => rangesOverlap(wanted, range)) ? 'conflict' : 'free';
}
