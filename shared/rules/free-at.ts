import type { HourRange } from './hours.ts';
import { maxDurationAt } from './start-hours.ts';

/** "Free at SS+16 for 4 h": what is looked for on some date. */
export interface FreeAt {
  /** 0 to 23 */
  hour_start: number;
  /** In hours, 1 to 24. */
  duration: number;
}

/**
 * R2.5: how many of the requested hours a spot has free from that start on, none to all of them. An hour that is over is no start,
 * though a claim might still end in time.
 * @param taken hours of the spot that claims hold; in a single_claim event on any of its dates
 * @param over how many hours of the date are over; of a single_claim event's last one
 */
export function roomAt(
  { hour_start, duration }: FreeAt,
  taken: readonly HourRange[],
  over: number,
): number {
  return hour_start < over ? 0 : maxDurationAt(hour_start, duration, { taken });
}

/** R2.5: a spot matches if all requested hours are free. */
export const fitsAt = (place: FreeAt, room: number): boolean => room === place.duration;

/**
 * What to ask for where no spot fits: the longest time that some have at that start, and how many.
 * @param rooms of all spots in question
 */
export function nextShorter(rooms: readonly number[]): { duration: number; count: number } | null {
  const duration = Math.max(0, ...rooms);
  return duration > 0
    ? { duration, count: rooms.filter((room) => room === duration).length }
    : null;
}
