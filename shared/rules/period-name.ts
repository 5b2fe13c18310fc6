import { MAX_NAME_LENGTH } from '../schemas/fields.ts';
import { type EventPeriod, eventDate } from './event-period.ts';

/** A longer number is a year, or part of the name. */
const COUNTED = /(?<!\d|-)\d{1,3}(?!\d|-)/g;

/** The pattern of which an event's name is an example: its dates and its last number are what changes; else a number is added. */
export function patternOf(name: string, { start_time, end_time }: EventPeriod): string {
  const start = eventDate(start_time);
  const end = eventDate(end_time);
  const dated = name.replaceAll(start, '{start}').replaceAll(end, '{end}');
  if (dated !== name) return dated;
  const last = [...name.matchAll(COUNTED)].at(-1);
  if (!last) return `${name} {n}`;
  return `${name.slice(0, last.index)}{n}${name.slice(last.index + last[0].length)}`;
}

const dated = (pattern: string, { start_time, end_time }: EventPeriod): string =>
  pattern.replaceAll('{start}', eventDate(start_time)).replaceAll('{end}', eventDate(end_time));

/** The number that a name has where its pattern counts; null for a name of another pattern. */
export function numberIn(pattern: string, name: string, period: EventPeriod): number | null {
  const [before = '', after] = dated(pattern, period).split('{n}');
  if (after === undefined || !name.startsWith(before) || !name.endsWith(after)) return null;
  const number = name.slice(before.length, name.length - after.length);
  return /^\d{1,9}$/.test(number) ? Number(number) : null;
}

/** Whether a pattern could have given an event its name: with a number, or without one if that name was free. */
export function isNamedBy(
  pattern: string,
  { name, ...period }: EventPeriod & { name: string },
): boolean {
  if (numberIn(pattern, name, period) !== null) return true;
  const plain = dated(pattern, period).replaceAll('{n}', '').trim();
  return name.replace(/ \(\d{1,9}\)$/, '') === plain;
}

/** The first free name for the next period. @param last the event before */
export function nextName(
  pattern: string,
  period: EventPeriod,
  { last, isTaken }: { last: EventPeriod & { name: string }; isTaken: (name: string) => boolean },
): string {
  // Without a number in its name, the last one counts as the first.
  const number = (numberIn(pattern, last.name, last) ?? 1) + 1;
  for (const name of namesOf(dated(pattern, period), number)) if (!isTaken(name)) return name;
  throw new Error('there is always another number');
}

/** As the pattern says, and where that is no new name, or too long for one, with a number behind it. */
function* namesOf(dated: string, first: number): Generator<string, void> {
  const named = (n: number): string => dated.replaceAll('{n}', String(n));
  if (dated.includes('{n}'))
    for (let n = first; named(n).length <= MAX_NAME_LENGTH; n += 1) yield named(n);
  const plain = dated.replaceAll('{n}', '');
  yield plain.slice(0, MAX_NAME_LENGTH).trim();
  for (let n = 2; ; n += 1)
    yield `${plain.slice(0, MAX_NAME_LENGTH - ` (${n})`.length).trim()} (${n})`;
}
