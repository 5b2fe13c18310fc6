import type { HourRange } from './hours.ts';
import { HOURS_IN_DAY } from './server-save.ts';

/** Limits of the hours that can be chosen of one spot on one date. */
export interface StretchLimits {
  /** The longest claim, in hours, 1 to 24. */
  voucher: number;
  taken: readonly HourRange[];
  /** How many hours of the date are over: what runs is not. */
  over: number;
}

export function isOpenHour(hour: number, { taken, over }: Omit<StretchLimits, 'voucher'>): boolean {
  return (
    hour >= over &&
    hour < HOURS_IN_DAY &&
    !taken.some((range) => range.hour_start <= hour && hour < range.hour_end)
  );
}

/**
 * The hours from the pressed one towards another, earlier or later, as far as possible: they end at a taken
 * hour, at a past one, at either end of the day, and at the voucher. All in-place choices use this.
 * @returns null if the first hour is not open
 */
export function stretchTo(from: number, to: number, limits: StretchLimits): HourRange | null {
  if (!isOpenHour(from, limits)) return null;
  const step = to < from ? -1 : 1;
  let last = from;
  for (
    let length = 1;
    last !== to && length < limits.voucher && isOpenHour(last + step, limits);
    length += 1
  )
    last += step;
  return { hour_start: Math.min(from, last), hour_end: Math.max(from, last) + 1 };
}

/** The longest claim with an hour in it: from that hour on, and from before it where too few follow. */
export function longestAt(hour: number, limits: StretchLimits): HourRange | null {
  const ahead = stretchTo(hour, HOURS_IN_DAY, limits);
  return ahead && stretchTo(ahead.hour_end - 1, ahead.hour_end - limits.voucher, limits);
}

/** The first hours that last the whole voucher, else the longest there are. */
export function firstFit(limits: StretchLimits): HourRange | null {
  let best: HourRange | null = null;
  for (let hour = 0; hour < HOURS_IN_DAY; hour += 1) {
    const found = stretchTo(hour, HOURS_IN_DAY, limits);
    if (found && lengthOf(found) > (best ? lengthOf(best) : 0)) best = found;
  }
  return best;
}

/** Hours as long as the wanted ones, or the longest there are, that start as near to them as possible; of two the earlier ones. */
export function nearestFit(wanted: HourRange, limits: StretchLimits): HourRange | null {
  const awayOf = ({ hour_start }: HourRange): number => Math.abs(hour_start - wanted.hour_start);
  let best: HourRange | null = null;
  for (let hour = 0; hour < HOURS_IN_DAY; hour += 1) {
    const found = stretchTo(hour, hour + lengthOf(wanted) - 1, limits);
    if (!found) continue;
    const longer = lengthOf(found) - (best ? lengthOf(best) : 0);
    if (!best || longer > 0 || (longer === 0 && awayOf(found) < awayOf(best))) best = found;
  }
  return best;
}

/** The same hours with another start, as far as that can be had; the last hour stays. */
export const withStart = (
  { hour_end }: HourRange,
  hour_start: number,
  limits: StretchLimits,
): HourRange | null => stretchTo(hour_end - 1, Math.min(hour_start, hour_end - 1), limits);

/** The same hours with another end, 1 to 24, as far as that can be had; the first hour stays. */
export const withEnd = (
  { hour_start }: HourRange,
  hour_end: number,
  limits: StretchLimits,
): HourRange | null => stretchTo(hour_start, Math.max(hour_end - 1, hour_start), limits);

/**
 * Hours of the same length that start at another hour, or as near to it as the day's end and past hours allow.
 * @returns null where some of them cannot be had
 */
export function movedTo(
  hours: HourRange,
  hour_start: number,
  limits: StretchLimits,
): HourRange | null {
  const length = lengthOf(hours);
  const start = Math.max(limits.over, 0, Math.min(hour_start, HOURS_IN_DAY - length));
  const moved = stretchTo(start, start + length - 1, limits);
  return moved && lengthOf(moved) === length ? moved : null;
}

/** The selected hours minus those that were taken meanwhile or are past: the longest run, of two the earlier one. */
export function whatIsLeft(chosen: HourRange, limits: StretchLimits): HourRange | null {
  let best: HourRange | null = null;
  for (let hour = chosen.hour_start; hour < chosen.hour_end; hour += 1) {
    const found = stretchTo(hour, chosen.hour_end - 1, limits);
    if (found && lengthOf(found) > (best ? lengthOf(best) : 0)) best = found;
  }
  return best;
}

export const lengthOf = ({ hour_start, hour_end }: HourRange): number => hour_end - hour_start;
