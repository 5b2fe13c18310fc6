import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import { DATE, factsOf, inputOf, typeOf } from '../test/submission-facts.ts';
import { assertHoursExist, hoursExist, hoursOver } from './claim-time.ts';
import { assertHoursAreFree } from './conflicts.ts';
import type { HourRange } from './hours.ts';
import {
  type HoursOfDate,
  maxDurationAt,
  offersInstead,
  startHours,
  waitingHours,
} from './start-hours.ts';
import { planSubmission } from './submission.ts';

const hours = (hour_start: number, hour_end: number): HourRange => ({ hour_start, hour_end });
const stateAt = (
  hour: number,
  duration: number,
  { taken = [], voucher = 4, over = 0 }: Partial<HoursOfDate> & { voucher?: number } = {},
) => startHours(duration, voucher, { taken, over })[hour]?.state;

describe('R2.4: the start hours of the form', () => {
  it('R2.1: are SS+0 to SS+23', () => {
    expect(startHours(4, 4, { taken: [] }).map(({ hour }) => hour)).toEqual(
      Array.from({ length: 24 }, (_, hour) => hour),
    );
  });

  it('R2.2: would exceed SS+24 from the first hour that a claim of this duration cannot end by', () => {
    const states = startHours(4, 4, { taken: [] }).map(({ state }) => state);
    expect(states.slice(0, 21)).toEqual(Array(21).fill('free'));
    expect(states.slice(21)).toEqual(['exceeds', 'exceeds', 'exceeds']);
    expect(stateAt(23, 1)).toBe('free');
    expect(stateAt(0, 24, { voucher: 24 })).toBe('free');
    expect(stateAt(1, 24, { voucher: 24 })).toBe('exceeds');
  });

  it('R2.3: conflict if the duration runs into a claim, and are taken inside of it', () => {
    const taken = [hours(10, 14)];
    expect(stateAt(6, 4, { taken })).toBe('free');
    expect(stateAt(7, 4, { taken })).toBe('conflict');
    expect(stateAt(9, 4, { taken })).toBe('conflict');
    expect(stateAt(10, 4, { taken })).toBe('taken');
    expect(stateAt(13, 1, { taken })).toBe('taken');
    expect(stateAt(14, 4, { taken })).toBe('free');
  });

  it('are taken rather than too late, where they are both', () => {
    expect(stateAt(22, 4, { taken: [hours(22, 23)] })).toBe('taken');
  });

  it('R4.14: are past before the running hour, for claims of any length', () => {
    expect([0, 5, 8, 9, 10].map((hour) => stateAt(hour, 4, { over: 9 }))).toEqual([
      'over',
      'over',
      'over',
      'free',
      'free',
    ]);
    expect([7, 8, 9].map((hour) => stateAt(hour, 1, { over: 9 }))).toEqual([
      'over',
      'over',
      'free',
    ]);
    expect(stateAt(5, 1, { taken: [hours(4, 6)], over: 9 })).toBe('taken');
    // Nothing shorter is offered there, either.
    expect(startHours(4, 4, { taken: [], over: 9 })[6]).toEqual({
      hour: 6,
      state: 'over',
      max_duration: 0,
    });
    expect(stateAt(23, 1, { over: 24 })).toBe('over');
  });

  it('R5.6, R4.14: of a secondary claim are all that are not past, taken ones too', () => {
    const states = waitingHours([hours(4, 12), hours(20, 24)], 9).map(({ state }) => state);
    expect(states).toEqual([
      ...Array(9).fill('over'),
      ...Array(3).fill('taken'),
      ...Array(8).fill('free'),
      ...Array(4).fill('taken'),
    ]);
  });

  it('say how long a claim fits there, at most the voucher', () => {
    const taken = [hours(10, 14), hours(16, 17)];
    const max = (hour: number): number => maxDurationAt(hour, 4, { taken });
    expect([5, 6, 7, 8, 9, 10, 13, 14, 15, 16, 17].map(max)).toEqual([
      4, 4, 3, 2, 1, 0, 0, 2, 1, 0, 4,
    ]);
    expect([20, 21, 22, 23].map(max)).toEqual([4, 3, 2, 1]);
    expect(maxDurationAt(0, 24, { taken: [] })).toBe(24);
  });
});

describe('R2.4: a start that is not free has alternatives', () => {
  const offers = (
    hour: number,
    duration: number,
    { taken = [], over = 0 }: Partial<HoursOfDate> = {},
  ) =>
    offersInstead(hour, duration, startHours(duration, 4, { taken, over })).map((offer) => [
      offer.hour_start,
      offer.duration,
    ]);

  it('the longest fitting duration there, and the nearest start for the whole duration', () => {
    expect(offers(22, 4)).toEqual([
      [22, 2],
      [20, 4],
    ]);
    expect(offers(8, 4, { taken: [hours(10, 14)] })).toEqual([
      [8, 2],
      [6, 4],
    ]);
    // Of two that are as near the earlier one.
    expect(offers(11, 1, { taken: [hours(11, 12)] })).toEqual([[10, 1]]);
  });

  it('nothing that is further away than it lasts: that is another evening', () => {
    expect(offers(22, 4, { taken: [hours(8, 21)] })).toEqual([[22, 2]]);
    expect(offers(12, 4, { taken: [hours(8, 16)] })).toEqual([[16, 4]]);
    expect(offers(12, 3, { taken: [hours(8, 16)] })).toEqual([]);
  });

  it('only the one where there is no other', () => {
    expect(offers(12, 4, { taken: [hours(10, 14)] })).toEqual([[14, 4]]);
    expect(offers(22, 4, { taken: [hours(0, 22)] })).toEqual([[22, 2]]);
    expect(offers(12, 4, { taken: [hours(0, 24)] })).toEqual([]);
  });

  it('no past hours, and nothing beside free or past hours', () => {
    expect(offers(8, 4, { taken: [hours(10, 14)], over: 8 })).toEqual([[8, 2]]);
    expect(offers(3, 4, { over: 8 })).toEqual([]);
    expect(offers(7, 4, { over: 8 })).toEqual([]);
    expect(offers(9, 4)).toEqual([]);
  });
});

