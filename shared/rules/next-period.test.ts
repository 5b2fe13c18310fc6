import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../schemas/event.ts';
import { eventDate } from './event-period.ts';
import { lastOfSeries } from './next-event.ts';
import { daysFrom, daysIn, nextStart, periodFrom } from './next-period.ts';
import { isNamedBy, nextName, numberIn, patternOf } from './period-name.ts';
import { addDays } from './server-save.ts';

type Period = Pick<Event, 'type' | 'start_time' | 'end_time'>;

const WEEK = { start_time: '2026-11-15T10:00', end_time: '2026-11-21T09:00' };
const NEXT = { start_time: '2026-11-22T10:00', end_time: '2026-11-28T09:00' };
const date = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2000-01-01', days));
const free = (): boolean => false;

describe('the next period', () => {
  it('R3.11: is the same days later, through daylight saving and leap days, at the same times of day', () => {
    expect(periodFrom(WEEK, '2026-11-22')).toEqual(NEXT);
    expect(periodFrom({ start_time: '2026-10-24', end_time: '2026-11-02' }, '2027-03-10')).toEqual({
      start_time: '2027-03-10',
      end_time: '2027-03-19',
    });
    fc.assert(
      fc.property(date, date, fc.nat(366), (first, other, more) => {
        const period = { start_time: `${first}T10:00`, end_time: `${addDays(first, more)}T11:00Z` };
        const next = periodFrom(period, other);
        expect([eventDate(next.start_time), daysIn(next), next.end_time.slice(10)]).toEqual([
          other,
          more + 1,
          'T11:00Z',
        ]);
        expect(addDays(first, daysFrom(first, other))).toBe(other);
      }),
      { numRuns: 200 },
    );
  });

  it('R3.12: starts the day after, and never in the past', () => {
    expect(nextStart('2026-11-21', '2026-11-21', 7)).toBe('2026-11-22');
    expect(nextStart('2026-11-21', '2026-11-28', 7)).toBe('2026-11-22');
    expect(nextStart('2026-11-21', '2026-11-29', 7)).toBe('2026-11-29');
    fc.assert(
      fc.property(date, fc.integer({ min: 1, max: 60 }), date, (last, days, today) => {
        const first = nextStart(last, today, days);
        expect(first > last && addDays(first, days - 1) >= today).toBe(true);
        expect((daysFrom(last, first) - 1) % 7).toBe(0);
        // No earlier one would do.
        const earlier = addDays(first, -7);
        expect(earlier > last && addDays(earlier, days - 1) >= today).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the name of the next period', () => {
  it.each([
    ['Week 12', 'Week {n}', 'Week 13'],
    ['Week 12 of the guild', 'Week {n} of the guild', 'Week 13 of the guild'],
    ['Season 2, week 9', 'Season 2, week {n}', 'Season 2, week 10'],
    ['Rush 2026-11-15', 'Rush {start}', 'Rush 2026-11-22'],
    ['2026-11-15 to 2026-11-21', '{start} to {end}', '2026-11-22 to 2026-11-28'],
    ['Winter 2026', 'Winter 2026 {n}', 'Winter 2026 2'],
    ['Double week', 'Double week {n}', 'Double week 2'],
    ['Born 2026-01-02', 'Born 2026-01-02 {n}', 'Born 2026-01-02 2'],
  ])('R3.12: after %j is by %j %j', (name, pattern, next) => {
    expect(patternOf(name, WEEK)).toBe(pattern);
    expect(nextName(pattern, NEXT, { last: { name, ...WEEK }, isTaken: free })).toBe(next);
  });

  it('R3.12: has a new name, which is never too long', () => {
    const taken = new Set(['Week 13', 'Week 14', 'Rush', 'Rush (2)']);
    const last = { name: 'Week 12', ...WEEK };
    expect(nextName('Week {n}', NEXT, { last, isTaken: (name) => taken.has(name) })).toBe(
      'Week 15',
    );
    expect(nextName('Rush', NEXT, { last, isTaken: (name) => taken.has(name) })).toBe('Rush (3)');
    const long = `${'x'.repeat(57)}{n}`;
    expect(
      nextName(long, NEXT, { last: { name: `${'x'.repeat(57)}998`, ...WEEK }, isTaken: free }),
    ).toBe(`${'x'.repeat(57)}999`);
    expect(
      nextName(long, NEXT, { last: { name: `${'x'.repeat(57)}999`, ...WEEK }, isTaken: free }),
    ).toBe('x'.repeat(57));
    expect(
      nextName('x'.repeat(60), NEXT, { last, isTaken: (name) => name === 'x'.repeat(60) }),
    ).toBe(`${'x'.repeat(56)} (2)`);
  });

  it('R3.12: is cut to the length of a name, dates included, without a space at the cut', () => {
    const cut = `${'x'.repeat(55)} {start}`;
    const spaced = `${'x'.repeat(59)} {start}`;
    const last = { name: 'Rush', ...WEEK };
    expect(nextName(cut, NEXT, { last, isTaken: free })).toBe(`${'x'.repeat(55)} 2026`);
    expect(nextName(spaced, NEXT, { last, isTaken: free })).toBe('x'.repeat(59));
    expect(nextName(cut, NEXT, { last, isTaken: (name) => !name.endsWith('(2)') })).toBe(
      `${'x'.repeat(55)} (2)`,
    );
  });

  it.each([
    ['Week {n}', 'Week 12', 12],
    ['Week {n} of {start}', 'Week 7 of 2026-11-15', 7],
    ['{n}', '123456789', 123_456_789],
    ['{n}', '1234567890', null],
    ['Week {n}', 'Weekend', null],
    ['Week {n}', 'Week 12a', null],
    ['Week {n}', 'Week a12', null],
    ['Week {n} of {start}', 'Week 7 of 2026-11-16', null],
    ['Week {n}', 'A Week 12', null],
    ['Week', 'Week 12', null],
  ])('R3.12: has, by the pattern %j, in %j the number %j', (pattern, name, number) => {
    expect(numberIn(pattern, name, WEEK)).toBe(number);
  });

  it('R3.12: follows the last event of its series, whether a copy or an admin created it', () => {
    const event = (id: number, name: string, other: Partial<Period> = {}) => {
      return { id, name, type: 'multiple_claims' as const, ...WEEK, ...other };
    };
    const source = event(3, 'Week 1');
    expect(lastOfSeries(source, [source]).id).toBe(3);
    expect(
      lastOfSeries(source, [
        event(5, 'Winter', NEXT),
        event(6, 'Week 2', { ...NEXT, type: 'single_claim' }),
        source,
      ]).id,
    ).toBe(3);
    // The one that ends last, of two the newer one, in any order.
    const early = event(9, 'Week 4');
    const late = event(5, 'Week 2', NEXT);
    const newer = event(6, 'Week 3', NEXT);
    for (const events of [
      [early, late, newer],
      [newer, late, early],
      [late, early, newer],
    ])
      expect(lastOfSeries(source, events).id).toBe(6);
    expect(lastOfSeries(source, [late, early]).id).toBe(5);
  });

  it.each([
    ['Rush', 'Rush', true],
    ['Rush', 'Rush (12)', true],
    ['Rush {start}', 'Rush 2026-11-15', true],
    ['Rush {start}', 'Rush 2026-01-01', false],
    ['Week {n}', 'Week 3', true],
    ['Week {n}', 'Week', true],
    ['Week {n}', 'Week (2)', true],
    ['Week {n}', 'Weekend', false],
    ['Rush week', 'Rush (12) week', false],
    ['{n}', 'Rush', false],
  ])('R3.12: the pattern %j could have named %j: %s', (pattern, name, could) => {
    expect(isNamedBy(pattern, { name, ...WEEK })).toBe(could);
  });
});
