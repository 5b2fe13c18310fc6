import { describe, expect, it } from 'vitest';
import {
  eventDate,
  eventTimeStatus,
  isWithinEvent,
  periodRefusal,
  periodsOverlap,
} from './event-period.ts';

const period = (start_time: string, end_time: string) => ({ start_time, end_time });
const event = period('2026-11-15T18:00', '2026-11-28T03:00');

describe('R3.1: the dates of an event', () => {
  it('include the first and the last, at any time of day', () => {
    expect(isWithinEvent('2026-11-15', event)).toBe(true);
    expect(isWithinEvent('2026-11-28', event)).toBe(true);
    expect(isWithinEvent('2026-11-14', event)).toBe(false);
    expect(isWithinEvent('2026-11-29', event)).toBe(false);
  });

  it('may be one', () => {
    const oneDay = period('2026-11-15', '2026-11-15');
    expect(isWithinEvent('2026-11-15', oneDay)).toBe(true);
    expect(isWithinEvent('2026-11-14', oneDay)).toBe(false);
    expect(isWithinEvent('2026-11-16', oneDay)).toBe(false);
  });

  it.each(['2026-11-15', '2026-11-15T10:00', '2026-11-15 10:00:30', '2026-11-15T10:00:00.000Z'])(
    'of %s is the part before the time',
    (time) => {
      expect(eventDate(time)).toBe('2026-11-15');
    },
  );
});

describe('R3.2: the status of an event', () => {
  it.each([
    ['2026-11-14', 'upcoming'],
    ['2026-11-15', 'active'],
    ['2026-11-20', 'active'],
    ['2026-11-28', 'active'],
    ['2026-11-29', 'ended'],
  ])('on %s it is %s', (today, status) => {
    expect(eventTimeStatus(event, today)).toBe(status);
  });
});

describe('R3.3: an event ends after it starts', () => {
  it.each([
    ['a later date', period('2026-11-15T18:00', '2026-11-16T03:00')],
    ['the same date, bare', period('2026-11-15', '2026-11-15')],
    ['the same date, a minute later', period('2026-11-15T10:00', '2026-11-15T10:01')],
    ['the same date, bare at its end', period('2026-11-15T10:00', '2026-11-15')],
    ['one day across a change of the clocks', period('2026-11-01', '2026-11-01')],
  ])('%s is one', (_, each) => {
    expect(periodRefusal(each)).toBeNull();
  });

  it.each([
    ['an earlier date', period('2026-11-15T10:00', '2026-11-14T23:00')],
    ['the same minute', period('2026-11-15T10:00', '2026-11-15T10:00')],
    [
      'the same minute, written in two ways',
      period('2026-11-15 10:00:30', '2026-11-15T10:00:59.000Z'),
    ],
    ['midnight of a bare date', period('2026-11-15', '2026-11-15T00:00')],
    ['the same date, a minute earlier', period('2026-11-15T10:01', '2026-11-15T10:00')],
  ])('%s is none', (_, each) => {
    expect(periodRefusal(each)).toBe('event.endBeforeStart');
  });
});

describe('R3.3: an event lasts at most a year', () => {
  it('and on the date of its start a year later', () => {
    expect(periodRefusal(period('2026-11-15', '2027-11-15'))).toBeNull();
    expect(periodRefusal(period('2026-11-15', '2027-11-16'))).toBe('event.tooLong');
  });

  it('at any time of day', () => {
    expect(periodRefusal(period('2026-11-15T23:59', '2027-11-15T00:00'))).toBeNull();
    expect(periodRefusal(period('2026-11-15T00:00', '2027-11-16T00:00'))).toBe('event.tooLong');
  });
});

describe('two events', () => {
  it.each([
    ['later dates only', period('2026-11-29', '2026-12-05'), false],
    ['earlier dates only', period('2026-11-01', '2026-11-14'), false],
    ['the last date', period('2026-11-28T23:00', '2026-12-05'), true],
    ['the first date', period('2026-11-01', '2026-11-15T01:00'), true],
    ['all dates', period('2026-11-01', '2026-12-05'), true],
    ['a date in between', period('2026-11-20', '2026-11-20'), true],
  ])('of which the other has %s: whether they overlap', (_, other, overlap) => {
    expect([periodsOverlap(event, other), periodsOverlap(other, event)]).toEqual([
      overlap,
      overlap,
    ]);
  });
});
