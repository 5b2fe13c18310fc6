import { instantOf, type ServerSaveClock } from '../../../shared/rules/server-save.ts';
import { formatterIn } from '../time-zone.ts';

const HOUR_AND_MINUTE = { hour: '2-digit', minute: '2-digit' } as const;

/** The viewer's own wall-clock time at the start of an SS hour, such as 21:00; hour 24 is the day's end. `here` is the viewer's zone. */
export function localTimeAt(date: string, hour: number, clock: ServerSaveClock, language: string, here: string): string {
  return formatterIn(here, language, HOUR_AND_MINUTE).format(instantOf(date, hour, clock));
}

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

/** How dates and times are written for a language: "Sat 21 Nov" and 21:00, not "Sat, Nov 21" and 9:00 PM. */
export function formatLocale(language: string): string {
  return { en: 'en-GB', pt: 'pt-BR' }[language] ?? language;
}
