import { describe, expect, it } from 'vitest';
import { releaseOf } from './release.ts';

const TODAY = '2026-11-21';
const HOURS = { hour_start: 10, hour_end: 14 };
const at = (hour: number, date = TODAY) => releaseOf(HOURS, date, { today: TODAY, hour });

describe('R9.20: the hours that a release frees', () => {
  it('are all of them before the first hour starts, and on later dates', () => {
    expect(at(9)).toEqual({ gone: HOURS, stays: null });
    expect(at(23, '2026-11-22')).toEqual({ gone: HOURS, stays: null });
  });

  it('are those after the running hour', () => {
    expect(at(10)).toEqual({
      gone: { hour_start: 11, hour_end: 14 },
      stays: { hour_start: 10, hour_end: 11 },
    });
    expect(at(12)).toEqual({
      gone: { hour_start: 13, hour_end: 14 },
      stays: { hour_start: 10, hour_end: 13 },
    });
  });

  it('are none in the last hour, after it, and on past dates', () => {
    expect([at(13), at(14), at(23), at(0, '2026-11-20')]).toEqual([null, null, null, null]);
  });
});
