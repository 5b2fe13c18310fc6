import { expect, test } from 'vitest';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { aClaim } from '../../test/records.ts';
import { claimsOn, foundOn, freeHours, otherDays } from './day-claims.ts';

const claims = [
  aClaim({ id: 1, respawn_id: 1, hour_start: 2, hour_end: 6 }),
  aClaim({ id: 2, respawn_id: 1, hour_start: 10, hour_end: 14 }),
  aClaim({ id: 3, respawn_id: 1, hour_start: 18, hour_end: 22 }),
  aClaim({ id: 4, respawn_id: 1, date: '2026-11-23' }),
  aClaim({ id: 5, respawn_id: 1, date: '2026-11-22' }),
].flatMap(claimOnRespawns);
const today = claimsOn('2026-11-21', claims);

test('a claim without a date is on every day', () => {
  const always = claimOnRespawns(aClaim({ id: 6, respawn_id: 1, date: null }));
  expect(claimsOn('2026-11-25', always)).toEqual(always);
  expect(otherDays('2026-11-25', always)).toEqual([]);
});

test('other days are in order, each with its claims', () => {
  expect(otherDays('2026-11-21', claims).map((day) => [day.date, day.claims.length])).toEqual([
    ['2026-11-22', 1],
    ['2026-11-23', 1],
  ]);
});

const free = (...facts: Parameters<typeof freeHours>): string[] =>
  freeHours(...facts).map((range) => `${range.hour_start}-${range.hour_end}`);

test('lists all free hours, from now on', () => {
  expect(free(today, 0)).toEqual(['0-2', '6-10', '14-18', '22-24']);
  expect(free(today, 13)).toEqual(['14-18', '22-24']);
  expect(free(today, 16)).toEqual(['16-18', '22-24']);
  expect(free(today, 23)).toEqual(['23-24']);
});

test('a secondary claim holds no hours', () => {
  const waiting = claimOnRespawns(
    aClaim({ id: 7, respawn_id: 1, hour_start: 0, hour_end: 24, is_secondary_claim: 1 }),
  );
  expect(free(waiting, 3)).toEqual(['3-24']);
});

test('a day that is full to its end has no free hours', () => {
  expect(
    free(claimOnRespawns(aClaim({ id: 8, respawn_id: 1, hour_start: 12, hour_end: 24 })), 13),
  ).toEqual([]);
});

test('of other days a search leaves the claims of those it finds', () => {
  const days = otherDays('2026-11-21', [
    ...claims,
    ...claimOnRespawns(
      aClaim({ id: 9, respawn_id: 1, date: '2026-11-22', character_name: 'Mira Stormcrow' }),
    ),
  ]);
  const found = (search: string): [string, number[]][] =>
    foundOn(days, search.split(' ')).map((day) => [day.date, day.claims.map(({ id }) => id)]);
  expect(found('storm')).toEqual([['2026-11-22', [9]]]);
  // The spot's own name holds the other word.
  expect(found('library storm')).toEqual([['2026-11-22', [9]]]);
  expect(found('nobody')).toEqual([]);
  expect(foundOn(days, [])).toEqual([]);
});
