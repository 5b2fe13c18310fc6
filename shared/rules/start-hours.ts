import { type HourRange, rangesOverlap, wouldExceedDay } from './hours.ts';
import { HOURS_IN_DAY } from './server-save.ts';

/**
 * The state of one start hour in the form. `taken`: the hour itself belongs to a claim. `over`: the hour is over; the server
 * accepts a claim from there that ends later, but the form doesn't offer it. `conflict`: it is free, but the
 * duration runs into a claim. `exceeds`: it runs past SS+24. `skipped`: the claim would be only the hour that the clocks skip.
 */
type StartHourState = 'free' | 'taken' | 'over' | 'conflict' | 'exceeds' | 'skipped';

export interface StartHour {
  hour: number;
  state: StartHourState;
  /** The longest claim that fits here, 0 when the hour is taken or over or none has a length; at most the voucher's duration. */
  max_duration: number;
}

/** A spot's date, for judging its start hours. */
export interface HoursOfDate {
  taken: readonly HourRange[];
  /** How many hours of the date are over. */
  over?: number;
  /** `hoursExist` on the date. */
  exist?: (hours: HourRange) => boolean;
}

/**
 * R2.2, R2.3, R4.14: the longest claim that fits at a start hour, at most `voucher` hours; 0 when the hour is taken or over.
 */
export function maxDurationAt(
  hour_start: number,
  voucher: number,
  { taken, over = 0 }: HoursOfDate,
): number {
  let fits = 0;
  while (fits < voucher) {
    const next = { hour_start, hour_end: hour_start + fits + 1 };
    if (wouldExceedDay(hour_start, fits + 1) || taken.some((range) => rangesOverlap(next, range)))
      break;
    fits += 1;
  }
  return hour_start < over ? 0 : fits;
}

/**
 * The state of each of the 24 start hours for a duration. An hour is disabled in the form exactly when
 * its state is not `free`: exactly then the server refuses a claim of that duration there, or the hour is over.
 */
export function startHours(
  duration: number,
  voucher: number,
  { taken, over = 0, exist = () => true }: HoursOfDate,
): StartHour[] {
  return Array.from({ length: HOURS_IN_DAY }, (_, hour) => {
    const fits = maxDurationAt(hour, voucher, { taken, over });
    const max_duration = exist({ hour_start: hour, hour_end: hour + fits }) ? fits : 0;
    const state = startHourState(hour, duration, { taken, exist });
    return { hour, state: state !== 'taken' && hour < over ? 'over' : state, max_duration };
  });
}

/** A claim that can be had. */
export interface StartOffer {
  hour_start: number;
  /** In hours, at least 1. */
  duration: number;
}

/**
 * What can be had instead of a start hour that is not free for a duration: what fits there, and the whole duration at the
 * nearest start, at most that duration away (the earlier one of two). Nothing for an hour that is free, or over.
 * @param hours as `startHours` has them for that duration
 */
export function offersInstead(
  hour: number,
  duration: number,
  hours: readonly StartHour[],
): StartOffer[] {
  const state = hours[hour];
  if (!state || state.state === 'free' || state.state === 'over') return [];
  const shorter =
    state.max_duration > 0 && state.state !== 'skipped'
      ? [{ hour_start: hour, duration: state.max_duration }]
      : [];
  const [nearest] = hours
    .filter((start) => start.state === 'free' && Math.abs(start.hour - hour) <= duration)
    .sort((a, b) => Math.abs(a.hour - hour) - Math.abs(b.hour - hour));
  return nearest ? [...shorter, { hour_start: nearest.hour, duration }] : shorter;
}

/**
 * The hours at which a secondary claim may wait: free ones and taken ones that are not over. What would pass SS+24 is cut
 * there (R5.6), so that its length rules none out.
 */
export function waitingHours(taken: readonly HourRange[], over: number): StartHour[] {
  return startHours(1, 1, { taken }).map((start) =>
    start.hour < over ? { ...start, state: 'over' } : start,
  );
}

function startHourState(
  hour: number,
  duration: number,
  { taken, exist }: Required<Omit<HoursOfDate, 'over'>>,
): Exclude<StartHourState, 'over'> {
  if (taken.some((range) => rangesOverlap({ hour_start: hour, hour_end: hour + 1 }, range)))
    return 'taken';
  if (wouldExceedDay(hour, duration)) return 'exceeds';
  const wanted = { hour_start: hour, hour_end: hour + duration };
  if (taken.some((range) => rangesOverlap(wanted, range))) return 'conflict';
  return exist(wanted) ? 'free' : 'skipped';
}
