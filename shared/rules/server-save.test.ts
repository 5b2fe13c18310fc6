import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  addDays,
  datesBetween,
  instantOf,
  isSkipped,
  isTimeZone,
  minuteOfDay,
  type ServerSaveClock,
  serverSaveTime,
  timeZoneName,
  wallClock,
} from './server-save.ts';

const PACIFIC: ServerSaveClock = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };
const BERLIN: ServerSaveClock = { ss_time_zone: 'Europe/Berlin', ss_hour: 10 };
const at = (iso: string, clock = PACIFIC) => serverSaveTime(new Date(iso), clock);
const begins = (date: string, hour: number, clock = PACIFIC) =>
  instantOf(date, hour, clock).toISOString();

describe('R8.1: the SS hour', () => {
  it('is the Pacific hour minus one, in winter and in summer', () => {
    expect(at('2026-11-21T18:00:00Z')).toMatchObject({
      date: '2026-11-21',
      hour: 9,
      minutes_left: 60,
    });
    expect(at('2026-07-01T18:00:00Z')).toMatchObject({
      date: '2026-07-01',
      hour: 10,
      minutes_left: 60,
    });
  });

  it('is 0 in the first minute after the save', () => {
    expect(at('2026-11-21T09:00:00Z')).toMatchObject({
      date: '2026-11-21',
      hour: 0,
      minutes_left: 60,
    });
  });

  it('has 60 minutes at its first second and 1 in its last minute', () => {
    expect(at('2026-11-21T18:00:59Z').minutes_left).toBe(60);
    expect(at('2026-11-21T18:01:00Z').minutes_left).toBe(59);
    expect(at('2026-11-21T18:59:59Z').minutes_left).toBe(1);
  });

  it('follows the zone and the hour that the settings name', () => {
    expect(at('2026-11-21T09:00:00Z', BERLIN)).toMatchObject({
      date: '2026-11-21',
      hour: 0,
      minutes_left: 60,
    });
    expect(at('2026-11-21T08:59:00Z', BERLIN)).toMatchObject({
      date: '2026-11-20',
      hour: 23,
      minutes_left: 1,
    });
    expect(at('2026-07-01T08:00:00Z', BERLIN).hour).toBe(0);
  });

  it('of Berlin and of Los Angeles agree but for the weeks between their changes of the clocks', () => {
    expect(at('2026-02-01T12:00:00Z', BERLIN).hour).toBe(at('2026-02-01T12:00:00Z').hour);
    expect(at('2026-03-15T12:00:00Z', BERLIN).hour).toBe(at('2026-03-15T12:00:00Z').hour - 1);
    expect(at('2026-10-28T12:00:00Z', BERLIN).hour).toBe(at('2026-10-28T12:00:00Z').hour - 1);
  });

  it('is the local hour where the save is at midnight', () => {
    const midnight = { ss_time_zone: 'UTC', ss_hour: 0 };
    expect(at('2026-11-21T23:30:00Z', midnight)).toMatchObject({
      date: '2026-11-21',
      hour: 23,
      minutes_left: 30,
    });
  });

  it('may be in a zone that is half an hour off', () => {
    expect(at('2026-11-21T04:45:00Z', { ss_time_zone: 'Asia/Kolkata', ss_hour: 10 })).toMatchObject(
      {
        date: '2026-11-21',
        hour: 0,
        minutes_left: 45,
      },
    );
  });
});

describe('R8.1: one moment', () => {
  it('has an SS hour of its own in each zone and with each save hour, in any order of asking', () => {
    const clocks = [
      PACIFIC,
      { ...PACIFIC, ss_hour: 2 },
      BERLIN,
      { ...PACIFIC, ss_time_zone: 'Europe/Berlin' },
      PACIFIC,
    ];
    expect(clocks.map((clock) => at('2026-11-21T18:00:00Z', clock).hour)).toEqual([9, 8, 9, 18, 9]);
  });
});

describe('R8.2: the hours between midnight and the save', () => {
  it('SS+23 belongs to the previous date', () => {
    expect(at('2026-11-21T08:00:00Z')).toMatchObject({
      date: '2026-11-20',
      hour: 23,
      minutes_left: 60,
    });
    expect(at('2026-11-21T08:59:00Z')).toMatchObject({
      date: '2026-11-20',
      hour: 23,
      minutes_left: 1,
    });
    expect(at('2026-11-21T07:59:00Z')).toMatchObject({
      date: '2026-11-20',
      hour: 22,
      minutes_left: 1,
    });
  });

  it('may belong to the previous month and year', () => {
    expect(at('2027-01-01T08:30:00Z').date).toBe('2026-12-31');
    expect(at('2028-03-01T08:30:00Z').date).toBe('2028-02-29');
  });

  it('are ten with a save at 10 o’clock in Berlin', () => {
    expect(at('2026-11-20T23:00:00Z', BERLIN)).toMatchObject({
      date: '2026-11-20',
      hour: 14,
      minutes_left: 60,
    });
  });
});