const anyRange = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 6 }))
  .map(([start, length]) => {
    return hours(start, Math.min(start + length, 24));
  });

describe('R2.4: the form and the server', () => {
  it('agree on every hour that is not over: a start is free exactly when the server takes a claim of that duration there', () => {
    const board = fc.record({
      taken: fc.array(anyRange, { maxLength: 5 }),
      voucher: fc.integer({ min: 1, max: 24 }),
      shorter: fc.nat(),
      hour: fc.integer({ min: 0, max: 23 }),
      now: fc.integer({ min: 0, max: 23 }),
      day: fc.constantFrom('2026-11-20', DATE, '2026-11-22'),
      may_enter_past: fc.boolean(),
    });
    fc.assert(
      fc.property(board, ({ taken, voucher, shorter, hour, now, day: today, may_enter_past }) => {
        const duration = voucher - (shorter % voucher);
        const over = hoursOver(DATE, { today, hour: now, may_enter_past });
        const all = startHours(duration, voucher, { taken, over });
        const start = all[hour];
        const facts = factsOf({
          member_type: typeOf({ voucher_duration_hours: voucher }),
          ...(may_enter_past ? { submitter: { role: 'admin' as const } } : {}),
          today,
          hour: now,
        });
        const stored = taken.map((range) => ({ ...range, respawn_id: 1, date: DATE }));
        const serverTakes = (length: number, hour_start = hour): boolean => {
          const input = inputOf({ hour_start, hour_end: hour_start + length });
          return (
            refusalIn(() =>
              planSubmission([input], facts).map((claim) => assertHoursAreFree(claim, stored)),
            ) === null
          );
        };
        expect(start?.state === 'free').toBe(hour >= over && serverTakes(duration));
        const fits = start?.max_duration ?? 0;
        if (fits > 0) expect(serverTakes(fits)).toBe(true);
        if (hour >= over) expect(serverTakes(fits + 1)).toBe(false);
        for (const offer of offersInstead(hour, duration, all)) {
          expect(serverTakes(offer.duration, offer.hour_start)).toBe(true);
          expect(offer.hour_start).toBeGreaterThanOrEqual(over);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it('agree on every hour of a secondary claim', () => {
    const waiting = fc.record({
      taken: fc.array(anyRange, { maxLength: 3 }),
      duration: fc.integer({ min: 1, max: 4 }),
      hour: fc.integer({ min: 0, max: 23 }),
      now: fc.integer({ min: 0, max: 23 }),
    });
    fc.assert(
      fc.property(waiting, ({ taken, duration, hour, now }) => {
        const stateAtHour = waitingHours(
          taken,
          hoursOver(DATE, { today: DATE, hour: now, may_enter_past: false }),
        )[hour];
        const facts = factsOf({ member_type: typeOf({ member_type: 'elite' }), hour: now });
        const primary = inputOf({ hour_start: 24 - duration, hour_end: 24 });
        const secondary = inputOf({ respawn_id: 2, hour_start: hour, is_secondary_claim: 1 });
        const isTaken = refusalIn(() => planSubmission([primary, secondary], facts)) === null;
        expect(stateAtHour?.state !== 'over').toBe(hour >= now && isTaken);
      }),
      { numRuns: 2_000 },
    );
  });

  it('agree on the hour that the clocks skip', () => {
    const time = factsOf();
    const skipped: string[] = [];
    for (const date of ['2026-03-07', '2026-03-08', '2026-11-01', null]) {
      for (const duration of [1, 2]) {
        for (const { hour, state } of startHours(duration, 4, {
          taken: [],
          exist: (input) => hoursExist(input, date, time),
        })) {
          const refusal = refusalIn(() =>
            assertHoursExist(hours(hour, hour + duration), date, time),
          );
          expect([date, hour, state === 'skipped']).toEqual([date, hour, refusal !== null]);
          if (state === 'skipped') skipped.push(`${date} ${hour} ${duration}`);
        }
      }
    }
    expect(skipped).toEqual(['2026-03-08 1 1']);
  });

  it('offer nothing at the hour that the clocks skip', () => {
    const exist = (input: HourRange): boolean => hoursExist(input, '2026-03-08', factsOf());
    expect(offersInstead(1, 1, startHours(1, 4, { taken: [], exist }))).toEqual([
      { hour_start: 0, duration: 1 },
    ]);
    expect(
      [0, 1, 5].map((hour) => startHours(1, 4, { taken: [], exist })[hour]?.max_duration),
    ).toEqual([4, 4, 4]);
    // Only that hour is free before a claim.
    expect(
      offersInstead(1, 2, startHours(2, 4, { taken: [hours(0, 1), hours(2, 24)], exist })),
    ).toEqual([]);
  });
});
