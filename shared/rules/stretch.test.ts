import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DATE, factsOf, inputOf, typeOf } from '../test/submission-facts.ts';
import { assertHoursAreFree } from './conflicts.ts';
import type { HourRange } from './hours.ts';
import {
  firstFit,
  isOpenHour,
  lengthOf,
  longestAt,
  movedTo,
  nearestFit,
  type StretchLimits,
  stretchTo,
  whatIsLeft,
  withEnd,
  withStart,
} from './stretch.ts';
import { planSubmission } from './submission.ts';

const limits = (change: Partial<StretchLimits> = {}): StretchLimits => ({
  voucher: 4,
  taken: [],
  over: 0,
  ...change,
});
const range = (hour_start: number, hour_end: number): HourRange => ({ hour_start, hour_end });

describe('the usual hours', () => {
  test('as they are, where they are free', () => {
    expect(nearestFit(range(16, 20), limits())).toEqual(range(16, 20));
  });
  test('else as long and as near as can be, the earlier ones of two', () => {
    expect(nearestFit(range(16, 20), limits({ taken: [range(17, 18)] }))).toEqual(range(18, 22));
    expect(nearestFit(range(16, 20), limits({ over: 18 }))).toEqual(range(18, 22));
    expect(nearestFit(range(16, 20), limits({ taken: [range(17, 19)] }))).toEqual(range(13, 17));
  });
  test('shorter, where nothing is that long', () => {
    expect(nearestFit(range(16, 20), limits({ over: 22 }))).toEqual(range(22, 24));
    expect(nearestFit(range(16, 20), limits({ voucher: 2 }))).toEqual(range(16, 18));
    expect(nearestFit(range(16, 20), limits({ over: 24 }))).toBeNull();
  });
});

describe('from the hour that is pressed', () => {
  test('hours are painted to the pointer, later or earlier', () => {
    expect(stretchTo(16, 18, limits())).toEqual(range(16, 19));
    expect(stretchTo(16, 14, limits())).toEqual(range(14, 17));
    expect(stretchTo(16, 16, limits())).toEqual(range(16, 17));
  });
  test('stop at a taken hour, at a past one, at SS+24 and at the voucher', () => {
    expect(stretchTo(16, 20, limits({ taken: [range(18, 20)] }))).toEqual(range(16, 18));
    expect(stretchTo(16, 10, limits({ over: 15 }))).toEqual(range(15, 17));
    expect(stretchTo(22, 30, limits())).toEqual(range(22, 24));
    expect(stretchTo(1, -5, limits())).toEqual(range(0, 2));
    expect(stretchTo(10, 23, limits())).toEqual(range(10, 14));
  });
  test('a taken or past hour starts no range', () => {
    expect(stretchTo(18, 20, limits({ taken: [range(18, 19)] }))).toBeNull();
    expect(stretchTo(3, 5, limits({ over: 4 }))).toBeNull();
  });
});

describe('the range that a tap proposes', () => {
  test('is the whole voucher from that hour on', () =>
    expect(longestAt(16, limits())).toEqual(range(16, 20)));
  test('starts earlier if too few hours follow', () => {
    expect(longestAt(22, limits())).toEqual(range(20, 24));
    expect(longestAt(12, limits({ taken: [range(13, 20)] }))).toEqual(range(9, 13));
  });
  test('is as long as it can be between others', () => {
    expect(longestAt(12, limits({ taken: [range(5, 11), range(13, 20)] }))).toEqual(range(11, 13));
  });
  test('without an hour it is the first that lasts the whole voucher, else the longest', () => {
    expect(firstFit(limits({ over: 3, taken: [range(5, 8)] }))).toEqual(range(8, 12));
    expect(firstFit(limits({ taken: [range(2, 10), range(13, 24)] }))).toEqual(range(10, 13));
    expect(firstFit(limits({ taken: [range(0, 24)] }))).toBeNull();
  });
});

