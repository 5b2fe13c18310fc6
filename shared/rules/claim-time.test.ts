import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import {
  assertDateInTime,
  assertHoursExist,
  assertHoursInTime,
  type ClaimTime,
  hoursOver,
} from './claim-time.ts';

const NOW: ClaimTime = {
  today: '2026-11-21',
  hour: 9,
  horizon_days: 60,
  may_enter_past: false,
  clock: { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 },
};
const ADMIN = { ...NOW, may_enter_past: true };

describe('R3.9: a date', () => {
  it('ends from the next server save on: hour by hour, and then as a whole', () => {
    expect(['2026-11-20', '2026-11-21', '2026-11-22'].map((date) => hoursOver(date, NOW))).toEqual([
      24, 9, 0,
    ]);
    expect(
      ['2026-11-20', '2026-11-21', '2026-11-22'].map((date) => hoursOver(date, ADMIN)),
    ).toEqual([0, 0, 0]);
  });

  it('a past one is refused, but not to an admin; today is never past', () => {
    for (const hasEvent of [true, false]) {
      const refused = { code: 'claim.dateOver', params: { date: '2026-11-20' } };
      expect(refusalIn(() => assertDateInTime('2026-11-20', hasEvent, NOW))).toEqual(refused);
      expect(refusalIn(() => assertDateInTime('1999-01-01', hasEvent, ADMIN))).toBeNull();
      expect(
        refusalIn(() => assertDateInTime('2026-11-21', hasEvent, { ...NOW, hour: 23 })),
      ).toBeNull();
    }
  });
});

describe('R3.10: the horizon', () => {
  it('is so many days ahead, for admins too, and an event’s dates go beyond it', () => {
    const refused = {
      code: 'claim.beyondHorizon',
      params: { date: '2027-01-21', last: '2027-01-20' },
    };
    for (const time of [NOW, ADMIN]) {
      expect(refusalIn(() => assertDateInTime('2027-01-20', false, time))).toBeNull();
      expect(refusalIn(() => assertDateInTime('2027-01-21', false, time))).toEqual(refused);
      expect(refusalIn(() => assertDateInTime('2027-01-21', true, time))).toBeNull();
    }
    expect(
      refusalIn(() => assertDateInTime('2026-11-22', false, { ...NOW, horizon_days: 1 })),
    ).toBeNull();
    expect(
      refusalIn(() => assertDateInTime('2026-11-23', false, { ...NOW, horizon_days: 1 }))?.params
        .last,
    ).toBe('2026-11-22');
  });
});

describe('R4.14: hours', () => {
  interface Judged {
    date?: string;
    time?: typeof NOW;
    split_part?: number;
  }
  const judge = (
    hour_start: number,
    hour_end: number,
    { date = NOW.today, time = NOW, ...part }: Judged = {},
  ) => refusalIn(() => assertHoursInTime({ hour_start, hour_end, ...part }, date, time));

  it('past hours are refused; the running one, and claims that last into it, are allowed', () => {
    expect(judge(5, 9)).toEqual({
      code: 'claim.hoursOver',
      params: { date: NOW.today, hour: 5, end: 9 },
    });
    expect(judge(0, 1)?.code).toBe('claim.hoursOver');
    for (const [start, end] of [
      [5, 10],
      [9, 10],
      [10, 14],
    ] as const) {
      expect(judge(start, end)).toBeNull();
    }
    expect(judge(0, 1, { date: '2026-11-22' })).toBeNull();
    expect(judge(0, 1, { time: ADMIN })).toBeNull();
  });

  it('of a split claim’s part name the part', () => {
    expect(judge(5, 7, { split_part: 2 })).toEqual({
      code: 'split.hoursOver',
      params: { date: NOW.today, hour: 5, end: 7, part: 2 },
    });
  });
});

describe('R8.3: the hour that the clocks skip', () => {
  const judge = (hour_start: number, hour_end: number, date: string | null) =>
    refusalIn(() => assertHoursExist({ hour_start, hour_end }, date, NOW));

  it('is no claim alone, but may be part of one', () => {
    expect(judge(1, 2, '2026-03-08')).toEqual({
      code: 'claim.hourSkipped',
      params: { date: '2026-03-08', hour: 1 },
    });
    expect(judge(0, 2, '2026-03-08')).toBeNull();
    expect(judge(1, 3, '2026-03-08')).toBeNull();
    expect(judge(1, 2, '2026-03-09')).toBeNull();
    expect(judge(0, 1, '2026-11-01')).toBeNull();
    // Every date of an event.
    expect(judge(1, 2, null)).toBeNull();
  });
});
