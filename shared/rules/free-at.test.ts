import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import { DATE, factsOf, inputOf, typeOf } from '../test/submission-facts.ts';
import { hoursOver } from './claim-time.ts';
import { assertHoursAreFree } from './conflicts.ts';
import { type FreeAt, fitsAt, nextShorter, roomAt } from './free-at.ts';
import type { HourRange } from './hours.ts';
import { planSubmission } from './submission.ts';

const range = (hour_start: number, hour_end: number): HourRange => ({ hour_start, hour_end });
const place = (hour_start: number, duration: number): FreeAt => ({ hour_start, duration });

describe('R2.5: free at SS+16 for 4 h', () => {
  it('is a spot with all of these hours free: adjacent claims do not conflict', () => {
    expect(roomAt(place(16, 4), [], 0)).toBe(4);
    expect(roomAt(place(16, 4), [range(12, 16), range(20, 24)], 0)).toBe(4);
    expect(roomAt(place(16, 4), [range(19, 20)], 0)).toBe(3);
    expect(roomAt(place(16, 4), [range(12, 17)], 0)).toBe(0);
    expect(fitsAt(place(16, 4), 4)).toBe(true);
    expect(fitsAt(place(16, 4), 3)).toBe(false);
  });

  it('ends with the day: hours past SS+24 do not match, hours up to it do', () => {
    expect(roomAt(place(20, 4), [], 0)).toBe(4);
    expect(roomAt(place(22, 4), [], 0)).toBe(2);
    expect(roomAt(place(23, 1), [], 0)).toBe(1);
    expect(roomAt(place(0, 24), [], 0)).toBe(24);
    expect(roomAt(place(1, 24), [], 0)).toBe(23);
  });

  it('starts in the running hour or later; nothing matches on a past day, except for an admin', () => {
    const now = { today: '2026-11-21', hour: 16, may_enter_past: false };
    const on = (date: string, hour: number, may_enter_past = false): number =>
      roomAt(place(hour, 4), [], hoursOver(date, { ...now, may_enter_past }));
    expect([on('2026-11-21', 16), on('2026-11-21', 15), on('2026-11-22', 15)]).toEqual([4, 0, 4]);
    expect([on('2026-11-20', 20), on('2026-11-20', 20, true)]).toEqual([0, 4]);
  });

  it('is exactly what the server accepts of that length, if it starts in time', () => {
    const hour = fc.integer({ min: 0, max: 23 });
    const taken = fc.array(
      fc
        .tuple(hour, fc.integer({ min: 1, max: 6 }))
        .map(([start, length]) => range(start, Math.min(24, start + length))),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        hour,
        fc.integer({ min: 1, max: 24 }),
        taken,
        hour,
        (start, duration, held, over) => {
          const facts = factsOf({
            member_type: typeOf({ voucher_duration_hours: 24 }),
            hour: over,
          });
          const refused = refusalIn(() => {
            const [plan] = planSubmission([inputOf(range(start, start + duration))], facts);
            if (plan)
              assertHoursAreFree(
                plan,
                held.map((each) => ({ ...each, respawn_id: 1, date: DATE })),
              );
          });
          const wanted = place(start, duration);
          expect(fitsAt(wanted, roomAt(wanted, held, over))).toBe(
            refused === null && start >= over,
          );
        },
      ),
    );
  });
});

describe('where none fits', () => {
  it('the longest time that some have is named, and how many have it', () => {
    expect(nextShorter([0, 3, 1, 3])).toEqual({ duration: 3, count: 2 });
    expect(nextShorter([1])).toEqual({ duration: 1, count: 1 });
  });

  it('and nothing where none has an hour', () => {
    expect(nextShorter([0, 0])).toBeNull();
    expect(nextShorter([])).toBeNull();
  });
});
