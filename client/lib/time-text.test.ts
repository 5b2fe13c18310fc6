import i18next from 'i18next';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { ServerSaveClock } from '../../shared/rules/server-save.ts';
import { dayText, durationText, localTimeAt, midnightsIn, withDayTexts } from './time-text.ts';

it.each([
  ['2026-11-21', 'Sat 21 Nov'],
  ['2026-99-99', '2026-99-99'],
  ['soon', 'soon'],
  ['', ''],
])('%o reads %o: an invalid date breaks no page', (date, words) => {
  expect(dayText(date, 'en-GB').replace(',', '')).toBe(words);
});

const zoneBefore = process.env.TZ;
afterEach(() => {
  if (zoneBefore === undefined) delete process.env.TZ;
  else process.env.TZ = zoneBefore;
});

const PACIFIC: ServerSaveClock = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };
const BERLIN: ServerSaveClock = { ss_time_zone: 'Europe/Berlin', ss_hour: 10 };

/** The hours of a date in a time zone, "start to end". */
function inZone(
  here: string,
  clock: ServerSaveClock,
  date: string,
  start: number,
  end: number,
  language = 'en-GB',
): string {
  process.env.TZ = here;
  const viewer = { clock, locale: language, here };
  return `${localTimeAt(date, start, viewer)} to ${localTimeAt(date, end, viewer, start)}`;
}

describe('the day precedes the time unless it is the current one (21 November 2026 is a Saturday)', () => {
  test.each([
    ['America/Los_Angeles', PACIFIC, 14, 18, '15:00 to 19:00'],
    ['America/Los_Angeles', PACIFIC, 20, 24, '21:00 to Sun 01:00'],
    ['Europe/Berlin', PACIFIC, 10, 14, '20:00 to Sun 00:00'],
    ['Europe/Berlin', PACIFIC, 16, 19, 'Sun 02:00 to 05:00'],
    ['America/Sao_Paulo', PACIFIC, 17, 21, '23:00 to Sun 03:00'],
    ['Asia/Tokyo', PACIFIC, 4, 8, '22:00 to Sun 02:00'],
    ['Asia/Tokyo', PACIFIC, 0, 1, '18:00 to 19:00'],
    ['Pacific/Auckland', PACIFIC, 3, 24, 'Sun 01:00 to 22:00'],
    // West of the guild's zone the day begins on the day before.
    ['Pacific/Honolulu', BERLIN, 0, 4, 'Fri 23:00 to Sat 03:00'],
    ['Pacific/Honolulu', BERLIN, 1, 4, '00:00 to 03:00'],
    ['America/Los_Angeles', BERLIN, 23, 24, 'Sun 00:00 to 01:00'],
  ])('in %s by the clock of %o: SS+%i to SS+%i is %s', (here, clock, start, end, words) => {
    expect(inZone(here, clock, '2026-11-21', start, end)).toBe(words);
  });

  test.each([
    ['es', 'dom 02:00 to 05:00'],
    ['pt-BR', 'dom 02:00 to 05:00'],
  ])('in the words of %s, without a dot that would end the sentence', (language, words) => {
    expect(inZone('Europe/Berlin', PACIFIC, '2026-11-21', 16, 19, language)).toBe(words);
  });
});

describe('on the days on which the clocks change', () => {
  test.each([
    // Pacific clocks skip 2:00 on 8 March: SS+1 is the moment of 3:00, and so is SS+2.
    ['2026-03-08', 'America/Los_Angeles', 0, 2, '01:00 to 03:00'],
    ['2026-03-08', 'Europe/Berlin', 13, 14, '22:00 to 23:00'],
    ['2026-03-08', 'Europe/Berlin', 14, 15, '23:00 to Mon 00:00'],
    // The evening before Europe is still nine hours away.
    ['2026-03-07', 'Europe/Berlin', 14, 15, 'Sun 00:00 to 01:00'],
    // They have 1:00 twice on 1 November: SS+0 begins the first time and lasts two hours.
    ['2026-11-01', 'America/Los_Angeles', 0, 1, '01:00 to 02:00'],
    ['2026-11-01', 'Europe/Berlin', 0, 1, '09:00 to 11:00'],
    ['2026-11-01', 'Europe/Berlin', 13, 14, '23:00 to Mon 00:00'],
    ['2026-10-31', 'Europe/Berlin', 13, 14, '22:00 to 23:00'],
    // The viewer's own clocks: Europe's on 29 March and 25 October, within the SS day before.
    ['2026-03-28', 'Europe/Berlin', 15, 18, 'Sun 00:00 to 04:00'],
    ['2026-10-24', 'Europe/Berlin', 15, 18, 'Sun 01:00 to 03:00'],
  ])('%s in %s: SS+%i to SS+%i is %s', (date, here, start, end, words) => {
    expect(inZone(here, PACIFIC, date, start, end)).toBe(words);
  });

  test('by a clock that changes itself, for a viewer whose does not', () => {
    expect(inZone('Asia/Tokyo', BERLIN, '2026-03-28', 15, 16)).toBe('Sun 09:00 to 10:00');
    expect(inZone('Asia/Tokyo', BERLIN, '2026-03-29', 5, 7)).toBe('22:00 to Mon 00:00');
  });
});

