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

test('prefix matches are first', () => {
  const entries = [entry('spots', 'North Library'), entry('spots', 'Library South')];
  expect(search(entries, 'library')).toEqual(['Library South', 'North Library']);
});

test('an empty search shows only the short groups', () => {
  const entries = [
    entry('spots', 'Fire Library'),
    entry('characters', 'Arden Vale'),
    entry('claim', 'Claim Fire Library'),
    entry('pages', 'Home'),
  ];
  expect(search(entries, ' ')).toEqual(['Home']);
});

test('a spot is listed once: to be shown, or with the word "claim" to be claimed', () => {
  const entries = [
    entry('spots', 'Fire Library'),
    entry('claim', 'Claim Fire Library', { also: 'claim', unless: 'spots Fire Library' }),
    entry('claim', 'Claim Cobra Bastion', { also: 'claim', unless: 'spots Cobra Bastion' }),
  ];
  expect(search(entries, 'fire')).toEqual(['Fire Library']);
  expect(search(entries, 'claim fire')).toEqual(['Claim Fire Library']);
  expect(search(entries, 'claim')).toEqual(['Claim Fire Library', 'Claim Cobra Bastion']);
});

test('at most fifty are shown, of each kind some, and how many there are is known', () => {
  const many = (group: GroupId, count: number): Entry[] =>
    Array.from({ length: count }, (_, id) => entry(group, `Library ${id}`));
  const { groups, shownCount, count } = find(
    indexed([...many('spots', 300), ...many('characters', 3), ...many('claim', 300)]),
    ['library'],
  );
  expect([shownCount, count]).toEqual([MAX_RESULTS, 603]);
  expect(groups.map(({ id, entries }) => [id, entries.length])).toEqual([
    ['spots', 31],
    ['characters', 3],
    ['claim', 16],
  ]);
});