test('either end moves alone, never past the other, the voucher or a claim', () => {
  expect(withStart(range(10, 12), 8, limits())).toEqual(range(8, 12));
  expect(withStart(range(10, 12), 5, limits())).toEqual(range(8, 12));
  expect(withStart(range(10, 12), 15, limits())).toEqual(range(11, 12));
  expect(withEnd(range(10, 12), 13, limits())).toEqual(range(10, 13));
  expect(withEnd(range(10, 12), 24, limits({ taken: [range(13, 14)] }))).toEqual(range(10, 13));
  expect(withEnd(range(10, 12), 2, limits())).toEqual(range(10, 11));
});

test('moved hours keep their length, within the day and past taken ones', () => {
  expect(movedTo(range(10, 13), 15, limits())).toEqual(range(15, 18));
  expect(movedTo(range(10, 13), 23, limits())).toEqual(range(21, 24));
  expect(movedTo(range(10, 13), 2, limits({ over: 8 }))).toEqual(range(8, 11));
  expect(movedTo(range(10, 13), 11, limits({ taken: [range(13, 15)] }))).toBeNull();
  expect(movedTo(range(10, 13), 15, limits({ taken: [range(13, 15)] }))).toEqual(range(15, 18));
  expect(movedTo(range(20, 24), 23, limits({ over: 21 }))).toBeNull();
});

test('of hours taken meanwhile the longest run remains', () => {
  expect(whatIsLeft(range(16, 20), limits({ taken: [range(19, 22)] }))).toEqual(range(16, 19));
  expect(whatIsLeft(range(16, 20), limits({ taken: [range(17, 18)] }))).toEqual(range(18, 20));
  expect(whatIsLeft(range(16, 20), limits({ taken: [range(12, 22)] }))).toBeNull();
  expect(whatIsLeft(range(16, 20), limits({ over: 18 }))).toEqual(range(18, 20));
  expect(whatIsLeft(range(16, 20), limits({ voucher: 2 }))).toEqual(range(16, 18));
});

const anHour = fc.integer({ min: 0, max: 23 });
const taken = fc.array(
  fc
    .tuple(anHour, fc.integer({ min: 1, max: 6 }))
    .map(([start, length]) => range(start, Math.min(24, start + length))),
  { maxLength: 8 },
);
const world = fc.record({ voucher: fc.integer({ min: 1, max: 24 }), taken, over: anHour });
/** As a pointer has them: outside the day, too. */
const anywhere = fc.integer({ min: -3, max: 27 });

test("in any world, the server's rules accept every offered range", () => {
  fc.assert(
    fc.property(world, anywhere, anywhere, anywhere, (given, from, to, edge) => {
      const drawn = stretchTo(from, to, given);
      const offers = [drawn, longestAt(from, given), firstFit(given)];
      for (const each of [...offers])
        if (each)
          offers.push(
            withStart(each, edge, given),
            withEnd(each, edge, given),
            movedTo(each, edge, given),
          );
      offers.push(
        whatIsLeft(
          range(Math.max(0, Math.min(from, to, 23)), Math.min(24, Math.max(from, to, 1))),
          given,
        ),
      );
      for (const offer of offers) if (offer) expectAccepted(offer, given);
    }),
    { numRuns: 2000 },
  );
});

/** Throws what the server would answer; and no hour that is over is covered, though the server lets one begin there. */
function expectAccepted(offer: HourRange, { voucher, taken, over }: StretchLimits): void {
  const facts = factsOf({ member_type: typeOf({ voucher_duration_hours: voucher }), hour: over });
  const [plan] = planSubmission([inputOf({ ...offer })], facts);
  if (!plan) throw new Error('nothing was planned');
  assertHoursAreFree(
    plan,
    taken.map((each) => ({ ...each, respawn_id: 1, date: DATE })),
  );
  expect(offer.hour_start).toBeGreaterThanOrEqual(over);
  expect(lengthOf(offer)).toBeLessThanOrEqual(voucher);
}

test('in any world, a range is offered for every free hour, and nothing longer would fit', () => {
  fc.assert(
    fc.property(world, anHour, (given, hour) => {
      const offer = longestAt(hour, given);
      expect(offer !== null).toBe(isOpenHour(hour, given));
      if (!offer || lengthOf(offer) === given.voucher) return;
      expect(isOpenHour(offer.hour_start - 1, given)).toBe(false);
      expect(isOpenHour(offer.hour_end, given)).toBe(false);
    }),
  );
});
