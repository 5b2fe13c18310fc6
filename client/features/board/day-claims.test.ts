import { expect, test } from 'vitest';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { claimsOn, nextFree, otherDays } from './day-claims.ts';
import { aClaim } from './test-records.ts';

const claims = [
  aClaim(1, 1, { hour_start: 2, hour_end: 6 }),
  aClaim(2, 1, { hour_start: 10, hour_end: 14 }),
  aClaim(3, 1, { hour_start: 18, hour_end: 22 }),
  aClaim(4, 1, { date: '2026-11-23' }),
  aClaim(5, 1, { date: '2026-11-22' }),
].flatMap(claimOnRespawns);
const today = claimsOn('2026-11-21', claims);

test('a claim without a date stands on every day', () => {
  const always = claimOnRespawns(aClaim(6, 1, { date: null }));
  expect(claimsOn('2026-11-25', always)).toEqual(always);
  expect(otherDays('2026-11-25', always)).toEqual([]);
});

test('other days come in order, each with its claims', () => {
  expect(otherDays('2026-11-21', claims).map((day) => [day.date, day.claims.length])).toEqual([
    ['2026-11-22', 1],
    ['2026-11-23', 1],
  ]);
});

test('the next free hours begin now at the earliest', () => {
  expect(nextFree(today, 0)).toEqual({ hour_start: 0, hour_end: 2 });
  expect(nextFree(today, 13)).toEqual({ hour_start: 14, hour_end: 18 });
  expect(nextFree(today, 16)).toEqual({ hour_start: 16, hour_end: 18 });
  expect(nextFree(today, 23)).toEqual({ hour_start: 23, hour_end: 24 });
});

test('a secondary claim holds no hours', () => {
  const waiting = claimOnRespawns(aClaim(7, 1, { hour_start: 0, hour_end: 24, is_secondary_claim: 1 }));
  expect(nextFree(waiting, 3)).toEqual({ hour_start: 3, hour_end: 24 });
});

test('a day that is full to its end has no free hours', () => {
  expect(nextFree(claimOnRespawns(aClaim(8, 1, { hour_start: 12, hour_end: 24 })), 13)).toBeNull();
});
