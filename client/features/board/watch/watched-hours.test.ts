import { expect, test } from 'vitest';
import { aClaimOnRespawn, anActiveEvent } from '../../../test/records.ts';
import {
  currentAndNext,
  hoursAround,
  huntRank,
  huntsAround,
  positionOfNow,
} from './watched-hours.ts';

const today = '2026-11-21';

test('shows two hours before now and eight after it, across the day’s end either way', () => {
  const watchedHours = (hour: number): string =>
    hoursAround({ date: today, hour })
      .map((at) => `${at.date.slice(8)}/${at.hour}`)
      .join(' ');
  expect(watchedHours(12)).toBe('21/10 21/11 21/12 21/13 21/14 21/15 21/16 21/17 21/18 21/19');
  expect(watchedHours(1)).toBe('20/23 21/0 21/1 21/2 21/3 21/4 21/5 21/6 21/7 21/8');
  expect(watchedHours(20)).toBe('21/18 21/19 21/20 21/21 21/22 21/23 22/0 22/1 22/2 22/3');
});

test('the current-time line is within its hour', () => {
  expect(positionOfNow(0)).toBe(2);
  expect(positionOfNow(0.75)).toBe(2.75);
});

test('hunts that overlap these hours are shown, tomorrow’s and yesterday’s included; secondary claims are not', () => {
  const claims = [
    aClaimOnRespawn({ id: 1, date: today, hour_start: 16, hour_end: 18 }),
    aClaimOnRespawn({ id: 2, date: today, hour_start: 17, hour_end: 21 }),
    aClaimOnRespawn({ id: 3, date: '2026-11-22', hour_start: 3, hour_end: 7 }),
    aClaimOnRespawn({ id: 4, date: '2026-11-22', hour_start: 4, hour_end: 8 }),
    aClaimOnRespawn({ id: 5, date: today, hour_start: 21, hour_end: 24, is_secondary_claim: 1 }),
    aClaimOnRespawn({ id: 6, date: '2026-11-28', hour_start: 20, hour_end: 24 }),
  ];
  const hunts = huntsAround(claims, null, { date: today, hour: 20 });
  expect(hunts.map(({ claim, from, to }) => [claim.id, from, to])).toEqual([
    [2, -1, 3],
    [3, 9, 13],
  ]);
  const early = huntsAround(
    [aClaimOnRespawn({ id: 7, date: '2026-11-20', hour_start: 20, hour_end: 24 })],
    null,
    { date: today, hour: 1 },
  );
  expect(early.map(({ from, to }) => [from, to])).toEqual([[-3, 1]]);
});

test('a claim for a whole event is listed on each of its days, and on no other', () => {
  const claim = aClaimOnRespawn({ id: 1, date: null, hour_start: 22, hour_end: 24 });
  const event = anActiveEvent({
    type: 'single_claim',
    start_time: '2026-11-15T10:00',
    end_time: '2026-11-20T10:00',
  });
  expect(huntsAround([claim], event, { date: today, hour: 1 }).map(({ date }) => date)).toEqual([
    '2026-11-20',
  ]);
  expect(huntsAround([claim], event, { date: today, hour: 16 })).toEqual([]);
});

test('names current and next hunters; such spots come first', () => {
  const at = { date: today, hour: 12 };
  const on = huntsAround(
    [
      aClaimOnRespawn({ id: 1, hour_start: 10, hour_end: 13 }),
      aClaimOnRespawn({ id: 2, hour_start: 13, hour_end: 14 }),
    ],
    null,
    at,
  );
  const next = huntsAround([aClaimOnRespawn({ id: 3, hour_start: 15, hour_end: 16 })], null, at);
  const over = huntsAround([aClaimOnRespawn({ id: 4, hour_start: 8, hour_end: 12 })], null, at);
  const ids = [on, next, over].map((hunts) => [
    currentAndNext(hunts).on?.claim.id,
    currentAndNext(hunts).next?.claim.id,
  ]);
  expect(ids).toEqual([
    [1, 2],
    [undefined, 3],
    [undefined, undefined],
  ]);
  const orders = [on, next, over, []].map(huntRank);
  expect([...orders].sort((a, b) => a - b)).toEqual(orders);
});

test('hours that claims outside the active event occupy are taken, by whom, on each of their dates', () => {
  const outside = [
    {
      id: 9,
      character_name: 'Old Bram',
      event_name: null,
      first_date: today,
      last_date: '2026-11-22',
      hour_start: 12,
      hour_end: 14,
    },
  ];
  const hunts = huntsAround([], anActiveEvent(), { date: today, hour: 12 }, outside);
  expect(hunts.map(({ claim, date, from, to }) => [claim.character_name, date, from, to])).toEqual([
    ['Old Bram', today, 2, 4],
  ]);
  expect(currentAndNext(hunts).on?.claim.id).toBe(9);
});
