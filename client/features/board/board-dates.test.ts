import { expect, test } from 'vitest';
import { boardDates, shownDate } from '../../lib/board-dates.ts';
import { anActiveEvent } from '../../test/records.ts';

test('an event offers its dates, both ends included', () => {
  const dates = boardDates(anActiveEvent(), '2026-11-21');
  expect([dates.length, dates[0], dates.at(-1)]).toEqual([14, '2026-11-15', '2026-11-28']);
});

test('without an event there are today and six more days', () => {
  expect(boardDates(null, '2026-11-28')).toEqual([
    '2026-11-28',
    '2026-11-29',
    '2026-11-30',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
  ]);
});

test('a single_claim event has no choice of dates', () => {
  expect(boardDates(anActiveEvent({ type: 'single_claim' }), '2026-11-21')).toEqual([]);
});

test("today is shown, or the event's nearest day, unless another date is requested", () => {
  expect(shownDate(null, anActiveEvent(), '2026-11-21')).toBe('2026-11-21');
  expect(shownDate(null, anActiveEvent(), '2026-11-01')).toBe('2026-11-15');
  expect(shownDate(null, anActiveEvent(), '2026-12-24')).toBe('2026-11-28');
  expect(shownDate('2026-11-23', anActiveEvent(), '2026-11-21')).toBe('2026-11-23');
  expect(shownDate('1999-01-01', anActiveEvent(), '2026-11-21')).toBe('2026-11-21');
});
