import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../schemas/event.ts';
import { eventDate } from './event-period.ts';
import { lastOfSeries, nextEvent } from './next-event.ts';
import { daysFrom, daysIn, nextStart, periodFrom, weekdayOf } from './next-period.ts';
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

  it('R3.12: starts the day after, on the requested weekday, and never in the past', () => {
    expect(nextStart('2026-11-21', '2026-11-21', { days: 7 })).toBe('2026-11-22');
    expect(nextStart('2026-11-21', '2026-11-21', { days: 7, weekday: 1 })).toBe('2026-11-23');
    expect(nextStart('2026-11-21', '2026-11-28', { days: 7 })).toBe('2026-11-22');
    expect(nextStart('2026-11-21', '2026-11-29', { days: 7 })).toBe('2026-11-29');
    fc.assert(
      fc.property(
        date,
        fc.integer({ min: 1, max: 60 }),
        date,
        fc.option(fc.nat(6)),
        (last, days, today, weekday) => {
          const first = nextStart(last, today, { days, weekday });
          expect(first > last && addDays(first, days - 1) >= today).toBe(true);
          expect(weekdayOf(first)).toBe(weekday ?? weekdayOf(addDays(last, 1)));
          // No earlier one would do.
          const earlier = addDays(first, -7);
          expect(earlier > last && addDays(earlier, days - 1) >= today).toBe(false);
        },
      ),
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
    expect(nextName('Week {n}', NEXT, { last: null, isTaken: free })).toBe('Week 1');
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
    expect(nextName(cut, NEXT, { last: null, isTaken: free })).toBe(`${'x'.repeat(55)} 2026`);
    expect(nextName(spaced, NEXT, { last: null, isTaken: free })).toBe('x'.repeat(59));
    expect(nextName(cut, NEXT, { last: null, isTaken: (name) => !name.endsWith('(2)') })).toBe(
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

  it('R3.12: follows the last event of its series, whether a template, a copy or an admin created it', () => {
    const series = { name: 'Week {n}', type: 'multiple_claims' as const, made_events: [3, 4] };
    const event = (id: number, name: string, other: Partial<Period> = {}) => {
      return { id, name, type: 'multiple_claims' as const, ...WEEK, ...other };
    };
    expect(lastOfSeries(series, [event(3, 'Renamed')])?.id).toBe(3);
    expect(
      lastOfSeries(series, [event(5, 'Winter'), event(6, 'Week 2', { type: 'single_claim' })]),
    ).toBe(null);
    // Week 2 is a copy of Week 1, from which the template was saved.
    expect(lastOfSeries(series, [event(3, 'Week 1'), event(7, 'Week 2', NEXT)])?.id).toBe(7);
    expect(
      lastOfSeries(series, [event(8, 'Week 9'), event(7, 'Week 10'), event(3, 'Week')])?.id,
    ).toBe(8);
    // The one that ends last, of two the newer one, in any order.
    const early = event(9, 'Week 1');
    const late = event(5, 'Week 2', NEXT);
    const newer = event(6, 'Week 3', NEXT);
    for (const events of [
      [early, late, newer],
      [newer, late, early],
      [late, early, newer],
    ])
      expect(lastOfSeries(series, events)?.id).toBe(6);
    expect(lastOfSeries(series, [late, early])?.id).toBe(5);
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

  it('R3.12: belongs to the next period', () => {
    const template = {
      ...({
        id: 1,
        name: 'Week {n}',
        type: 'single_claim',
        days: 7,
        weekday: null,
        start_clock: 'T10:00',
        end_clock: 'T09:00',
      } as const),
      ...({ single_claim_template: null, claims: 'none', created_at: '' } as const),
      made_events: [],
    };
    expect(
      nextEvent(template, { name: 'Week 7', ...WEEK }, { today: '2026-11-01', isTaken: free }),
    ).toEqual({
      name: 'Week 8',
      ...NEXT,
    });
    expect(nextEvent(template, null, { today: '2026-11-22', isTaken: free })).toEqual({
      name: 'Week 1',
      ...NEXT,
    });
  });
});
