import { expect, test } from 'vitest';
import { readQuery, toValues } from './use-board-query.ts';

const read = (address: string) => readQuery(Object.fromEntries(new URLSearchParams(address)));

test('the address says what is filtered', () => {
  expect(read('view=timeline&categoryFilter=12&search=storm&show=active&sort=most_claims&date=2026-11-22&photoMode=true')).toEqual({
    category: 12,
    search: 'storm',
    show: 'active',
    sort: 'most_claims',
    date: '2026-11-22',
    view: 'timeline',
    photo: true,
  });
});

test('what the address does not know is as usual', () => {
  expect(read('categoryFilter=abc&show=nothing&sort=random&view=map&photoMode=1')).toEqual({
    category: null,
    search: '',
    show: 'all',
    sort: 'none',
    date: null,
    view: 'cards',
    photo: false,
  });
  expect(read('categoryFilter=none').category).toBe('none');
});

test('a change leaves out of the address what is as usual, and touches nothing else', () => {
  expect(toValues({ search: 'fire', category: 12, date: '2026-11-22' })).toEqual({
    search: 'fire',
    categoryFilter: '12',
    date: '2026-11-22',
  });
  expect(toValues({ category: null, show: 'all', view: 'cards', photo: false })).toEqual({
    categoryFilter: '',
    show: '',
    view: '',
    photoMode: '',
  });
  expect(toValues({ photo: true })).toEqual({ photoMode: 'true' });
});
