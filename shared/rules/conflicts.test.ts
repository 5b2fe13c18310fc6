import { describe, expect, it } from 'vitest';
import type { ClaimInput } from '../schemas/claim.ts';
import { refusalIn } from '../test/refusal-in.ts';
import { DATE, eventOf, factsOf, inputOf, typeOf } from '../test/submission-facts.ts';
import {
  assertCharacterIsFree,
  assertHoursAreFree,
  type HeldDay,
  type TakenRange,
} from './conflicts.ts';
import { type PlannedClaim, planSubmission, type SubmissionFacts } from './submission.ts';

function planned(
  input: Partial<ClaimInput> = {},
  facts: Partial<SubmissionFacts> = {},
): PlannedClaim {
  const [claim] = planSubmission([inputOf(input)], factsOf(facts));
  if (!claim) throw new Error('nothing was planned');
  return claim;
}
const taken = (
  hour_start: number,
  hour_end: number,
  fields: Partial<TakenRange> = {},
): TakenRange => ({
  respawn_id: 1,
  date: DATE,
  hour_start,
  hour_end,
  ...fields,
});
const hoursRefusal = (claim: PlannedClaim, ...held: TakenRange[]) =>
  refusalIn(() => assertHoursAreFree(claim, held));

describe('R4.7: hours that a claim may take', () => {
  it('R2.3: touching ends do not conflict, on either side', () => {
    expect(hoursRefusal(planned(), taken(6, 10), taken(14, 18))).toBeNull();
  });

  it('R4.8: a taken hour is refused, naming the requested start', () => {
    expect(hoursRefusal(planned(), taken(13, 15))).toEqual({
      code: 'claim.timeConflict',
      params: { date: DATE, hour: 10 },
    });
  });

  it('the same hours of another respawn or date are free', () => {
    expect(
      hoursRefusal(
        planned(),
        taken(10, 14, { respawn_id: 2 }),
        taken(10, 14, { date: '2026-11-22' }),
      ),
    ).toBeNull();
  });

  it('a claim of a single_claim event is refused for a conflict on any of its dates', () => {
    const claim = planned({}, { active_event: eventOf({ type: 'single_claim' }) });
    const last = taken(10, 11, { date: '2026-11-28' });
    expect(hoursRefusal(claim, last)).toEqual({
      code: 'claim.timeConflictInEvent',
      params: { date: '2026-11-28', hour: 10 },
    });
    expect(hoursRefusal(claim, taken(10, 11, { date: '2026-11-29' }))).toBeNull();
  });

  it('a split claim names the part that fails', () => {
    const split_parts = [
      { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: 2, hour_start: 14, duration: 2 },
    ];
    const claim = planned({ is_split_claim: 1, split_parts });
    const params = { date: DATE, hour: 14, part: 2 };
    expect(hoursRefusal(claim, taken(15, 16, { respawn_id: 2 }))).toEqual({
      code: 'split.timeConflict',
      params,
    });
    expect(hoursRefusal(claim, taken(10, 12, { respawn_id: 2 }), taken(14, 16))).toBeNull();
    const inEvent = planned(
      { is_split_claim: 1, split_parts },
      { active_event: eventOf({ type: 'single_claim' }) },
    );
    expect(hoursRefusal(inEvent, taken(15, 16, { respawn_id: 2 }))).toEqual({
      code: 'split.timeConflictInEvent',
      params,
    });
  });
});

describe('R4.6: the character’s own claims', () => {
  const held: HeldDay = { date: DATE, respawn_name: 'Asura Palace', hour_start: 2, hour_end: 6 };
  const refusal = (claim: PlannedClaim, ...days: HeldDay[]) =>
    refusalIn(() => assertCharacterIsFree(claim, days));

  it('one on the same date conflicts, on any respawn and hour, and is listed', () => {
    expect(refusal(planned(), held)).toMatchObject({
      code: 'claim.characterHasClaim',
      params: { date: DATE, character_name: 'Bubble', claims: [held] },
    });
  });

  it('one on another date is not', () => {
    expect(refusal(planned(), { ...held, date: '2026-11-22' })).toBeNull();
  });

  it('one on any date of a single_claim event is', () => {
    const claim = planned({}, { active_event: eventOf({ type: 'single_claim' }) });
    expect(refusal(claim, { ...held, date: '2026-11-28' })).toMatchObject({
      params: { date: '2026-11-28' },
    });
    expect(refusal(claim, { ...held, date: '2026-11-29' })).toBeNull();
  });
});

describe('R5.6: a secondary claim', () => {
  it('may wait on a taken hour, and its character’s primary claim is not in its way', () => {
    const facts = factsOf({ member_type: typeOf({ member_type: 'elite' }) });
    const [, waiting] = planSubmission(
      [inputOf(), inputOf({ respawn_id: 2, is_secondary_claim: 1 })],
      facts,
    );
    if (!waiting) throw new Error('no secondary claim was planned');
    expect(hoursRefusal(waiting, taken(10, 14, { respawn_id: 2 }))).toBeNull();
    expect(
      refusalIn(() =>
        assertCharacterIsFree(waiting, [
          { date: DATE, respawn_name: 'Here', hour_start: 10, hour_end: 14 },
        ]),
      ),
    ).toBeNull();
  });
});
