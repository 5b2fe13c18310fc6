import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import type { HourRange } from './hours.ts';
import {
  assertStandingFits,
  firstStandingDates,
  isoWeekday,
  liesAhead,
  type StandingDates,
  standingDates,
} from './standing.ts';

const standing = {
  weekdays: [1, 4],
  from: '2026-11-21',
  until: null,
  hour_start: 10,
  hour_end: 14,
};

describe('standing claims', () => {
  it('R10.1: counts weekdays from Monday', () => {
    expect(['2026-11-23', '2026-11-28', '2026-11-29'].map(isoWeekday)).toEqual([1, 6, 7]);
  });

  it('R10.1: has its weekdays within its period', () => {
    expect(standingDates(standing, '2026-11-01', '2026-12-01')).toEqual([
      '2026-11-23',
      '2026-11-26',
      '2026-11-30',
    ]);
    expect(standingDates({ ...standing, until: '2026-11-26' }, '2026-11-24', '2026-12-01')).toEqual(
      ['2026-11-26'],
    );
    expect(standingDates(standing, '2026-11-23', '2026-11-30')).toEqual([
      '2026-11-23',
      '2026-11-26',
      '2026-11-30',
    ]);
    expect(standingDates({ ...standing, until: '2026-12-03' }, '2026-11-24', '2026-12-01')).toEqual(
      ['2026-11-26', '2026-11-30'],
    );
    expect(firstStandingDates(standing, '2026-11-24', 3)).toEqual([
      '2026-11-26',
      '2026-11-30',
      '2026-12-03',
    ]);
    expect(firstStandingDates(standing, '2026-01-01', 1)).toEqual(['2026-11-23']);
    expect(firstStandingDates({ ...standing, weekdays: [2] }, '2026-11-24', 2)).toEqual([
      '2026-11-24',
      '2026-12-01',
    ]);
  });

  it('R10.2: fits the voucher and has upcoming dates', () => {
    const facts = { voucher: 4, today: '2026-11-21' };
    const refusal = (change: Partial<StandingDates & HourRange>) =>
      refusalIn(() => assertStandingFits({ ...standing, ...change }, facts));
    expect(refusal({})).toBeNull();
    expect(refusal({ hour_end: 11 })).toBeNull();
    expect(refusal({ hour_end: 10 })).toEqual({ code: 'times.endBeforeStart', params: {} });
    expect(refusal({ hour_end: 15 })).toEqual({
      code: 'standing.exceedsVoucher',
      params: { max: 4 },
    });
    expect(refusal({ hour_start: 20, hour_end: 24 })).toBeNull();
    expect(refusal({ hour_start: 22, hour_end: 26 })).toEqual({
      code: 'times.exceedsDay',
      params: {},
    });
    expect(refusal({ until: '2026-11-20' })).toEqual({
      code: 'standing.untilBeforeFrom',
      params: {},
    });
    expect(refusal({ until: '2026-11-22' })).toEqual({ code: 'standing.noDate', params: {} });
    expect(refusal({ until: '2026-11-23' })).toBeNull();
    const saturday = { weekdays: [6], from: '2026-11-14' };
    expect(refusal({ ...saturday, until: '2026-11-20' })).toEqual({
      code: 'standing.over',
      params: { date: '2026-11-20' },
    });
    expect(refusal({ ...saturday, until: '2026-11-21' })).toBeNull();
    expect(refusal({ weekdays: [6], until: '2026-11-21' })).toBeNull();
  });

  it('R10.3: a date is upcoming until its first hour starts', () => {
    const now = { today: '2026-11-21', hour: 10 };
    expect(liesAhead('2026-11-20', standing, now)).toBe(false);
    expect(liesAhead('2026-11-20', standing, { ...now, hour: 0 })).toBe(false);
    expect(liesAhead('2026-11-21', standing, now)).toBe(false);
    expect(liesAhead('2026-11-21', standing, { ...now, hour: 9 })).toBe(true);
    expect(liesAhead('2026-11-22', standing, now)).toBe(true);
  });
});
