import { CONFIG_ID } from '../../shared/kinds.ts';
import type { FreeAt } from '../../shared/rules/free-at.ts';
import type { HourRange } from '../../shared/rules/hours.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { HOURS_IN_DAY, instantOf, type ServerSaveClock } from '../../shared/rules/server-save.ts';
import { type BoardState, useBoard } from './board-store.ts';
import type { Claimant } from './claim-draft.ts';
import { useServerSaveClock, useServerSaveQuarter } from './clock.ts';
import { lastClaimOf, useLastClaim } from './last-claim.ts';
import { useSession } from './session-store.ts';

/** The viewer's evening begins at this hour of their own clock. */
const EVENING = 20;

/** The first hour of a date that is in the viewer's evening. @param from hours before it are over */
function eveningHour(date: string, clock: ServerSaveClock, from: number): number | undefined {
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

/** Used until the configuration is loaded. */
const DEFAULT_HOURS = 4;

/** The longest claim that the viewer may make, in hours; for an admin who claims for others, the longest of any member type. */
export function useLongestClaim(): number {
  const memberType = useSession((session) => session.current?.memberType ?? null);
  return useBoard(({ byKind }) => {
    const usual = byKind.config.get(CONFIG_ID)?.voucher_duration_hours ?? DEFAULT_HOURS;
    if (memberType !== null)
      return byKind.member_type.get(memberType)?.voucher_duration_hours ?? usual;
    return Math.max(
      usual,
      ...[...byKind.member_type.values()].map((type) => type.voucher_duration_hours),
    );
  });
}

/** Hours to search with one press. `now`: neither usual hours nor an evening are left today. */
export interface Preset extends FreeAt {
  kind: 'tonight' | 'evening' | 'now';
}

interface PresetInput {
  /** The viewer's character, as a name's key: today it begins with the hours of their last claim. */
  viewer: string | null;
  /** Hours of the date that are over. */
  over: number;
  /** The longest claim that the viewer may make, in hours. */
  longest: number;
}

/** The viewer's usual hours if they are ahead today, else the evening; null: none is left of the date. */
export function usePreset(date: string, { viewer, over, longest }: PresetInput): Preset | null {
  const last = useLastClaim(viewer);
  const clock = useServerSaveClock();
  const { date: today } = useServerSaveQuarter();
  const isToday = date === today;
  const from = (kind: Preset['kind'], hour_start: number, duration = longest): Preset => ({
    kind,
    hour_start,
    duration: Math.min(duration, longest, HOURS_IN_DAY - hour_start),
  });
  if (isToday && last && last.hour_start >= over)
    return from('tonight', last.hour_start, last.hour_end - last.hour_start);
  const evening = eveningHour(date, clock, over);
  if (evening !== undefined) return from(isToday ? 'tonight' : 'evening', evening);
  return isToday && over < HOURS_IN_DAY ? from('now', over) : null;
}