describe('R8.3: changes of the clocks', () => {
  it('on 8 March 2026 SS+1 is skipped: two o’clock does not exist', () => {
    expect(at('2026-03-08T09:59:00Z')).toMatchObject({
      date: '2026-03-08',
      hour: 0,
      minutes_left: 1,
    });
    expect(at('2026-03-08T10:00:00Z')).toMatchObject({
      date: '2026-03-08',
      hour: 2,
      minutes_left: 60,
    });
    expect(begins('2026-03-08', 0)).toBe('2026-03-08T09:00:00.000Z');
    expect(begins('2026-03-08', 1)).toBe('2026-03-08T10:00:00.000Z');
    expect(begins('2026-03-08', 2)).toBe('2026-03-08T10:00:00.000Z');
  });

  it('on 1 November 2026 SS+0 lasts two hours: one o’clock occurs twice', () => {
    expect(at('2026-11-01T08:00:00Z')).toEqual({
      date: '2026-11-01',
      hour: 0,
      minutes_left: 120,
      elapsed: 0,
    });
    expect(at('2026-11-01T08:30:00Z')).toEqual({
      date: '2026-11-01',
      hour: 0,
      minutes_left: 90,
      elapsed: 0.25,
    });
    expect(at('2026-11-01T09:00:00Z')).toEqual({
      date: '2026-11-01',
      hour: 0,
      minutes_left: 60,
      elapsed: 0.5,
    });
    expect(at('2026-11-01T10:00:00Z')).toMatchObject({
      date: '2026-11-01',
      hour: 1,
      minutes_left: 60,
    });
    expect(begins('2026-11-01', 0)).toBe('2026-11-01T08:00:00.000Z');
    expect(begins('2026-11-01', 1)).toBe('2026-11-01T10:00:00.000Z');
  });

  it('make that day 23 or 25 hours long, and no other', () => {
    const length = (date: string): number =>
      (instantOf(date, 24, PACIFIC).getTime() - instantOf(date, 0, PACIFIC).getTime()) / 3_600_000;
    expect([length('2026-03-07'), length('2026-03-08'), length('2026-03-09')]).toEqual([
      24, 23, 24,
    ]);
    expect([length('2026-10-31'), length('2026-11-01'), length('2026-11-02')]).toEqual([
      24, 25, 24,
    ]);
  });

  it('in Berlin fall into the previous server-save day', () => {
    expect(begins('2026-03-28', 16, BERLIN)).toBe('2026-03-29T01:00:00.000Z');
    expect(begins('2026-03-28', 17, BERLIN)).toBe('2026-03-29T01:00:00.000Z');
    expect(begins('2026-10-24', 16, BERLIN)).toBe('2026-10-25T00:00:00.000Z');
    expect(begins('2026-10-24', 17, BERLIN)).toBe('2026-10-25T02:00:00.000Z');
  });
});

describe('R8.3: clocks that go back over the save', () => {
  it('leave the day that has begun: its first hour lasts until the next one comes for the first time', () => {
    // At Troll, 03:00 of 25 October is 01:00 again. With a save at 02:00 that is an hour before it.
    const troll = { ss_time_zone: 'Antarctica/Troll', ss_hour: 2 };
    expect(at('2026-10-25T01:30:00Z', troll)).toMatchObject({
      date: '2026-10-25',
      hour: 0,
      minutes_left: 90,
    });
    expect(at('2026-10-24T23:30:00Z', troll)).toMatchObject({
      date: '2026-10-24',
      hour: 23,
      minutes_left: 30,
    });
    expect(at('2026-10-25T00:30:00Z', troll)).toMatchObject({
      date: '2026-10-25',
      hour: 0,
      minutes_left: 150,
    });
    expect(at('2026-10-25T02:30:00Z', troll)).toMatchObject({
      date: '2026-10-25',
      hour: 0,
      minutes_left: 30,
    });
    expect(at('2026-10-25T03:00:00Z', troll)).toMatchObject({
      date: '2026-10-25',
      hour: 1,
      minutes_left: 60,
    });
  });
});

