import { type HourRange, rangesOverlap, wouldExceedDay } from './hours.ts';
import { secondaryEnd } from './secondary.ts';
import { HOURS_IN_DAY } from './server-save.ts';

/**
 * What the form says of one start hour. `taken`: the hour itself belongs to a claim.
 * `over`: a claim of the duration asked for would be over already. `conflict`: it is free, but the duration runs into
 * a claim. `exceeds`: it runs past SS+24.
 */
export type StartHourState = 'free' | 'taken' | 'over' | 'conflict' | 'exceeds';

export interface StartHour {
  hour: number;
  state: StartHourState;
  /** The longest claim that fits here, 0 when the hour is taken or over; at most the voucher's duration. */
  max_duration: number;
}

/**
 * R2.2, R2.3, R4.14: the longest claim that fits at a start hour, at most `voucher` hours; 0 when the hour is taken, or
 * that claim over.
 */
export function maxDurationAt(hour_start: number, voucher: number, taken: readonly HourRange[], over = 0): number {
  let fits = 0;
  while (fits < voucher) {
    const next = { hour_start, hour_end: hour_start + fits + 1 };
    if (wouldExceedDay(hour_start, fits + 1) || taken.some((range) => rangesOverlap(next, range))) break;
    fits += 1;
  }
  return hour_start + fits > over ? fits : 0;
}

/**
 * The state of each of the 24 start hours for a duration. An hour is disabled in the form exactly when
 * its state is not `free`, and exactly then the server refuses a claim of that duration there.
 * @param over how many hours of the date are over
 */
export function startHours(duration: number, voucher: number, taken: readonly HourRange[], over = 0): StartHour[] {
  return Array.from({ length: HOURS_IN_DAY }, (_, hour) => {
    const max_duration = maxDurationAt(hour, voucher, taken, over);
    const state = startHourState(hour, duration, taken);
    // Where no claim at all would end in time, no shorter one is offered either.
    const isOver = hour + duration <= over || max_duration === 0;
    return { hour, state: state !== 'taken' && isOver ? 'over' : state, max_duration };
  });
}

/**
 * The hours at which a secondary claim may wait for `duration` hours: free ones and taken ones, as long as it would not
 * be over already (R4.14). What would pass SS+24 is cut there (R5.6).
 */
export function waitingHours(duration: number, taken: readonly HourRange[], over: number): StartHour[] {
  return startHours(1, 1, taken).map((start) => (secondaryEnd(start.hour, duration) <= over ? { ...start, state: 'over' } : start));
}

function startHourState(hour: number, duration: number, taken: readonly HourRange[]): Exclude<StartHourState, 'over'> {
  if (taken.some((range) => rangesOverlap({ hour_start: hour, hour_end: hour + 1 }, range))) return 'taken';
  if (wouldExceedDay(hour, duration)) return 'exceeds';
  const wanted = { hour_start: hour, hour_end: hour + duration };
  return taken.some((range) => rangesOverlap(wanted, range)) ? 'conflict' : 'free';
}
