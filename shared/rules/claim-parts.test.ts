import { describe, expect, it } from 'vitest';
import { aClaim } from '../test/a-claim.ts';
import { claimOnRespawns, respawnsOf, splitClaimsOf } from './claim-parts.ts';

const whole = aClaim({ id: 5 });
const split = aClaim({
  ...whole,
  hour_end: 12,
  is_split_claim: 1,
  split_parts: [
    { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2 },
    { part_number: 2, respawn_id: 2, hour_start: 20, duration: 1 },
  ],
});

describe('hours of a respawn that a claim holds', () => {
  it('is all of it, when it is whole', () => {
    expect(claimOnRespawns(whole)).toEqual([
      { ...whole, split_group_id: null, split_part_number: null },
    ]);
    expect(respawnsOf(whole)).toEqual([1]);
  });

  it('R5.1: is each part on its own respawn, when it is split, under the claim’s one id', () => {
    expect(claimOnRespawns(split)).toEqual([
      {
        ...split,
        respawn_id: 1,
        hour_start: 10,
        hour_end: 12,
        split_group_id: 5,
        split_part_number: 1,
      },
      {
        ...split,
        respawn_id: 2,
        hour_start: 20,
        hour_end: 21,
        split_group_id: 5,
        split_part_number: 2,
      },
    ]);
    expect(respawnsOf(split)).toEqual([1, 2]);
  });

  it('“split_claims (parts with split_group_id and split_part_number)”: lists both parts of a split claim, and none of a whole one', () => {
    expect(splitClaimsOf(split)).toEqual([
      { split_group_id: 5, split_part_number: 1, respawn_id: 1, hour_start: 10, hour_end: 12 },
      { split_group_id: 5, split_part_number: 2, respawn_id: 2, hour_start: 20, hour_end: 21 },
    ]);
    expect(splitClaimsOf(whole)).toBeUndefined();
  });

  it('names a respawn once that has both parts', () => {
    expect(
      respawnsOf({
        ...split,
        split_parts: split.split_parts.map((part) => ({ ...part, respawn_id: 1 })),
      }),
    ).toEqual([1]);
  });
});
