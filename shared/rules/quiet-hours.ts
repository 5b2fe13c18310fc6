import { minuteOfDay } from './server-save.ts';

/** When not to disturb a character, by a wall clock; both null: always reachable. */
export interface QuietHours {
  /** HH:MM; from then on ... */
  quiet_from: string | null;
  /** ... until before then, which may be the next day. */
  quiet_until: string | null;
  /** IANA name. */
  time_zone: string;
}

const MINUTE_MS = 60_000;
const MINUTES_IN_DAY = 1_440;

/**
 * The end of the quiet hours that contain an instant; null: none do. The wall clock decides:
 * if it jumps over their end they end with the jump, and an hour that comes twice is quiet both times.
 */
export function quietUntil(
  at: Date,
  { quiet_from, quiet_until, time_zone }: QuietHours,
): Date | null {
  if (quiet_from === null || quiet_until === null) return null;
  const from = minutesOf(quiet_from);
  const until = minutesOf(quiet_until);
  const wallAt = (instant: number): number => minuteOfDay(new Date(instant), time_zone);
  /** Minutes until the wall clock reaches the end without a clock change; 0: it is not quiet. */
  const left = (wall: number): number => {
    const since = (wall - from + MINUTES_IN_DAY) % MINUTES_IN_DAY;
    const length = (until - from + MINUTES_IN_DAY) % MINUTES_IN_DAY;
    return Math.max(0, length - since);
  };
  const now = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  const wall = wallAt(now);
  const minutes = left(wall);
  if (minutes === 0) return null;
  const end = now + minutes * MINUTE_MS;
  const shiftAt = (instant: number): number => wallAt(instant) - (instant - now) / MINUTE_MS - wall;
  const isTurned = (instant: number): boolean => shiftAt(instant) % MINUTES_IN_DAY !== 0;
  if (!isTurned(end)) return new Date(end);
  // The clocks change before: find the first minute with another offset.
  let before = now;
  let after = end;
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / MINUTE_MS / 2) * MINUTE_MS;
    if (isTurned(middle)) after = middle;
    else before = middle;
  }
  return new Date(after + left(wallAt(after)) * MINUTE_MS);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
