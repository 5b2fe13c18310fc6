import { expect, test } from 'vitest';
import { wordsOf } from '../../lib/words/search.ts';
import { type Entry, find, type GroupId, indexed, MAX_RESULTS } from './entries.ts';

const entry = (group: GroupId, label: string, more: Partial<Entry> = {}): Entry => ({
  key: `${group} ${label}`,
  group,
  label,
  run: () => {},
  ...more,
});
const search = (entries: Entry[], text: string): string[] =>
  find(indexed(entries), wordsOf(text)).groups.flatMap((group) =>
    group.entries.map(({ label }) => label),
  );

test('matches words in any order, without accents and apostrophes, also in the hint that distinguishes entries', () => {
  const entries = [
    entry('spots', 'Câmara do Norte', { hint: 'Port Hope' }),
    entry('spots', "Ab'Dendriel Cave"),
    entry('spots', 'South Camera'),
  ];
  expect(search(entries, 'norte camara')).toEqual(['Câmara do Norte']);
  expect(search(entries, 'hope')).toEqual(['Câmara do Norte']);
  expect(search(entries, 'abdendriel')).toEqual(["Ab'Dendriel Cave"]);
  expect(search(entries, 'nowhere')).toEqual([]);
});

test('names that begin with the text are first, of all groups, then those of which a word does', () => {
  const entries = [
    entry('spots', 'Admiral Cove'),
    entry('spots', 'North Mira'),
    entry('characters', 'Old Mira'),
    entry('characters', 'Mira Vale'),
  ];
  expect(search(entries, 'mira')).toEqual(['Mira Vale', 'Old Mira', 'North Mira', 'Admiral Cove']);
});

test('an empty search has what is first, in its own order; a typed one finds the rest', () => {
  const entries = [
    entry('spots', 'Fire Library'),
    entry('pages', 'My claims', { first: 2 }),
    entry('dates', 'Today', { first: 1 }),
    entry('first', 'Next at Fire Library', { first: 0 }),
  ];
  expect(search(entries, ' ')).toEqual(['Next at Fire Library', 'Today', 'My claims']);
  expect(search(entries, 'library')).toEqual(['Fire Library']);
});

test('at most fifty are shown, of each kind some, and how many there are is known', () => {
  const many = (group: GroupId, count: number): Entry[] =>
    Array.from({ length: count }, (_, id) => entry(group, `Library ${id}`));
  const { groups, count } = find(
    indexed([...many('spots', 300), ...many('characters', 3), ...many('own', 300)]),
    ['library'],
  );
  expect(count).toBe(603);
  expect(groups.reduce((sum, { entries }) => sum + entries.length, 0)).toBe(MAX_RESULTS);
  expect(groups.map(({ id, entries }) => [id, entries.length])).toEqual([
    ['spots', 31],
    ['own', 16],
    ['characters', 3],
  ]);
});
