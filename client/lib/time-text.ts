import type { TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { HOURS_IN_DAY, instantOf, type ServerSaveClock } from '../../shared/rules/server-save.ts';
import { undotted } from '../../shared/rules/undotted.ts';
import { onReturn } from './page-events.ts';

/**
 * Every date and time in words. Three things are written:
 * - a server-save date (`2026-11-21`), a calendar date that no zone shifts: `dayText`;
 * - an instant, on the reader's clock: `useInstantText`, `useNearTimeText`;
 * - an SS hour of a date, as the reader's own time: `localTimeAt`.
 * Hours such as "SS+10 to SS+14" are the sentence `time.range`. `ui/hours` has the components.
 */

/** A text that never wraps, such as hours within a sentence. */
export const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0');

/** How dates and times are written for a language: "Sat 21 Nov" and 21:00, not "Sat, Nov 21" and 9:00 PM. */
export function formatLocale(language: string): string {
  return { en: 'en-GB', pt: 'pt-BR' }[language] ?? language;
}

/** The zone of this computer, an IANA name: what a formatter without one formats in. */
const zoneNow = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

let zone = zoneNow();
const zoneListeners = new Set<() => void>();
let stopChecking = (): void => {};

// Building a formatter costs far more than using one, and a board formats a thousand dates.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Browsers have no event for a new zone, so check when the page is looked at again: the laptop may have travelled. */
function checkZone(): void {
  const now = zoneNow();
  if (now === zone) return;
  zone = now;
  // A formatter built since then is cached under the old zone's name.
  formatters.clear();
  for (const listener of zoneListeners) listener();
}

function subscribeToZone(listener: () => void): () => void {
  if (zoneListeners.size === 0) stopChecking = onReturn(checkZone);
  zoneListeners.add(listener);
  checkZone();
  return () => {
    zoneListeners.delete(listener);
    if (zoneListeners.size === 0) stopChecking();
  };
}

/** The reader's time zone; re-renders when it changes. */
export const useTimeZone = (): string => useSyncExternalStore(subscribeToZone, () => zone);

/**
 * A cached formatter of instants.
 * @param here from `useTimeZone`: a formatter keeps the zone in which it was built
 * @param locale from `formatLocale`
 */
export function formatterIn(
  here: string,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = [here, locale, JSON.stringify(options)].join();
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter;
}

const DAY_STYLES = {
  /** "Sat 21 Nov" */
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  /** "Sat 21" */
  short: { weekday: 'short', day: 'numeric' },
  /** "Saturday 21 November" */
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  /** "Saturday 21 November 2026" */
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  /** "Sat 21 Nov 2026" */
  dayAndYear: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  /** "21 Nov" */
  date: { day: 'numeric', month: 'short' },
  /** "21 Nov 2026" */
  dateAndYear: { day: 'numeric', month: 'short', year: 'numeric' },
  /** "21 November 2026" */
  longDate: { day: 'numeric', month: 'long', year: 'numeric' },
  /** "Saturday" */
  weekday: { weekday: 'long' },
  /** "Sat" */
  shortWeekday: { weekday: 'short' },
  /** "21" */
  number: { day: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
export type DayStyle = keyof typeof DAY_STYLES;

/** A server-save date in words. A text that is no date (early versions logged some) stays as it is. */
export function dayText(date: string, locale: string, style: DayStyle = 'day'): string {
  const day = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(day.getTime())
    ? date
    : undotted(formatterIn('UTC', locale, { ...DAY_STYLES[style], timeZone: 'UTC' }).format(day));
}

export function useDayText(): (date: string, style?: DayStyle) => string {
  const { i18n } = useTranslation();
  return (date, style) => dayText(date, formatLocale(i18n.language), style);
}

/**
 * A text with every YYYY-MM-DD in it as `dayText`, with the year unless it is this one. Locale files use it as `{{…, day}}`, so
 * that no sentence shows a date as the server writes it.
 */
export function withDayTexts(
  text: string,
  locale: string,
  thisYear = new Date().getFullYear(),
): string {
  return text.replace(/\b(\d{4})-\d{2}-\d{2}\b/g, (date, year) =>
    dayText(date, locale, Number(year) === thisYear ? 'day' : 'dayAndYear'),
  );
}

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

const INSTANT_STYLES = {
  /** "20:45" */
  clock: CLOCK,
  /** "20:45 CET" */
  clockAndZone: { ...CLOCK, timeZoneName: 'short' },
  /** "Sat 20:45" */
  dayAndClock: { weekday: 'short', ...CLOCK },
  /** "21 Nov 2026" */
  date: DAY_STYLES.dateAndYear,
  /** "21 Nov 2026, 20:45" */
  dateAndClock: { ...DAY_STYLES.dateAndYear, ...CLOCK },
  /** "21 November 2026 at 20:45" */
  long: { dateStyle: 'long', timeStyle: 'short' },
  /** "Saturday 21 November 2026 at 20:45" */
  full: { dateStyle: 'full', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
export type InstantStyle = keyof typeof INSTANT_STYLES;

/** An instant (a date, ISO 8601 or milliseconds) on the reader's clock. */
export function useInstantText(): (at: Date | string | number, style: InstantStyle) => string {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  return (at, style) => {
    const text = undotted(
      formatterIn(here, formatLocale(i18n.language), INSTANT_STYLES[style]).format(new Date(at)),
    );
    // Some languages put a comma between weekday and time.
    return style === 'dayAndClock' ? text.replace(',', '') : text;
  };
}

/** Times further away than this are shown with the weekday. */
const NEAR_MS = 12 * 3_600_000;

/** An instant on the reader's clock: "20:45", with the weekday unless it is near. @param now the server's, in milliseconds */
export function useNearTimeText(): (at: number, now: number) => string {
  const instantText = useInstantText();
  return (at, now) => instantText(at, Math.abs(at - now) < NEAR_MS ? 'clock' : 'dayAndClock');
}

const MINUTE_MS = 60_000;
const MINUTES_IN_HOUR = 60;

/** A span of time: "2 d 3 h", "5 h 14 min", "28 min". Begun minutes count. */
export function durationText(t: TFunction, ms: number): string {
  const total = Math.max(0, Math.ceil(ms / MINUTE_MS));
  const minutes = total % MINUTES_IN_HOUR;
  const hours = Math.floor(total / MINUTES_IN_HOUR);
  const days = Math.floor(hours / HOURS_IN_DAY);
  const rest = hours % HOURS_IN_DAY;
  if (days > 0)
    return rest > 0 ? t('time.daysHours', { days, hours: rest }) : t('time.days', { days });
  if (hours > 0) return t('time.hoursMinutes', { hours, minutes });
  return t('time.minutes', { count: minutes });
}

/** How a reader reads the hours of a server-save date: the guild's clock, the reader's locale and zone. */
interface Reader {
  clock: ServerSaveClock;
  locale: string;
  /** From `useTimeZone`. */
  here: string;
}

/**
 * The reader's local time at the start of an SS hour, such as 21:00; hour 24 is the day's end. If the local day differs from the one
 * already shown, the weekday is added: "Sun 02:00".
 * @param since the hour of the same date that was shown before; by default, only `date` was shown
 */
export function localTimeAt(
  date: string,
  hour: number,
  { clock, locale, here }: Reader,
  since?: number,
): string {
  const at = instantOf(date, hour, clock);
  const shownDay = since === undefined ? date : localDay(instantOf(date, since, clock), here);
  const time = formatterIn(here, locale, CLOCK).format(at);
  return localDay(at, here) === shownDay ? time : `${weekdayOf(at, here, locale)} ${time}`;
}

/** A midnight of the reader's within a server-save date. */
export interface Midnight {
  /** The SS hour, from 0 to before 24; a fraction where the reader's zone is half an hour off. */
  hour: number;
  /** The day that begins: "Sun". */
  name: string;
}

/** The reader's midnights in a server-save date; before them SS+0, if that is already another day than the date's. */
export function midnightsIn(date: string, { clock, locale, here }: Reader): Midnight[] {
  const midnights: Midnight[] = [];
  let shownDay = date;
  for (let hour = 0; hour <= HOURS_IN_DAY; hour += 1) {
    const at = instantOf(date, hour, clock);
    const day = localDay(at, here);
    if (day === shownDay) continue;
    shownDay = day;
    const begins =
      hour === 0 ? 0 : hour - 1 + partBeforeDay(day, instantOf(date, hour - 1, clock), at, here);
    if (begins < HOURS_IN_DAY) midnights.push({ hour: begins, name: weekdayOf(at, here, locale) });
  }
  return midnights;
}

/** The part of an SS hour that has passed when the reader's `day` starts. Found by bisection: clocks may change at midnight. */
function partBeforeDay(day: string, begins: Date, ends: Date, here: string): number {
  let before = begins.getTime();
  let from = ends.getTime();
  while (from - before > MINUTE_MS) {
    const middle = before + Math.ceil((from - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (localDay(new Date(middle), here) === day) from = middle;
    else before = middle;
  }
  return (from - begins.getTime()) / (ends.getTime() - begins.getTime());
}

const weekdayOf = (at: Date, here: string, locale: string): string =>
  undotted(formatterIn(here, locale, DAY_STYLES.shortWeekday).format(at));

/** YYYY-MM-DD of an instant in the reader's zone. */
const localDay = (at: Date, here: string): string =>
  formatterIn(here, 'en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
