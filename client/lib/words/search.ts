import { plain } from './order.ts';

/**
 * The rule of every search in the client: a record matches if its texts contain every word. Order, case, accents and apostrophes are
 * ignored.
 */

const APOSTROPHES = /'/g;

export const wordsOf = (search: string): string[] => plain(search).split(' ').filter(Boolean);

/** Normalizes texts for searching. Words with apostrophes are included without them too. */
export function searchable(...texts: readonly (string | null)[]): string {
  const all = plain(texts.join(' '));
  return all.includes("'") ? `${all} ${all.replace(APOSTROPHES, '')}` : all;
}

export const holds = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

export const missingIn = (text: string, words: readonly string[]): string[] =>
  words.filter((word) => !text.includes(word));

/**
 * The searchable text of records, cached per record: a board searches 25,000 on each key press.
 * @param textsOf what of a record is searched
 */
export function searchIndex<R extends object>(
  textsOf: (record: R) => readonly (string | null)[],
): (record: R) => string {
  const known = new WeakMap<R, string>();
  return (record) => {
    const text = known.get(record) ?? searchable(...textsOf(record));
    known.set(record, text);
    return text;
  };
}