/** Zones that change at midnight, by half an hour, by two hours, on other dates, and not at all. */
const ZONES = [
  'America/Los_Angeles',
  'Europe/Berlin',
  'America/Havana',
  'Asia/Beirut',
  'America/Asuncion',
  'America/Santiago',
  'Africa/Cairo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'America/St_Johns',
  'Asia/Kolkata',
  'UTC',
] as const;
const anyClock: fc.Arbitrary<ServerSaveClock> = fc.record({
  ss_time_zone: fc.constantFrom(...ZONES),
  ss_hour: fc.integer({ min: 0, max: 23 }),
});

const HOUR_MS = 3_600_000;
const offsetAt = (instant: number, zone: string): number => {
  const wall = wallClock(new Date(instant), zone);
  return (
    Date.parse(`${wall.date}T00:00:00Z`) + wall.hour * HOUR_MS + wall.minute * 60_000 - instant
  );
};
/** The instants of 2024 to 2027 at which a zone's clocks change. */
function changesOf(zone: string): number[] {
  const first = Date.UTC(2024, 0, 1);
  const end = Date.UTC(2028, 0, 1);
  const found: number[] = [];
  for (let at = first; at < end; at += 24 * HOUR_MS) {
    if (offsetAt(at, zone) === offsetAt(at + 24 * HOUR_MS, zone)) continue;
    for (let minute = at; minute < at + 24 * HOUR_MS; minute += 15 * 60_000)
      if (offsetAt(minute, zone) !== offsetAt(minute + 15 * 60_000, zone))
        found.push(minute + 15 * 60_000);
  }
  return found;
}
const changes = new Map(ZONES.map((zone) => [zone as string, changesOf(zone)]));
/** Moments around a change of the clocks, where the zone has any; else of some year. */
const aMomentFor = ({ ss_time_zone }: ServerSaveClock): fc.Arbitrary<number> =>
  fc
    .tuple(
      fc.constantFrom(
        ...(changes.get(ss_time_zone)?.length
          ? (changes.get(ss_time_zone) ?? [])
          : [Date.UTC(2026, 5, 1)]),
      ),
      fc.integer({ min: -3 * 86_400, max: 3 * 86_400 }),
    )
    .map(([change, seconds]) => change + seconds * 1_000);
const clockAndMoment = anyClock.chain((clock) =>
  aMomentFor(clock).map((moment) => ({ clock, moment })),
);

