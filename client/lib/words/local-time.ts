import { HOURS_IN_DAY, instantOf, type ServerSaveClock } from '../../../shared/rules/server-save.ts';
import { formatterIn } from '../time-zone.ts';

const HOUR_AND_MINUTE = { hour: '2-digit', minute: '2-digit' } as const;
const MINUTE_MS = 60_000;
const WEEKDAY = { weekday: 'short' } as const;
const CALENDAR_DAY = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** Where a viewer reads the hours of a server-save day: the guild's clock, the viewer's language and zone (as `useTimeZone` has it). */
export interface Viewer {
  clock: ServerSaveClock;
  language: string;
  here: string;
}

/**
 * The viewer's own wall-clock time at the start of an SS hour, such as 21:00; hour 24 is the day's end. Where the viewer's day is
 * not the one that is told already, its name stands before it: "Sun 02:00".
 * @param since the hour of the same date whose time, and so its day, was told before; without it only `date` was
 */
export function localTimeAt(date: string, hour: number, { clock, language, here }: Viewer, since?: number): string {
  const at = instantOf(date, hour, clock);
  const told = since === undefined ? date : localDay(instantOf(date, since, clock), here);
  const time = formatterIn(here, language, HOUR_AND_MINUTE).format(at);
  if (localDay(at, here) === told) return time;
  return `${dayName(at, here, language)} ${time}`;
}

/** Where a day of the viewer's begins within a server-save date. */
export interface DayTurn {
  /** The SS hour, from 0 to before 24; a fraction where the viewer's zone is half an hour off. */
  hour: number;
  /** "Sun" */
  name: string;
}

/** The midnights of the viewer in a server-save date; before them SS+0, where that is another day's than the date tells. */
export function dayTurns(date: string, { clock, language, here }: Viewer): DayTurn[] {
  const turns: DayTurn[] = [];
  let told = date;
  for (let hour = 0; hour <= HOURS_IN_DAY; hour += 1) {
    const at = instantOf(date, hour, clock);
    const day = localDay(at, here);
    if (day === told) continue;
    told = day;
    const turn = hour === 0 ? 0 : hour - 1 + partBeforeDay(day, instantOf(date, hour - 1, clock), at, here);
    if (turn < HOURS_IN_DAY) turns.push({ hour: turn, name: dayName(at, here, language) });
  }
  return turns;
}

/** The part of an SS hour that is over when the viewer's `day` begins. Not counted back from its end: clocks may change at midnight. */
function partBeforeDay(day: string, begins: Date, ends: Date, here: string): number {
  let [before, from] = [begins.getTime(), ends.getTime()];
  while (from - before > MINUTE_MS) {
    const middle = before + Math.ceil((from - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (localDay(new Date(middle), here) === day) from = middle;
    else before = middle;
  }
  return (from - begins.getTime()) / (ends.getTime() - begins.getTime());
}

/** "dom." with its dot would read as the end of a sentence. */
const dayName = (at: Date, here: string, language: string): string => formatterIn(here, language, WEEKDAY).format(at).replace('.', '');

/** YYYY-MM-DD of an instant where the viewer is. */
const localDay = (at: Date, here: string): string => formatterIn(here, 'en-CA', CALENDAR_DAY).format(at);

/**
 * A server-save date in short words, such as "Sat 21 Nov". It is a calendar date, not an instant: no zone shifts it. What is
 * no date, as an earlier version may have stored it in the log, stays as it is.
 */
export function dateInWords(
  date: string,
  language: string,
  options: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' },
): string {
  const day = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? date : formatterIn('UTC', language, { ...options, timeZone: 'UTC' }).format(day);
}

const SHORT_DATE: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' };

/**
 * A text with every YYYY-MM-DD in it as `dateInWords`, with the year where it is another than this one: what `{{…, day}}` means
 * in the locale files, so that no sentence shows a date as the server writes it.
 */
export function datesInWords(text: string, language: string, thisYear = new Date().getFullYear()): string {
  return text.replace(/\b(\d{4})-\d{2}-\d{2}\b/g, (date, year) =>
    dateInWords(date, language, Number(year) === thisYear ? SHORT_DATE : { ...SHORT_DATE, year: 'numeric' }),
  );
}

/** How dates and times are written for a language: "Sat 21 Nov" and 21:00, not "Sat, Nov 21" and 9:00 PM. */
export function formatLocale(language: string): string {
  return { en: 'en-GB', pt: 'pt-BR' }[language] ?? language;
}
