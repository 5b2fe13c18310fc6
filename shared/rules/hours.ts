import { HOURS_IN_DAY } from './server-save.ts';

/** Whole hours of one server-save day: from `hour_start` (0 to 23) up to, not including, `hour_end` (1 to 24). */
export interface HourRange {
  hour_start: number;
  hour_end: number;
}

/** R2.3: ranges that only touch do not overlap. */
export function rangesOverlap(a: HourRange, b: HourRange): boolean {
  return a.hour_start < b.hour_end && b.hour_start < a.hour_end;
}

/** R2.2: a claim is refused, never cut, when it would pass SS+24. */
export function wouldExceedDay(hour_start: number, duration: number): boolean {
  return hour_start + duration > HOURS_IN_DAY;
}

/** The hours a range occupies, for the occupancy rows. */
export function hoursIn(range: HourRange): number[] {
  return Array.from({ length: range.hour_end - range.hour_start }, (_, i) => range.hour_start + i);
}

/** A range minus another one: no range, one, or one on either side of it. */
export function without({ hour_start, hour_end }: HourRange, other: HourRange): HourRange[] {
  const sides = [
    { hour_start, hour_end: Math.min(hour_end, other.hour_start) },
    { hour_start: Math.max(hour_start, other.hour_end), hour_end },
  ];
  return rangesOverlap({ hour_start, hour_end }, other)
    ? sides.filter((side) => side.hour_start < side.hour_end)
    : [{ hour_start, hour_end }];
}

/** The free stretches of a day around ranges that are taken, in order. */
export function freeRanges(taken: readonly HourRange[]): HourRange[] {
  const free: HourRange[] = [];
  let from = 0;
  for (const range of [...taken].sort((a, b) => a.hour_start - b.hour_start)) {
    if (range.hour_start > from) free.push({ hour_start: from, hour_end: range.hour_start });
    from = Math.max(from, range.hour_end);
  }
  if (from < HOURS_IN_DAY) free.push({ hour_start: from, hour_end: HOURS_IN_DAY });
  return free;
}
