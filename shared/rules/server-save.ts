/**
 * The server-save clock: hour SS+0 begins at the daily server save, a wall-clock hour of some time zone
 * (Pacific time and 1 o'clock unless the settings say otherwise). A server-save date runs from one save to the next.
 */

export interface ServerSaveClock {
  /** IANA name, such as America/Los_Angeles. */
  ss_time_zone: string;
  /** Wall-clock hour of the save in that zone, 0 to 23. */
  ss_hour: number;
}

export interface ServerSaveTime {
  /** YYYY-MM-DD: the date on which the save happened, which after midnight is still yesterday's. */
  date: string;
  /** 0 to 23 */
  hour: number;
  /** Minutes until the next SS hour, at least 1; more than 60 while the clocks go back. */
  minutes_left: number;
  /** The part of the hour that is over, from 0 to below 1. */
  elapsed: number;
}

export const HOURS_IN_DAY = 24;
const MS_PER_DAY = 86_400_000;
const MS_PER_HOUR = 3_600_000;
const MS_PER_MINUTE = 60_000;

/** The wall-clock time of a zone. */
export interface WallClock {
  /** YYYY-MM-DD */
  date: string;
  /** 0 to 23 */
  hour: number;
  /** 0 to 59 */
  minute: number;
}

// Building a formatter costs far more than using one, and a board asks for hundreds of local times.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** The newest answer, to the second: a storm of claims asks for the same moment thousands of times. */
let last: { zone: string; second: number; clock: WallClock } | null = null;

/** The wall-clock time of a zone at an instant. @throws RangeError for a zone that does not exist */
export function wallClock(at: Date, zone: string): WallClock {
  const second = Math.floor(at.getTime() / 1_000);
  if (last?.second !== second || last.zone !== zone)
    last = { zone, second, clock: readWallClock(at, zone) };
  return last.clock;
}

function readWallClock(at: Date, zone: string): WallClock {
  const part: Record<string, string> = {};
  for (const { type, value } of formatterFor(zone).formatToParts(at)) part[type] = value;
  return {
    date: `${part.year}-${part.month}-${part.day}`,
    hour: Number(part.hour),
    minute: Number(part.minute),
  };
}

/** Minutes since midnight that a zone's wall clock shows, 0 to 1439. */
export function minuteOfDay(at: Date, zone: string): number {
  const { hour, minute } = wallClock(at, zone);
  return hour * 60 + minute;
}

/** The date `days` after `date` (both YYYY-MM-DD); negative goes back. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** All dates from `first` to `last`, both included; empty when `last` is earlier. */
export function datesBetween(first: string, last: string): string[] {
  const dates: string[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** An SS hour and the instants, in milliseconds, from which and until which it lasts. */
interface RunningHour {
  zone: string;
  ss_hour: number;
  date: string;
  hour: number;
  begins: number;
  ends: number;
}

/** The last hour found: nearly always the one requested next. */
let lastHour: RunningHour | null = null;

/** R8.1 to R8.3: the server-save date and hour at an instant. It never goes back, even if wall clocks do. */
export function serverSaveTime(at: Date, clock: ServerSaveClock): ServerSaveTime {
  const now = at.getTime();
  const { date, hour, begins, ends } = hourAt(now, clock);
  return {
    date,
    hour,
    minutes_left: Math.ceil((ends - now) / MS_PER_MINUTE),
    elapsed: (now - begins) / (ends - begins),
  };
}

function hourAt(now: number, clock: ServerSaveClock): RunningHour {
  const { ss_time_zone: zone, ss_hour } = clock;
  if (
    lastHour &&
    lastHour.begins <= now &&
    now < lastHour.ends &&
    lastHour.zone === zone &&
    lastHour.ss_hour === ss_hour
  )
    return lastHour;
  const wall = wallClock(new Date(now), zone);
  let date = wall.hour >= ss_hour ? wall.date : addDays(wall.date, -1);
  let hour = (wall.hour - ss_hour + HOURS_IN_DAY) % HOURS_IN_DAY;
  let begins = beginOf(date, hour, clock);
  let ends = beginOf(date, hour + 1, clock);
  // The wall clock repeats an hour: of hours that occur twice, the first one counts.
  while (ends <= now) {
    [date, hour] = hour + 1 < HOURS_IN_DAY ? [date, hour + 1] : [addDays(date, 1), 0];
    begins = ends;
    ends = beginOf(date, hour + 1, clock);
  }
  lastHour = { zone, ss_hour, date, hour, begins, ends };
  return lastHour;
}

/** A cache of instants in milliseconds: a board, its events and its calendars use the hours of a few days. */
const instants = new Map<string, number>();
/** The hours of some months; a full cache is emptied. */
const MAX_INSTANTS = 4_000;

/**
 * The instant at which SS+hour of a date begins; hour 24 is the end of the day.
 * An hour that a daylight-saving change skips begins where the clock jumps to;
 * an hour that occurs twice starts at its first occurrence.
 */
export function instantOf(date: string, hour: number, clock: ServerSaveClock): Date {
  return new Date(beginOf(date, hour, clock));
}

/** R8.3: true for an hour that the clocks skip on a date: it has no length. */
export function isSkipped(date: string, hour: number, clock: ServerSaveClock): boolean {
  return beginOf(date, hour, clock) === beginOf(date, hour + 1, clock);
}

function beginOf(date: string, hour: number, { ss_time_zone, ss_hour }: ServerSaveClock): number {
  const wallHour = hour + ss_hour;
  const cacheKey = `${ss_time_zone} ${date} ${wallHour}`;
  let instant = instants.get(cacheKey);
  if (instant === undefined) {
    instant = workOutInstant(date, wallHour, ss_time_zone);
    if (instants.size >= MAX_INSTANTS) instants.clear();
    instants.set(cacheKey, instant);
  }
  return instant;
}

function workOutInstant(date: string, wallHour: number, zone: string): number {
  const wanted = Date.parse(`${date}T00:00:00Z`) + wallHour * MS_PER_HOUR;
  const offsetAt = (instant: number): number => {
    const wall = wallClock(new Date(instant), zone);
    const asUtc =
      Date.parse(`${wall.date}T00:00:00Z`) + wall.hour * MS_PER_HOUR + wall.minute * MS_PER_MINUTE;
    return asUtc - Math.floor(instant / MS_PER_MINUTE) * MS_PER_MINUTE;
  };
  // The offsets a day before and a day after bracket any change between them.
  const candidates = [offsetAt(wanted - MS_PER_DAY), offsetAt(wanted + MS_PER_DAY)]
    .map((offset) => wanted - offset)
    .sort((a, b) => a - b);
  const exact = candidates.find((instant) => offsetAt(instant) === wanted - instant);
  if (exact !== undefined) return exact;
  // The clock jumps over it, at the first minute between the candidates at which the wall shows more.
  let before = candidates[0] ?? wanted;
  let from = candidates[1] ?? wanted;
  while (from - before > MS_PER_MINUTE) {
    const middle = before + Math.ceil((from - before) / 2 / MS_PER_MINUTE) * MS_PER_MINUTE;
    if (middle + offsetAt(middle) > wanted) from = middle;
    else before = middle;
  }
  return from;
}

/** An IANA time zone in its canonical spelling; null: this machine doesn't know it. */
export function timeZoneName(zone: string): string | null {
  // Offsets are taken for zones, too, and there are thousands.
  if (/^[+-]/.test(zone)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** True for an IANA time zone this machine knows. */
export function isTimeZone(zone: string): boolean {
  try {
    readWallClock(new Date(0), zone);
    return true;
  } catch {
    return false;
  }
}
