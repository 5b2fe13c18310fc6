import { nameKey } from '../../../shared/rules/names.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import { undotted } from '../../../shared/rules/undotted.ts';
import { type Language, language as languageShape } from '../../../shared/schemas/destination.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { type BoardNow, claimableDates, folded, nearDate, spotsNamed } from './day.ts';

/*
 * The texts of options: what is suggested, and what is understood. Discord sends a suggestion's value, but its label where the member
 * sends the command before choosing. Both are understood in every language; other text is a name or is refused.
 */

/** Discord's upper bound of suggestions and of options of a select. */
export const MAX_OPTIONS = 25;

const SPOT_VALUE = /^spot-id:(\d{1,10})$/;

/** A suggested spot's value: digits alone may be a spot's name. */
export const spotValue = ({ id }: Pick<Respawn, 'id'>): string => `spot-id:${id}`;

/** The spots that a text may mean, best first: one that is suggested or exactly named, else all whose names match. */
export function spotsMeant(board: BoardNow, text: string): Respawn[] {
  const spots = board.records.respawn;
  const [, suggested] = SPOT_VALUE.exec(text) ?? [];
  if (suggested !== undefined) return spots.filter(({ id }) => id === Number(suggested));
  const named = spots.filter(({ name }) => nameKey(name) === nameKey(text));
  if (named.length > 0 || folded(text) === '') return named;
  const matching = spotsNamed(board, text, spots.length);
  const same = matching.filter(({ name }) => folded(name) === folded(text));
  return same.length > 0 ? same : matching;
}

/** A day in a reader's language, such as "Sat, Nov 21". */
function dayText(language: Language, date: string): string {
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return undotted(format.format(new Date(`${date}T00:00:00Z`)));
}

/** "today" and "tomorrow". */
function nearWords(language: Language): string[] {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return [relative.format(0, 'day'), relative.format(1, 'day')];
}

export function dateLabel(
  { today }: Pick<BoardNow, 'today'>,
  language: Language,
  date: string,
): string {
  const word = nearWords(language).find((_, days) => addDays(today, days) === date);
  const day = dayText(language, date);
  return word === undefined ? day : `${day} (${word})`;
}

/** The date that a text means: as YYYY-MM-DD, as a suggestion's label in any language, or "today" and "tomorrow". */
export function dateMeant(board: BoardNow, text: string): string | null {
  const { today } = board;
  const near = nearDate(board, text);
  if (near !== null) return near;
  const typed = folded(text);
  // A label may have been suggested before server save.
  const dates = [addDays(today, -1), ...claimableDates(board, MAX_OPTIONS)];
  for (const language of languageShape.options) {
    const words = nearWords(language).map(folded);
    const days = words.indexOf(typed);
    if (days >= 0) return addDays(today, days);
    const found = dates.find((date) =>
      ['', ...words].some((word) => `${folded(dayText(language, date))} ${word}`.trim() === typed),
    );
    if (found !== undefined) return found;
  }
  return null;
}

/** Digits alone, with "SS+" before or what a suggestion says after them. */
const HOUR = /^(?:ss)?\+?(\d{1,2})(?:h|·.*)?$/i;
/** Digits alone, or with hours in one of our languages. */
const DURATION = /^(\d{1,2})(?:h|hours?|horas?)?$/i;

const numberIn = (shape: RegExp, text: string, most: number): number | null => {
  const [, digits] = shape.exec(text.replace(/\s+/g, '')) ?? [];
  return digits === undefined || Number(digits) > most ? null : Number(digits);
};

/** An hour after server save in a text such as `10`, `SS+10` or `SS+10 · in 1 hr`; null: it is none up to `most`. */
export const hourMeant = (text: string, most: number): number | null => numberIn(HOUR, text, most);

/** Hours in a text such as `2`, `2 h` or `2 horas`; null: it says none up to `most`. */
export const durationMeant = (text: string, most: number): number | null =>
  numberIn(DURATION, text, most);
