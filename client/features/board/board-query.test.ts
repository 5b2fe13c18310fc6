import { expect, test } from 'vitest';
import { readQuery, toValues } from './board-query.ts';

const read = (address: string) => readQuery(Object.fromEntries(new URLSearchParams(address)));

test('the address contains the filters', () => {
  expect(
    read(
      'view=timeline&categoryFilter=12&search=storm&show=active&sort=most_claims&date=2026-11-22&photoMode=true&free=16&for=3',
    ),
  ).toEqual({
    category: 12,
    search: 'storm',
    show: 'active',
    sort: 'most_claims',
    date: '2026-11-22',
    view: 'timeline',
    free: { hour_start: 16, duration: 3 },
    photo: true,
  });
});

test('parameters missing from the address have their defaults', () => {
  expect(read('categoryFilter=abc&show=nothing&sort=random&view=map&photoMode=1')).toEqual({
    category: null,
    search: '',
    show: 'all',
    sort: 'none',
    date: null,
    view: 'cards',
    free: null,
    photo: false,
  });
  expect(read('categoryFilter=none').category).toBe('none');
});

test('a change removes default values from the address, and keeps the rest', () => {
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

test('free hours are a start and a duration; other values are ignored', () => {
  expect(read('free=0').free).toEqual({ hour_start: 0, duration: 4 });
  expect(read('free=23&for=24').free).toEqual({ hour_start: 23, duration: 24 });
  for (const wrong of [
    'free=24&for=4',
    'free=16&for=0',
    'free=16&for=25',
    'free=-1',
    'free=1e1',
    'free=x',
    'for=4',
  ]) {
    expect(read(wrong).free).toBeNull();
  }
  expect(toValues({ free: { hour_start: 16, duration: 4 } })).toEqual({ free: '16', for: '4' });
  expect(toValues({ free: null })).toEqual({ free: '', for: '' });
});
