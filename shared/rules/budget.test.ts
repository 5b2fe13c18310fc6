import { describe, expect, it } from 'vitest';
import type { Claim } from '../schemas/claim.ts';
import { aClaim } from '../test/a-claim.ts';
import { refusalIn } from '../test/refusal-in.ts';
import { DATE, factsOf, inputOf, typeOf } from '../test/submission-facts.ts';
import {
  assertWithinBudget,
  hoursInEvent,
  mostWithinBudget,
  type RequestedHours,
  requestedHours,
} from './budget.ts';
import { planSubmission } from './submission.ts';

const day = (date: string, hours: number): RequestedHours => ({ dates: [date], hours });
const refusal = (
  requested: RequestedHours[],
  max: [number | null, number | null],
  used: number | null,
) => {
  const budget = { max_hours_per_day: max[0], max_hours_per_event: max[1] };
  return refusalIn(() => assertWithinBudget(requested, budget, used === null ? null : { used }));
};

describe('R9.27: a budget for a day', () => {
  it('limits the requested hours on each date, and names it', () => {
    expect(refusal([day('2026-11-21', 3), day('2026-11-22', 3)], [3, null], null)).toBeNull();
    expect(refusal([day('2026-11-21', 3), day('2026-11-22', 4)], [3, null], null)).toEqual({
      code: 'budget.day',
      params: { limit: 3, left: 3, asked: 4, date: '2026-11-22' },
    });
  });
});

describe('R9.6: hours that may be offered within a budget', () => {
  it.each([
    [null, null, 100, 24],
    [3, null, null, 3],
    [null, 10, 7, 3],
    [null, 10, 12, 0],
    [null, 10, null, 24],
    [2, 10, 7, 2],
    [4, 10, 7, 3],
  ])(
    '%s hours a day and %s in an event, %s of them used: %s',
    (max_hours_per_day, max_hours_per_event, used, most) => {
      expect(
        mostWithinBudget(
          { max_hours_per_day, max_hours_per_event },
          used === null ? null : { used },
        ),
      ).toBe(most);
    },
  );
});

describe('R9.28: a budget for an event', () => {
  it('limits the requested hours plus existing ones; without an event there is no limit', () => {
    const requested = [day('2026-11-21', 4), day('2026-11-22', 4)];
    expect(refusal(requested, [null, 10], 2)).toBeNull();
    expect(refusal(requested, [null, 10], 3)).toEqual({
      code: 'budget.event',
      params: { limit: 10, left: 7, asked: 8 },
    });
    expect(refusal(requested, [null, 10], 12)?.params).toEqual({ limit: 10, left: 0, asked: 8 });
    expect(refusal(requested, [null, 1], null)).toBeNull();
    expect(refusal(requested, [null, null], 100)).toBeNull();
  });

  it('counts a claim of a whole event on each of its dates', () => {
    const dates = ['2026-11-21', '2026-11-22', '2026-11-23'];
    expect(refusal([{ dates, hours: 4 }], [4, 12], 0)).toBeNull();
    expect(refusal([{ dates, hours: 4 }], [4, 11], 0)?.params).toMatchObject({
      asked: 12,
      left: 11,
    });
  });

  it("counts a character's primary claims in it, ignoring case, and no holds", () => {
    const split_parts = [
      { part_number: 1, respawn_id: 1, hour_start: 1, duration: 2 },
      { part_number: 2, respawn_id: 2, hour_start: 5, duration: 1 },
    ];
    const event = { id: 7, start_time: '2026-11-20T10:00', end_time: '2026-11-22T10:00' };
    const hours = (...changes: Partial<Claim>[]) =>
      hoursInEvent(
        changes.map((change) => aClaim({ event_id: 7, character_name: 'Bubble', ...change })),
        ' bubble',
        event,
      );
    expect(hours({}, { is_split_claim: 1, split_parts })).toBe(7);
    expect(hours({ date: null })).toBe(12);
    expect(
      hours(
        { is_held: 1 },
        { event_id: 8 },
        { event_id: null },
        { is_secondary_claim: 1 },
        { character_name: 'Bubbles' },
      ),
    ).toBe(0);
  });
});

describe('R9.28: the hours of a submission', () => {
  it('are those of its primary claims, split ones with both parts', () => {
    const split_parts = [1, 2].map((number) => ({
      part_number: number,
      respawn_id: number,
      hour_start: 4 * number,
      duration: number,
    }));
    const planned = planSubmission(
      [
        inputOf(),
        inputOf({ respawn_id: 2, is_secondary_claim: 1 }),
        inputOf({ date: '2026-11-22', is_split_claim: 1, split_parts }),
      ],
      factsOf({ member_type: typeOf({ member_type: 'elite' }) }),
    );
    expect(requestedHours(planned)).toEqual([
      { dates: [DATE], hours: 4 },
      { dates: ['2026-11-22'], hours: 3 },
    ]);
  });
});
