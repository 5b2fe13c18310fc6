import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type QuietHours, quietUntil } from './quiet-hours.ts';

const MINUTE_MS = 60_000;

/** Another way to read a wall clock than the rule's. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function wallClock(at: number, timeZone: string): string {
  const known =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, hour: '2-digit', minute: '2-digit' });
  formatters.set(timeZone, known);
  return known.format(at);
}

/** The definition: the wall clock is between the two times, which may span midnight. */
function isQuiet(at: number, { quiet_from, quiet_until, time_zone }: QuietHours): boolean {
  if (quiet_from === null || quiet_until === null) return false;
  const now = wallClock(at, time_zone);
  return quiet_from < quiet_until
    ? now >= quiet_from && now < quiet_until
    : now >= quiet_from || now < quiet_until;
}

const time = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'UTC',
);
/** Around the days on which clocks are turned, and any. */
const instant = fc
  .oneof(
    fc
      .tuple(
        fc.constantFrom(
          '2026-03-08T10:00Z',
          '2026-11-01T09:00Z',
          '2026-03-29T01:00Z',
          '2026-10-25T01:00Z',
          '2026-04-04T15:00Z',
          '2026-10-03T15:30Z',
        ),
        fc.integer({ min: -30 * 60, max: 30 * 60 }),
      )
      .map(([turn, minutes]) => Date.parse(turn) + minutes * MINUTE_MS),
    fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2028-01-01') }),
  )
  .chain((at) => fc.nat(59_999).map((ms) => at + ms));

describe('R9.13: quiet hours', () => {
  it('end at the first minute at which the wall clock is no longer between their ends, however clocks are turned', () => {
    fc.assert(
      fc.property(time, time, zone, instant, (quiet_from, quiet_until, time_zone, at) => {
        fc.pre(quiet_from !== quiet_until);
        const quiet = { quiet_from, quiet_until, time_zone };
        const until = quietUntil(new Date(at), quiet);
        expect(until !== null).toBe(isQuiet(at, quiet));
        if (until === null) return;
        expect(until.getTime()).toBeGreaterThan(at);
        expect(isQuiet(until.getTime(), quiet)).toBe(false);
        for (let minute = at; minute < until.getTime(); minute += MINUTE_MS)
          expect(isQuiet(minute, quiet)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    // A night of usual length.
    ['Europe/Berlin', '22:00', '07:00', '2026-11-21T21:30:00Z', '2026-11-22T06:00:00.000Z'],
    ['Europe/Berlin', '22:00', '07:00', '2026-11-21T20:59:59Z', null],
    ['Europe/Berlin', '22:00', '07:00', '2026-11-22T06:00:00Z', null],
    // One hour shorter, and one longer.
    ['Europe/Berlin', '22:00', '07:00', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['Europe/Berlin', '22:00', '07:00', '2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
    // Its end does not come: the clock goes from 02:00 to 03:00.
    ['Europe/Berlin', '22:00', '02:30', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00.000Z'],
    // Its beginning does not come.
    ['Europe/Berlin', '02:30', '05:00', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00.000Z'],
    // 02:30 comes twice: it ends, and is quiet again from the second 02:00 on.
    ['Europe/Berlin', '22:00', '02:30', '2026-10-25T00:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '22:00', '02:30', '2026-10-25T01:00:00Z', '2026-10-25T01:30:00.000Z'],
  ])('in %s, from %s until %s, at %s: %s', (time_zone, quiet_from, quiet_until, at, until) => {
    expect(
      quietUntil(new Date(at), { time_zone, quiet_from, quiet_until })?.toISOString() ?? null,
    ).toBe(until);
  });

  it('are none where none are set', () => {
    for (const [quiet_from, quiet_until] of [
      [null, null],
      [null, '07:00'],
      ['22:00', null],
    ] as const)
      expect(quietUntil(new Date(), { time_zone: 'UTC', quiet_from, quiet_until })).toBeNull();
  });
});
