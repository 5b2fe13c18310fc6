import { instantOf, type ServerSaveClock } from '../../shared/rules/server-save.ts';

// Building a formatter costs far more than using one, and a board asks for a thousand dates.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(language, options);
    formatters.set(key, formatter);
  }
  return formatter;
}

/** The viewer's own wall-clock time at the start of an SS hour, such as 21:00; hour 24 is the day's end. */
export function localTimeAt(date: string, hour: number, clock: ServerSaveClock, language: string): string {
  return formatterFor(language, { hour: '2-digit', minute: '2-digit' }).format(instantOf(date, hour, clock));
}

/** A server-save date in short words, such as "Sat 21 Nov". It is a calendar date, not an instant: no zone shifts it. */
export function dateInWords(
  date: string,
  language: string,
  options: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' },
): string {
  return formatterFor(language, { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}
