import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { hoursExist, hoursOver, lastDateAhead } from '../../../shared/rules/claim-time.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { isHoldOver } from '../../../shared/rules/holds.ts';
import { freeRanges, type HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays, datesBetween, serverSaveTime } from '../../../shared/rules/server-save.ts';
import { type StartHour, startHours } from '../../../shared/rules/start-hours.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import { date as dateShape } from '../../../shared/schemas/fields.ts';
import { DEFAULT_VOUCHER_HOURS, type MemberType } from '../../../shared/schemas/member-type.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { BoardSnapshot } from '../../live/read-model.ts';
import type { DiscordContext } from './context.ts';

/* The board as the Discord app reads it: from memory, by the rules of `shared/rules`. */

export type Records = BoardSnapshot['records'];

/** The members' board and the moment it is read for. */
export interface BoardNow {
  records: Records;
  today: string;
  /** The SS hour that runs. */
  hour: number;
  now: Date;
  clock: ReturnType<typeof serverSaveClock>;
  event: Event | null;
  last_date: string;
}

export async function readBoard({ readModel, now, env }: DiscordContext): Promise<BoardNow> {
  const { records } = await readModel.snapshot('members');
  const at = now();
  const clock = serverSaveClock({ env });
  const { date: today, hour } = serverSaveTime(at, clock);
  const event = records.event.find(({ is_active }) => is_active === 1) ?? null;
  const last_date = event
    ? eventDate(event.end_time)
    : lastDateAhead({ today, horizon_days: env.HORIZON_DAYS });
  return { records, today, hour, now: at, clock, event, last_date };
}

/** Dates further away than this are a slip of the keyboard, in days. */
const MAX_DAYS_AWAY = 400;

/** A date that was typed, if it is one and not far away. */
export function nearDate({ today }: Pick<BoardNow, 'today'>, typed: string): string | null {
  const { data } = dateShape.safeParse(typed.trim());
  return data !== undefined &&
    addDays(today, -MAX_DAYS_AWAY) <= data &&
    data <= addDays(today, MAX_DAYS_AWAY)
    ? data
    : null;
}

/** The dates that can be claimed, the first first. */
export function claimableDates({ today, event, last_date }: BoardNow, most: number): string[] {
  const first = event && eventDate(event.start_time) > today ? eventDate(event.start_time) : today;
  const last = addDays(first, most - 1);
  return first > last_date ? [] : datesBetween(first, last < last_date ? last : last_date);
}

interface TakenHours extends HourRange {
  character_name: string;
  member_type: string | null;
  /** Reserved for the next on the waitlist. */
  is_held: boolean;
}

export interface SpotDay {
  respawn: Respawn;
  date: string;
  /** In the order of their hours; without secondary claims. */
  taken: TakenHours[];
  /** How many of the hours are over. */
  over: number;
  /** Open waitlist entries, by position. */
  waitlist: Wait[];
}

/** How many hours of a date are over. */
export const hoursPast = ({ today, hour }: BoardNow, date: string): number =>
  hoursOver(date, { today, hour, may_enter_past: false });

/** The taken hours of all spots on a date, by spot, in the order of their hours. One pass: a board has thousands of claims. */
export function takenOn(
  { records, now }: BoardNow,
  date: string,
): ReadonlyMap<number, TakenHours[]> {
  const taken = new Map<number, TakenHours[]>();
  const add = (respawn_id: number, hours: TakenHours): void => {
    const known = taken.get(respawn_id);
    if (known) known.push(hours);
    else taken.set(respawn_id, [hours]);
  };
  for (const claim of records.claim) {
    if (
      claim.is_secondary_claim ||
      (claim.date !== null && claim.date !== date) ||
      (claim.is_held && isHoldOver(claim, now))
    )
      continue;
    const { character_name, member_type, is_held } = claim;
    for (const { respawn_id, hour_start, hour_end } of claimOnRespawns(claim))
      add(respawn_id, {
        hour_start,
        hour_end,
        character_name,
        member_type,
        is_held: is_held === 1,
      });
  }
  for (const { first_date, last_date, character_name, parts } of records.occupancy) {
    if (date < first_date || last_date < date) continue;
    for (const { respawn_id, hour_start, hour_end } of parts)
      add(respawn_id, { hour_start, hour_end, character_name, member_type: null, is_held: false });
  }
  for (const list of taken.values()) list.sort((a, b) => a.hour_start - b.hour_start);
  return taken;
}

export function spotDay(board: BoardNow, respawn: Respawn, date: string): SpotDay {
  const waitlist = board.records.wait.filter(
    (entry) => entry.respawn_id === respawn.id && entry.date === date && entry.position > 0,
  );
  return {
    respawn,
    date,
    taken: takenOn(board, date).get(respawn.id) ?? [],
    over: hoursPast(board, date),
    waitlist: waitlist.sort((a, b) => a.position - b.position),
  };
}

export const freeHours = ({ taken, over }: SpotDay): HourRange[] =>
  freeRanges(taken).flatMap(({ hour_start, hour_end }) =>
    hour_end > over ? { hour_start: Math.max(hour_start, over), hour_end } : [],
  );

/** The state of each start hour for a duration, as the form has it. */
export const startsOf = (
  { taken, over, date }: SpotDay,
  { clock }: BoardNow,
  { duration, voucher }: { duration: number; voucher: number },
): StartHour[] =>
  startHours(duration, voucher, {
    taken,
    over,
    exist: (hours) => hoursExist(hours, date, { clock }),
  });

/** The longest claim of a member's type, in hours. */
export const voucherOf = ({ records }: BoardNow, member_type: string): number =>
  typeNamed(records, member_type)?.voucher_duration_hours ?? DEFAULT_VOUCHER_HOURS;

export const typeNamed = ({ member_type }: Records, name: string | null): MemberType | undefined =>
  member_type.find((type) => type.member_type === name);

/** A name without case, accents and punctuation, for comparing typed text. */
export const folded = (text: string): string =>
  nameKey(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const foldedNames = new WeakMap<Respawn, string>();

/** A spot's folded name, folded once: suggestions compare all of them at each keystroke. */
function foldedName(respawn: Respawn): string {
  const known = foldedNames.get(respawn);
  if (known !== undefined) return known;
  const name = folded(respawn.name);
  foldedNames.set(respawn, name);
  return name;
}

/** How well a name matches typed text: 0 is best, null is no match. */
function rankOf(name: string, typed: string): number | null {
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  if (` ${name}`.includes(` ${typed}`)) return 2;
  if (name.includes(typed)) return 3;
  return typed.split(' ').every((word) => name.includes(word)) ? 4 : null;
}

/** The spots whose names match typed text, best first, then by name. */
export function spotsNamed({ records }: BoardNow, typed: string, most: number): Respawn[] {
  const wanted = folded(typed);
  return records.respawn
    .flatMap((respawn) => {
      const rank = rankOf(foldedName(respawn), wanted);
      return rank === null ? [] : { respawn, rank };
    })
    .sort((a, b) => a.rank - b.rank || a.respawn.name.localeCompare(b.respawn.name))
    .slice(0, most)
    .map(({ respawn }) => respawn);
}
