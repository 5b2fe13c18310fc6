const MINUTE_MS = 60_000;
/** A quarter of what is left is no shorter than this. */
const LEAST_QUARTER_MS = 2 * MINUTE_MS;

/**
 * R9.7: how long hours are held, in milliseconds: the guild's minutes, yet no longer than a quarter of what is left of them, or
 * two minutes where that is less.
 * @param hours `start`: when the first of them begins, or began; `end`: when the last of them ends
 */
export function holdLasts(
  hold_minutes: number,
  now: Date,
  { start, end }: { start: Date; end: Date },
): number {
  const left = end.getTime() - Math.max(now.getTime(), start.getTime());
  return Math.min(hold_minutes * MINUTE_MS, Math.max(left / 4, LEAST_QUARTER_MS));
}

/** R9.8: whether a hold has expired; its hours then count as free, even before a write has ended it. */
export const isHoldOver = ({ held_until }: { held_until: string | null }, now: Date): boolean =>
  held_until !== null && Date.parse(held_until) <= now.getTime();