describe('R8.3: around changes of the clocks in any zone and with any save hour', () => {
  it('the hour of a moment is the one whose span contains it, and its minutes left end at the next one’s start', () => {
    fc.assert(
      fc.property(clockAndMoment, ({ clock, moment }) => {
        const { date, hour, minutes_left, elapsed } = serverSaveTime(new Date(moment), clock);
        const from = instantOf(date, hour, clock).getTime();
        const until = instantOf(date, hour + 1, clock).getTime();
        expect(from).toBeLessThanOrEqual(moment);
        expect(moment).toBeLessThan(until);
        expect(minutes_left).toBeGreaterThan(0);
        expect(minutes_left).toBe(Math.ceil((until - moment) / 60_000));
        expect(elapsed).toBeGreaterThanOrEqual(0);
        expect(elapsed).toBeLessThan(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('hours follow each other without a gap, and no date or hour repeats', () => {
    fc.assert(
      fc.property(
        clockAndMoment,
        fc.integer({ min: 1, max: 48 * 3_600 }),
        ({ clock, moment }, seconds) => {
          const { date } = serverSaveTime(new Date(moment), clock);
          for (const day of [date, addDays(date, 1)]) {
            const begins = Array.from({ length: 25 }, (_, hour) =>
              instantOf(day, hour, clock).getTime(),
            );
            expect(begins).toEqual([...begins].sort((a, b) => a - b));
            expect(begins[24]).toBe(instantOf(addDays(day, 1), 0, clock).getTime());
          }
          const [before, after] = [moment, moment + seconds * 1_000].map((at) =>
            serverSaveTime(new Date(at), clock),
          );
          const inOrder = (time = before): string =>
            `${time?.date} ${String(time?.hour).padStart(2, '0')}`;
          expect(inOrder(before) <= inOrder(after)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('the instant of an hour', () => {
  const anyDate = fc.integer({ min: 0, max: 3000 }).map((days) => addDays('2024-01-01', days));
  const anyHour = fc.integer({ min: 0, max: 23 });

  it.each([PACIFIC, BERLIN, { ss_time_zone: 'Asia/Kolkata', ss_hour: 13 }])(
    'R8.3: is the instant at which that hour shows in $ss_time_zone',
    (clock) => {
      fc.assert(
        fc.property(anyDate, anyHour, (date, hour) => {
          const displayed = serverSaveTime(instantOf(date, hour, clock), clock);
          const skipped =
            instantOf(date, hour, clock).getTime() === instantOf(date, hour + 1, clock).getTime();
          const minutes = displayed.minutes_left;
          expect(displayed).toEqual({
            date,
            hour: skipped ? hour + 1 : hour,
            minutes_left: expect.toBeOneOf([60, 120]),
            elapsed: 0,
          });
          expect(minutes).toBe(
            (instantOf(date, displayed.hour + 1, clock).getTime() -
              instantOf(date, hour, clock).getTime()) /
              60_000,
          );
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it('is worked out once, and callers cannot change it', () => {
    const read = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    onTestFinished(() => read.mockRestore());
    const first = instantOf('2031-11-21', 9, PACIFIC);
    const reads = read.mock.calls.length;
    expect(reads).toBeGreaterThan(0);
    first.setTime(0);
    expect(begins('2031-11-21', 9)).toBe('2031-11-21T18:00:00.000Z');
    expect(read).toHaveBeenCalledTimes(reads);
    // Another hour, day, zone or server save has another instant.
    expect(begins('2031-11-21', 10)).toBe('2031-11-21T19:00:00.000Z');
    expect(begins('2031-11-22', 9)).toBe('2031-11-22T18:00:00.000Z');
    expect(begins('2031-11-21', 9, { ...PACIFIC, ss_hour: 10 })).toBe('2031-11-22T03:00:00.000Z');
    expect(begins('2031-11-21', 9, { ...PACIFIC, ss_time_zone: 'Europe/Berlin' })).toBe(
      '2031-11-21T09:00:00.000Z',
    );
  });

  it('of hour 24 is the next day’s first', () => {
    fc.assert(fc.property(anyDate, (date) => begins(date, 24) === begins(addDays(date, 1), 0)));
  });

  it('R8.3: is skipped once a year, and only on the day the clocks go forward', () => {
    const skipped = datesBetween('2026-01-01', '2026-12-31').flatMap((date) =>
      Array.from({ length: 24 }, (_, hour) => hour)
        .filter((hour) => isSkipped(date, hour, PACIFIC))
        .map((hour) => `${date} SS+${hour}`),
    );
    expect(skipped).toEqual(['2026-03-08 SS+1']);
  });
});

describe('dates', () => {
  it('are added across months, leap days and changes of the clocks', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(addDays('2026-03-08', 1)).toBe('2026-03-09');
    expect(addDays('2026-11-01', 1)).toBe('2026-11-02');
  });

  it('between two include both, and are none when the last is earlier', () => {
    expect(datesBetween('2026-02-27', '2026-03-01')).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    expect(datesBetween('2026-11-15', '2026-11-15')).toEqual(['2026-11-15']);
    expect(datesBetween('2026-11-15', '2026-11-14')).toEqual([]);
  });
});

describe('a time zone', () => {
  it('is one that this machine knows', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    expect(isTimeZone('Europe/Thais')).toBe(false);
    expect(isTimeZone('')).toBe(false);
  });

  it('has one spelling; an offset is none, though some programs take it for one', () => {
    expect(timeZoneName('europe/BERLIN')).toBe('Europe/Berlin');
    expect(timeZoneName('Etc/GMT+3')).toBe('Etc/GMT+3');
    expect(['+01:00', '-03:00', 'Europe/Thais', ''].map(timeZoneName)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('has a wall clock, which is read once a second', () => {
    const read = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    onTestFinished(() => read.mockRestore());
    const at = (ms: number, zone = 'UTC'): string => {
      const { date, hour, minute } = wallClock(new Date(Date.UTC(2031, 0, 2, 3, 4, 5, ms)), zone);
      return `${date} ${hour}:${minute}`;
    };
    expect([at(0), at(999), read.mock.calls.length]).toEqual([
      '2031-01-02 3:4',
      '2031-01-02 3:4',
      1,
    ]);
    expect([at(0, 'Asia/Kolkata'), at(1_000, 'Asia/Kolkata'), at(60_000, 'Asia/Kolkata')]).toEqual([
      '2031-01-02 8:34',
      '2031-01-02 8:34',
      '2031-01-02 8:35',
    ]);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('has a minute of the day, from 0 at midnight', () => {
    expect(minuteOfDay(new Date('2026-11-21T00:00:00Z'), 'UTC')).toBe(0);
    expect(minuteOfDay(new Date('2026-11-21T23:59:59Z'), 'UTC')).toBe(1_439);
    expect(minuteOfDay(new Date('2026-11-21T00:30:00Z'), 'Asia/Kolkata')).toBe(360);
  });
});