describe('where the viewer’s day starts within a server-save date', () => {
  const inWords = (
    here: string,
    clock: ServerSaveClock,
    date: string,
    language = 'en-GB',
  ): string => {
    process.env.TZ = here;
    return midnightsIn(date, { clock, locale: language, here })
      .map(({ hour, name }) => `${name} at ${hour}`)
      .join(', ');
  };

  test.each([
    ['Europe/Berlin', PACIFIC, 'Sun at 14'],
    ['America/Los_Angeles', PACIFIC, 'Sun at 23'],
    // With the hours of the day before the name of that one.
    ['Pacific/Honolulu', BERLIN, 'Fri at 0, Sat at 1'],
    ['Pacific/Auckland', PACIFIC, 'Sun at 2'],
    // Half an hour off: between two hours.
    ['Asia/Kolkata', PACIFIC, 'Sun at 9.5'],
    ['Europe/London', { ss_time_zone: 'UTC', ss_hour: 0 }, ''],
  ])('in %s by the clock of %o: %s', (here, clock, words) => {
    expect(inWords(here, clock, '2026-11-21')).toBe(words);
  });

  // Havana skips midnight on 8 March and has it twice on 1 November; Beirut and Santiago skip it in spring, too.
  test.each([
    ['America/Havana', PACIFIC, '2026-03-07', 'Sun at 20'],
    ['America/Havana', PACIFIC, '2026-10-31', 'Sun at 20'],
    ['America/Havana', PACIFIC, '2026-11-01', 'Mon at 20'],
    ['Asia/Beirut', PACIFIC, '2026-03-28', 'Sun at 14'],
    ['Asia/Beirut', PACIFIC, '2026-10-24', 'Sun at 14'],
    ['America/Santiago', PACIFIC, '2026-09-05', 'Sun at 20'],
    // With a clock whose SS+0 lasts two hours, midnight is half way through it.
    [
      'America/Jamaica',
      { ss_time_zone: 'America/Havana', ss_hour: 0 },
      '2026-11-01',
      'Sat at 0, Sun at 0.5',
    ],
  ])(
    'in %s by the clock of %o on %s, where the clocks change at midnight: %s',
    (here, clock, date, words) => {
      expect(inWords(here, clock, date)).toBe(words);
    },
  );

  test('in the words of the language, also where the clocks change that night', () => {
    expect(inWords('Europe/Berlin', PACIFIC, '2026-10-24', 'pt-BR')).toBe('dom at 14');
    expect(inWords('Europe/Berlin', PACIFIC, '2026-03-28', 'es')).toBe('dom at 15');
  });
});

describe('dates inside a text', () => {
  test.each([
    ['en-GB', 'Kara, Library, Sat 21 Nov, SS+4-8; Sun 22 Nov'],
    ['es', 'Kara, Library, sáb 21 nov, SS+4-8; dom 22 nov'],
    ['pt-BR', 'Kara, Library, sáb 21 de nov, SS+4-8; dom 22 de nov'],
  ])('read as %s writes them', (language, words) => {
    const text = withDayTexts('Kara, Library, 2026-11-21, SS+4-8; 2026-11-22', language, 2026);
    expect(text.replace(/(Sat|Sun|sáb|dom)(\.?),/g, '$1$2')).toBe(words);
  });

  test('name the year where it is another one', () => {
    expect(withDayTexts('2027-01-02', 'en-GB', 2026).replace(',', '')).toBe('Sat 2 Jan 2027');
  });

  test('are dates only: times, numbers and other texts stay', () => {
    expect(withDayTexts('2026-99-01 12026-11-21 SS+4-8', 'en-GB', 2026)).toBe(
      '2026-99-01 12026-11-21 SS+4-8',
    );
  });
});

test.each([
  [0, '0 min'],
  [1, '1 min'],
  [40 * 60_000, '40 min'],
  [(5 * 60 + 14) * 60_000, '5 h 14 min'],
  [(5 * 60 + 4) * 60_000, '5 h 4 min'],
  [(53 * 60 + 1) * 60_000, '2 d 5 h'],
  [48 * 60 * 60_000, '2 d'],
  [-5, '0 min'],
])('%i ms reads %o', (ms, words) => {
  expect(durationText(i18next.t, ms)).toBe(words);
});
