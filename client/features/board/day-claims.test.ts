import { expect, test } from 'vitest';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { aClaim } from '../../test/records.ts';
import { claimsOn, nextFree, otherDays } from './day-claims.ts';

const claims = [
  aClaim({ id: 1, respawn_id: 1, hour_start: 2, hour_end: 6 }),
  aClaim({ id: 2, respawn_id: 1, hour_start: 10, hour_end: 14 }),
  aClaim({ id: 3, respawn_id: 1, hour_start: 18, hour_end: 22 }),
  aClaim({ id: 4, respawn_id: 1, date: '2026-11-23' }),
  aClaim({ id: 5, respawn_id: 1, date: '2026-11-22' }),
].flatMap(claimOnRespawns);
const today = claimsOn('2026-11-21', claims);

test('a claim without a date stands on every day', () => {
  const always = claimOnRespawns(aClaim({ id: 6, respawn_id: 1, date: null }));
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
  const waiting = claimOnRespawns(aClaim({ id: 7, respawn_id: 1, hour_start: 0, hour_end: 24, is_secondary_claim: 1 }));
  expect(nextFree(waiting, 3)).toEqual({ hour_start: 3, hour_end: 24 });
});

test('a day that is full to its end has no free hours', () => {
  expect(nextFree(claimOnRespawns(aClaim({ id: 8, respawn_id: 1, hour_start: 12, hour_end: 24 })), 13)).toBeNull();
});
