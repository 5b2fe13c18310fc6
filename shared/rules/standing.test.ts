import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import { assertStandingFits, firstStandingDates, isoWeekday, liesAhead, standingDates } from './standing.ts';

const rule = { weekdays: [1, 4], from: '2026-11-21', until: null, hour_start: 10, hour_end: 14 };

describe('standing claims', () => {
  it('R10.1: counts weekdays from Monday', () => {
    expect(['2026-11-23', '2026-11-28', '2026-11-29'].map(isoWeekday)).toEqual([1, 6, 7]);
  });

  it('R10.1: has its weekdays within its period', () => {
    expect(standingDates(rule, '2026-11-01', '2026-12-01')).toEqual(['2026-11-23', '2026-11-26', '2026-11-30']);
    expect(standingDates({ ...rule, until: '2026-11-26' }, '2026-11-24', '2026-12-01')).toEqual(['2026-11-26']);
    expect(firstStandingDates(rule, '2026-11-24', 3)).toEqual(['2026-11-26', '2026-11-30', '2026-12-03']);
  });

  it('R10.2: fits the voucher and has upcoming dates', () => {
    const facts = { voucher: 4, today: '2026-11-21' };
    const refusal = (change: Partial<typeof rule> | { until: string }) =>
      refusalIn(() => assertStandingFits({ ...rule, ...change }, facts));
    expect(refusal({})).toBeNull();
    expect(refusal({ hour_end: 15 })).toMatchObject({ code: 'standing.exceedsVoucher', params: { max: 4 } });
    expect(refusal({ hour_start: 22, hour_end: 26 })).toMatchObject({ code: 'times.exceedsDay' });
    expect(refusal({ until: '2026-11-20' })).toMatchObject({ code: 'standing.untilBeforeFrom' });
    expect(refusal({ until: '2026-11-22' })).toMatchObject({ code: 'standing.noDate' });
  });

  it('R10.3: a date is upcoming until its first hour starts', () => {
    const now = { today: '2026-11-21', hour: 10 };
    expect(liesAhead('2026-11-20', rule, now)).toBe(false);
    expect(liesAhead('2026-11-21', rule, now)).toBe(false);
    expect(liesAhead('2026-11-21', rule, { ...now, hour: 9 })).toBe(true);
    expect(liesAhead('2026-11-22', rule, now)).toBe(true);
  });
});
