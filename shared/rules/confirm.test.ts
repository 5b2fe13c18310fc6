import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import { assertTimeToConfirm, confirmTime, isNoShow, isToConfirm } from './confirm.ts';

const PACIFIC = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };
const inShort = (date: string, hour_start: number, grace = 10) => {
  const { opens_at, closes_at } = confirmTime({ date, hour_start }, grace, PACIFIC);
  return [opens_at.toISOString().slice(5, 16), closes_at.toISOString().slice(5, 16)];
};

describe('R9.25: when a claim can be confirmed', () => {
  it('from 15 minutes before the start until the guild’s minutes after it', () => {
    // SS+10 of 21 November is 11:00 Pacific time, 19:00 UTC.
    expect(inShort('2026-11-21', 10)).toEqual(['11-21T18:45', '11-21T19:10']);
    expect(inShort('2026-11-21', 10, 0)).toEqual(['11-21T18:45', '11-21T19:00']);
    expect(inShort('2026-11-21', 23, 60)).toEqual(['11-22T07:45', '11-22T09:00']);
    expect(inShort('2026-11-21', 0)).toEqual(['11-21T08:45', '11-21T09:10']);
  });

  it('when the clocks go forward, of the skipped hour at the jump; when they go back, of the first of the two', () => {
    // At 02:00 of 8 March it is 03:00: SS+1 does not come.
    expect(inShort('2026-03-08', 1)).toEqual(['03-08T09:45', '03-08T10:10']);
    expect(inShort('2026-03-08', 2)).toEqual(['03-08T09:45', '03-08T10:10']);
    // At 02:00 of 1 November it is 01:00 again: SS+0 lasts two hours.
    expect(inShort('2026-11-01', 0)).toEqual(['11-01T07:45', '11-01T08:10']);
    expect(inShort('2026-11-01', 1)).toEqual(['11-01T09:45', '11-01T10:10']);
  });

  it('neither before nor after', () => {
    const time = confirmTime({ date: '2026-11-21', hour_start: 10 }, 10, PACIFIC);
    const at = (now: string) => refusalIn(() => assertTimeToConfirm(time, new Date(now)));
    expect(at('2026-11-21T18:44:59.999Z')).toEqual({
      code: 'confirm.tooEarly',
      params: { opens_at: '2026-11-21T18:45:00.000Z' },
    });
    expect(at('2026-11-21T18:45:00.000Z')).toBeNull();
    expect(at('2026-11-21T19:09:59.999Z')).toBeNull();
    expect(at('2026-11-21T19:10:00.000Z')).toEqual({ code: 'confirm.over', params: {} });
  });

  it('R9.26: and is a no-show from then on', () => {
    const time = confirmTime({ date: '2026-11-21', hour_start: 10 }, 10, PACIFIC);
    expect(isNoShow(time, new Date('2026-11-21T19:09:59.999Z'))).toBe(false);
    expect(isNoShow(time, new Date('2026-11-21T19:10:00.000Z'))).toBe(true);
  });
});

describe('R9.24: a claim made', () => {
  it('later than 15 minutes before its start counts as confirmed', () => {
    const part = { date: '2026-11-21', hour_start: 10 };
    expect(isToConfirm(part, new Date('2026-11-21T18:45:00.000Z'), PACIFIC)).toBe(true);
    expect(isToConfirm(part, new Date('2026-11-21T18:45:00.001Z'), PACIFIC)).toBe(false);
    expect(isToConfirm(part, new Date('2026-11-21T20:00:00.000Z'), PACIFIC)).toBe(false);
  });
});
