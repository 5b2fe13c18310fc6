import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MissedClaim } from '../schemas/missed-claim.ts';
import { refusalIn } from '../test/refusal-in.ts';
import { DATE, factsOf, inputOf } from '../test/submission-facts.ts';
import { countMissed, type MissedRules, missedPause } from './missed-claims.ts';
import { planSubmission } from './submission.ts';

const rules: MissedRules = {
  confirm_enabled: 1,
  no_show_limit: 3,
  no_show_days: 14,
  no_show_pause_days: 3,
};
const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-21T19:10:00.000Z');
const at = (days: number): Date => new Date(START + days * DAY_MS);
/** A claim missed so many days after the start. */
const missedOn = (days: number, fields: Partial<MissedClaim> = {}): MissedClaim => ({
  claim_id: Math.round(days * 1_000) + 1_000_000,
  date: DATE,
  ended_at: at(days).toISOString(),
  ...fields,
});
const pause = (missed: MissedClaim[], days: number, change: Partial<MissedRules> = {}) =>
  missedPause(missed, { ...rules, ...change }, at(days));

describe('R9.29: missed claims', () => {
  const three = [missedOn(0), missedOn(5), missedOn(10)];

  it('keep a character from claiming from the limit on, until days after the latest', () => {
    expect(pause(three.slice(1), 10)).toBeNull();
    expect(pause(three, 10)).toEqual({ count: 3, days: 14, until: at(13).toISOString() });
    expect(pause(three, 12.99)).not.toBeNull();
    expect(pause(three, 13)).toBeNull();
    expect(pause([...three].reverse(), 10)).toEqual(pause(three, 10));
  });

  it('count within the days before the latest alone', () => {
    expect(pause([missedOn(0), missedOn(5), missedOn(14)], 14)).toBeNull();
    expect(pause([missedOn(0), missedOn(5), missedOn(13.9)], 14)).toMatchObject({ count: 3 });
  });

  it('a pause lasts to its end, though some are older by then, and though a later one is too few', () => {
    const long = { no_show_pause_days: 30 };
    expect(pause(three, 39.9, long)).toMatchObject({ until: at(40).toISOString() });
    expect(pause([...three, missedOn(30)], 35, long)).toMatchObject({
      until: at(40).toISOString(),
    });
    expect(pause(three, 40, long)).toBeNull();
  });

  it('another one in the pause makes it longer', () => {
    expect(pause([...three, missedOn(11)], 12)).toEqual({
      count: 4,
      days: 14,
      until: at(14).toISOString(),
    });
  });

  it('of a split claim count once a date', () => {
    const parts = [missedOn(0, { claim_id: 7 }), missedOn(0.2, { claim_id: 7 })];
    expect(pause([...parts, missedOn(1)], 1)).toBeNull();
    expect(countMissed(parts, rules, at(1))).toBe(1);
    expect(pause([...parts, missedOn(1), missedOn(2)], 2)).toMatchObject({ count: 3 });
  });

  it('have no consequence without a limit, or while claims need no confirmation', () => {
    expect(pause(three, 10, { no_show_limit: 0 })).toBeNull();
    expect(pause(three, 10, { confirm_enabled: 0 })).toBeNull();
  });

  it('refuse the member’s submission with count, days and end, not an admin’s', () => {
    const facts = factsOf({ pause: pause(three, 10) });
    const refused = refusalIn(() => planSubmission([inputOf()], facts));
    expect(refused).toEqual({
      code: 'claim.missedTooMany',
      params: { count: 3, days: 14, until: at(13).toISOString() },
    });
    expect(planSubmission([inputOf()], { ...facts, submitter: { role: 'admin' } })).toHaveLength(1);
  });

  it('one fewer never makes a pause longer, and a pause never begins without a no-show', () => {
    const some = fc.array(fc.integer({ min: -40, max: 0 }), { maxLength: 12 });
    const change = fc.record({
      no_show_limit: fc.integer({ min: 1, max: 10 }),
      no_show_days: fc.integer({ min: 1, max: 90 }),
      no_show_pause_days: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(some, change, fc.nat(), (days, settings, nth) => {
        const missed = days.map((day, id) => missedOn(day, { claim_id: id + 1 }));
        const all = pause(missed, 0, settings)?.until ?? '';
        const fewer = missed.filter((_, index) => index !== nth % Math.max(1, missed.length));
        expect((pause(fewer, 0, settings)?.until ?? '') <= all).toBe(true);
        if (all !== '')
          expect(missed.map(({ ended_at }) => Date.parse(ended_at))).toContain(
            Date.parse(all) - settings.no_show_pause_days * DAY_MS,
          );
      }),
      { numRuns: 500 },
    );
  });
});
