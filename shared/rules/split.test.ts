import { describe, expect, it } from 'vitest';
import type { SplitPart } from '../schemas/claim.ts';
import { refusalIn } from '../test/refusal-in.ts';
import { assertSplitFits, DEFAULT_SPLIT_STARTS, defaultSplitDurations } from './split.ts';

const part = (part_number: number, hour_start: number, duration: number): SplitPart => ({
  part_number,
  respawn_id: part_number,
  hour_start,
  duration,
});
const refusal = (parts: SplitPart[], voucher = 4) =>
  refusalIn(() => assertSplitFits(parts, voucher));

describe('R5.1: two parts', () => {
  it.each([
    [2, [1, 1]],
    [3, [2, 1]],
    [4, [2, 2]],
    [5, [3, 2]],
    [24, [12, 12]],
  ])('a voucher of %i hours is halved in whole hours, the longer first', (voucher, halves) => {
    expect(defaultSplitDurations(voucher)).toEqual(halves);
  });

  it('a one-hour voucher cannot be split', () => {
    expect(defaultSplitDurations(1)).toBeNull();
    expect(refusal([part(1, 10, 1), part(2, 14, 1)], 2)).toBeNull();
    expect(refusal([part(1, 10, 1), part(2, 14, 1)], 1)).toEqual({
      code: 'split.voucherTooShort',
      params: {},
    });
  });

  it('start at SS+10 and SS+14 by default', () => {
    expect(DEFAULT_SPLIT_STARTS).toEqual([10, 14]);
  });

  it.each([0, 1, 3])('%i parts are refused', (count) => {
    const parts = [part(1, 1, 1), part(2, 5, 1), part(3, 10, 1)].slice(0, count);
    expect(refusal(parts)).toEqual({ code: 'split.twoParts', params: {} });
  });
});

describe('R5.2: the parts together', () => {
  it('may use up the voucher, however they share it', () => {
    expect(refusal([part(1, 10, 2), part(2, 14, 2)])).toBeNull();
    expect(refusal([part(1, 10, 3), part(2, 14, 1)])).toBeNull();
  });

  it('last no longer than it', () => {
    expect(refusal([part(1, 10, 3), part(2, 14, 2)])).toEqual({
      code: 'split.exceedsVoucher',
      params: { max: 4 },
    });
  });
});

describe('R5.3: the end of the day', () => {
  it('a part may end at SS+24', () => {
    expect(refusal([part(1, 10, 2), part(2, 22, 2)])).toBeNull();
  });

  it('a part that would pass it is named', () => {
    expect(refusal([part(1, 10, 2), part(2, 23, 2)])).toEqual({
      code: 'split.exceedsDay',
      params: { part: 2, hour: 23, duration: 2 },
    });
    expect(refusal([part(1, 23, 2), part(2, 23, 2)])).toMatchObject({ params: { part: 1 } });
  });
});

describe('R5.4: a player cannot be in two places at the same time', () => {
  it('parts that overlap are refused, also on different respawns', () => {
    const params = { first_start: 10, first_end: 12, second_start: 11, second_end: 13 };
    expect(refusal([part(1, 10, 2), part(2, 11, 2)])).toEqual({
      code: 'split.overlap',
      params,
    });
    expect(
      refusal([
        { ...part(1, 10, 2), respawn_id: 7 },
        { ...part(2, 11, 2), respawn_id: 7 },
      ]),
    ).toEqual({
      code: 'split.overlap',
      params,
    });
  });

  it('touching ends do not overlap, and the second part may come first in the day', () => {
    expect(
      refusal([
        { ...part(1, 10, 2), respawn_id: 7 },
        { ...part(2, 12, 2), respawn_id: 7 },
      ]),
    ).toBeNull();
    expect(refusal([part(1, 12, 2), part(2, 10, 2)])).toBeNull();
  });
});
