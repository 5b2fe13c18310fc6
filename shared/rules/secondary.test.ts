import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import {
  assertSecondaryFits,
  mayClaimSecondary,
  SECONDARY_PRIORITY,
  secondaryEnd,
  secondaryFollows,
} from './secondary.ts';

describe('R5.5: permission for a secondary claim', () => {
  it('elite and vice, where the type allows it', () => {
    expect(mayClaimSecondary('elite', 1)).toBe(true);
    expect(mayClaimSecondary('vice', 1)).toBe(true);
    expect(mayClaimSecondary('elite', 0)).toBe(false);
    expect(mayClaimSecondary('vice', 0)).toBe(false);
  });

  it('no other type, even if it allows secondary claims', () => {
    expect(mayClaimSecondary('member', 1)).toBe(false);
    expect(mayClaimSecondary('leader', 1)).toBe(false);
  });
});

describe('R5.6: how long a secondary claim lasts', () => {
  it('as long as its primary', () => {
    expect(secondaryEnd(10, 3)).toBe(13);
    expect(secondaryEnd(20, 4)).toBe(24);
  });

  it('cut at SS+24', () => {
    expect(secondaryEnd(22, 4)).toBe(24);
    expect(secondaryEnd(23, 24)).toBe(24);
  });

  it('waits with priority 5', () => {
    expect(SECONDARY_PRIORITY).toBe(5);
  });
});

describe('R5.7: of a primary claim that is given other hours, it', () => {
  const secondary = { hour_start: 21, hour_end: 22 };
  const primary = { hour_start: 10, hour_end: 14 };

  it('lasts as long as that from then on, cut at SS+24, from where it starts', () => {
    expect(
      secondaryFollows(secondary, { before: primary, after: { hour_start: 10, hour_end: 12 } }, 0),
    ).toEqual({
      hour_start: 21,
      hour_end: 23,
    });
    expect(
      secondaryFollows(secondary, { before: primary, after: { hour_start: 2, hour_end: 10 } }, 21),
    ).toEqual({
      hour_start: 21,
      hour_end: 24,
    });
  });

  it('stays as it is where that lasts as long as before', () => {
    expect(
      secondaryFollows(secondary, { before: primary, after: { hour_start: 2, hour_end: 6 } }, 0),
    ).toEqual(secondary);
  });
});

describe('R5.7: past hours of a secondary claim', () => {
  const secondary = { hour_start: 6, hour_end: 10 };
  const primary = { hour_start: 12, hour_end: 16 };
  const shorter = { hour_start: 12, hour_end: 13 };
  const longer = { hour_start: 12, hour_end: 18 };
  it.each([
    [6, shorter, 7],
    [7, shorter, 7],
    [8, shorter, 8],
    [10, shorter, 10],
    [11, shorter, 10],
    [24, shorter, 10],
    [10, longer, 12],
    [11, longer, 10],
  ])('nothing changes: with %i hours started', (begun, after, hour_end) => {
    expect(secondaryFollows(secondary, { before: primary, after }, begun)).toEqual({
      hour_start: 6,
      hour_end,
    });
  });
});

describe('R5.6: where and when it waits', () => {
  const primary = [{ respawn_id: 1 }, { respawn_id: 2 }];
  const refusal = (claim: { respawn_id?: number | null; hour_start?: number | null }) =>
    refusalIn(() => assertSecondaryFits(claim, primary));

  it('any hour of the day, on another respawn than any part of the primary claim', () => {
    expect(refusal({ respawn_id: 3, hour_start: 0 })).toBeNull();
    expect(refusal({ respawn_id: 3, hour_start: 23 })).toBeNull();
    for (const respawn_id of [1, 2]) {
      expect(refusal({ respawn_id, hour_start: 10 })).toEqual({
        code: 'secondary.samePrimary',
        params: {},
      });
    }
  });

  it('needs a respawn', () => {
    expect(refusal({ hour_start: 10 })).toEqual({ code: 'secondary.respawnRequired', params: {} });
    expect(refusal({ respawn_id: 0, hour_start: 10 })).toEqual({
      code: 'secondary.respawnRequired',
      params: {},
    });
    expect(refusal({ respawn_id: null, hour_start: null })).toEqual({
      code: 'secondary.respawnRequired',
      params: {},
    });
  });

  it.each([undefined, null, -1, 24])('is refused at hour %s', (hour_start) => {
    expect(refusal({ respawn_id: 3, ...(hour_start === undefined ? {} : { hour_start }) })).toEqual(
      {
        code: 'secondary.hourOutOfRange',
        params: {},
      },
    );
  });
});
