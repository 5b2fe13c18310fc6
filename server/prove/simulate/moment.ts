import type { Moment } from './deed.ts';
import { dayAfter } from './model.ts';

const pacific = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
});

/** What the server-save clock shows: the Pacific hour less one; the hour after midnight is the day before's. */
export function momentAt(at: number): Moment {
  const parts = new Map(pacific.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  const hour = Number(parts.get('hour'));
  return { today: hour === 0 ? dayAfter(date, -1) : date, hour: hour === 0 ? 23 : hour - 1, iso: new Date(at).toISOString() };
}

/** The next server save: the first moment of the next server-save date, in milliseconds. */
export function nextSave(at: number): number {
  const { today } = momentAt(at);
  const QUARTER_MS = 15 * 60_000;
  let save = Math.ceil((at + 1) / QUARTER_MS) * QUARTER_MS;
  while (momentAt(save).today === today) save += QUARTER_MS;
  return save;
}
