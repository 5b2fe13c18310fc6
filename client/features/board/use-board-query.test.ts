import { expect, test } from 'vitest';
import { readQuery, withChange } from './use-board-query.ts';

const read = (address: string) => readQuery(new URLSearchParams(address));

test('the address says what is filtered', () => {
  expect(read('categoryFilter=12&search=storm&show=active&sort=most_claims&date=2026-11-22')).toEqual({
    category: 12,
    search: 'storm',
    show: 'active',
    sort: 'most_claims',
    date: '2026-11-22',
  });
});

test('what the address does not know is as usual', () => {
  expect(read('categoryFilter=abc&show=nothing&sort=random')).toEqual({
    category: null,
    search: '',
    show: 'all',
    sort: 'none',
    date: null,
  });
  expect(read('categoryFilter=none').category).toBe('none');
});

test('a change keeps the rest of the address, and leaves out what is as usual', () => {
  const before = new URLSearchParams('photoMode=true&categoryFilter=12&show=active');
  expect(withChange(before, { search: 'fire' }).toString()).toBe('photoMode=true&categoryFilter=12&show=active&search=fire');
  expect(withChange(before, { category: null, show: 'all' }).toString()).toBe('photoMode=true');
});
