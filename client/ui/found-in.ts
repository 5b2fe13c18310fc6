import { plain } from '../lib/words/order.ts';

/** From where to where in a text, as `slice` takes it. */
export type TextRange = readonly [from: number, to: number];

const APOSTROPHES = /^['’‘´`ʼ]$/;

function folded(text: string, withApostrophes: boolean): { letters: string; at: number[] } {
  let letters = '';
  const at: number[] = [];
  let index = 0;
  for (const character of text) {
    const skipped = !withApostrophes && APOSTROPHES.test(character);
    // A space alone is no text to search.
    const now = skipped ? '' : /\s/.test(character) ? ' ' : plain(character);
    for (let i = 0; i < now.length; i++) at.push(index);
    letters += now;
    index += character.length;
  }
  at.push(text.length);
  return { letters, at };
}

/**
 * Where a text holds the words of a search, in order and without overlaps: what a reader is shown of the search's one rule,
 * by which accents, case and apostrophes do not count.
 */
export function foundIn(text: string, words: readonly string[]): TextRange[] {
  if (words.length === 0) return [];
  const found: [number, number][] = [];
  for (const { letters, at } of [folded(text, true), folded(text, false)]) {
    for (const word of words) {
      for (let from = letters.indexOf(word); from >= 0; from = letters.indexOf(word, from + 1)) {
        found.push([at[from] ?? 0, at[from + word.length] ?? text.length]);
      }
    }
  }
  const merged: [number, number][] = [];
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
