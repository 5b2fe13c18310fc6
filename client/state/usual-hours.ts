import type { HourRange } from '../../shared/rules/hours.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { HOURS_IN_DAY, instantOf, type ServerSaveClock } from '../../shared/rules/server-save.ts';
import type { BoardState } from './board-store.ts';
import type { Claimant } from './claim-draft.ts';
import { lastClaimOf } from './last-claim.ts';

/** The viewer's evening begins at this hour of their own clock. */
const EVENING = 20;

/** The first hour of a date that is in the viewer's evening. @param from hours before it are over */
export function eveningHour(
  date: string,
  clock: ServerSaveClock,
  from: number,
): number | undefined {
  for (let hour = from; hour < HOURS_IN_DAY; hour += 1)
    if (instantOf(date, hour, clock).getHours() >= EVENING) return hour;
  return undefined;
}

interface UsualFacts {
  date: string;
  /** The longest claim, in hours. */
  longest: number;
  clock: ServerSaveClock;
}

/** The hours of a member's last claim, else their evening; null for others. */
export function usualHours(
  board: BoardState,
  { character_name, access_key }: Claimant,
  { date, longest, clock }: UsualFacts,
): HourRange | null {
  if (!access_key) return null;
  const last = lastClaimOf(board, nameKey(character_name));
  if (last) return { hour_start: last.hour_start, hour_end: last.hour_end };
  const start = eveningHour(date, clock, 0);
  return start === undefined
    ? null
    : { hour_start: start, hour_end: Math.min(start + longest, HOURS_IN_DAY) };
}
