import type { Moment } from './command.ts';
import { dayAfter } from './model.ts';

export const MINUTE_MS = 60_000;

const pacific = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
});

/** The server-save hour: the Pacific hour less one; the hour after midnight belongs to the day before. */
export function momentAt(at: number): Moment {
  const parts = new Map(pacific.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  const hour = Number(parts.get('hour'));
  return {
    today: hour === 0 ? dayAfter(date, -1) : date,
    hour: hour === 0 ? 23 : hour - 1,
    iso: new Date(at).toISOString(),
    ms: at,
  };
}

const QUARTER_MS = 15 * MINUTE_MS;
const begun = new Map<string, number>();

/** The first moment at which an hour of a date shows, in milliseconds; 24 is the end of the date. */
export function beginOf(date: string, hour: number): number {
  const hourOf = ({ today, hour }: Moment): string => `${today} ${String(hour).padStart(2, '0')}`;
  const wanted = hourOf({
    today: hour === 24 ? dayAfter(date, 1) : date,
    hour: hour % 24,
    iso: '',
    ms: 0,
  });
  let at = begun.get(wanted);
  if (at !== undefined) return at;
  // SS+0 begins eight hours after midnight in UTC, or nine.
  at = Date.parse(`${date}T00:00:00Z`) + (hour + 7) * 4 * QUARTER_MS;
  while (hourOf(momentAt(at)) < wanted) at += QUARTER_MS;
  begun.set(wanted, at);
  return at;
}

/** The next server save: the first moment of the next server-save date, in milliseconds. */
export function nextSave(at: number): number {
  const { today } = momentAt(at);
  let save = Math.ceil((at + 1) / QUARTER_MS) * QUARTER_MS;
  while (momentAt(save).today === today) save += QUARTER_MS;
  return save;
}
