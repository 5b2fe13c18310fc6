import { expect, it } from 'vitest';
import { dateInWords } from './local-time.ts';

it.each([
  ['2026-11-21', 'Sat 21 Nov'],
  ['2026-99-99', '2026-99-99'],
  ['soon', 'soon'],
  ['', ''],
])('%o reads %o: what is no date takes no page along', (date, words) => {
  expect(dateInWords(date, 'en-GB').replace(',', '')).toBe(words);
});
