import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  freeRanges,
  type HourRange,
  hoursIn,
  rangesOverlap,
  without,
  wouldExceedDay,
} from './hours.ts';

const hours = (hour_start: number, hour_end: number): HourRange => ({ hour_start, hour_end });
const anyRange = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
  .map(([a, n]) => hours(a, Math.min(a + n, 24)));

describe('R2.3: overlap', () => {
  it('touching ends do not conflict', () => {
    expect(rangesOverlap(hours(10, 14), hours(14, 18))).toBe(false);
    expect(rangesOverlap(hours(14, 18), hours(10, 14))).toBe(false);
  });

  it.each([
    ['one shared hour at the end', hours(10, 14), hours(13, 17)],
    ['the same hours', hours(10, 14), hours(10, 14)],
    ['one inside the other', hours(8, 20), hours(10, 11)],
    ['the first hour of the day', hours(0, 1), hours(0, 4)],
    ['the last hour of the day', hours(23, 24), hours(20, 24)],
  ])('%s conflicts, in either order', (_, a, b) => {
    expect(rangesOverlap(a, b)).toBe(true);
    expect(rangesOverlap(b, a)).toBe(true);
  });

  it('is exactly the sharing of an hour', () => {
    fc.assert(
      fc.property(
        anyRange,
        anyRange,
        (a, b) => rangesOverlap(a, b) === hoursIn(a).some((hour) => hoursIn(b).includes(hour)),
      ),
    );
  });
});

describe('R2.2: the end of the day', () => {
  it('a claim may end at SS+24', () => {
    expect(wouldExceedDay(20, 4)).toBe(false);
    expect(wouldExceedDay(23, 1)).toBe(false);
    expect(wouldExceedDay(0, 24)).toBe(false);
  });

  it('a claim that would pass SS+24 by an hour is too long', () => {
    expect(wouldExceedDay(21, 4)).toBe(true);
    expect(wouldExceedDay(23, 2)).toBe(true);
    expect(wouldExceedDay(1, 24)).toBe(true);
  });
});

describe('R7.1: the hours a range occupies', () => {
  it('run from its start up to, not including, its end', () => {
    expect(hoursIn(hours(10, 14))).toEqual([10, 11, 12, 13]);
    expect(hoursIn(hours(23, 24))).toEqual([23]);
  });
});

describe('a range without another one', () => {
  it.each([
    ['nothing of it before or after the other', hours(10, 14), hours(8, 16), []],
    ['the same range', hours(10, 14), hours(10, 14), []],
    ['its first hours', hours(10, 14), hours(12, 16), [hours(10, 12)]],
    ['its last hours', hours(10, 14), hours(8, 12), [hours(12, 14)]],
    ['both sides', hours(10, 14), hours(11, 13), [hours(10, 11), hours(13, 14)]],
    ['all of it, where they touch', hours(10, 14), hours(14, 18), [hours(10, 14)]],
    ['all of it, far from the other', hours(10, 14), hours(2, 4), [hours(10, 14)]],
  ])('is %s', (_, range, other, rest) => {
    expect(without(range, other)).toEqual(rest);
  });

  it('is exactly the hours that only the first one has', () => {
    fc.assert(
      fc.property(anyRange, anyRange, (range, other) => {
        const shared = hoursIn(other);
        expect(without(range, other).flatMap(hoursIn)).toEqual(
          hoursIn(range).filter((hour) => !shared.includes(hour)),
        );
      }),
    );
  });
});

describe('free stretches of a day', () => {
  it('surround the taken hours, in order', () => {
    expect(freeRanges([hours(14, 18), hours(2, 6)])).toEqual([
      hours(0, 2),
      hours(6, 14),
      hours(18, 24),
    ]);
  });

  it('are the whole day when nothing is taken, and none when all is', () => {
    expect(freeRanges([])).toEqual([hours(0, 24)]);
    expect(freeRanges([hours(0, 12), hours(12, 24)])).toEqual([]);
  });

  it('do not appear between claims that touch or overlap', () => {
    expect(freeRanges([hours(4, 8), hours(8, 12), hours(10, 11)])).toEqual([
      hours(0, 4),
      hours(12, 24),
    ]);
  });

  it('and the taken hours make up the day, none twice', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 8 }), (taken) => {
        const free = freeRanges(taken).flatMap(hoursIn);
        const held = new Set(taken.flatMap(hoursIn));
        expect([...free, ...held].sort((a, b) => a - b)).toEqual(hoursIn(hours(0, 24)));
      }),
    );
  });
});
