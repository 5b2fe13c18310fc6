import { DomainError } from '../errors.ts';
import type { SplitPart } from '../schemas/claim.ts';
import { type HourRange, rangesOverlap, wouldExceedDay } from './hours.ts';

/** Start hours that the split form proposes (section 5 of the specification). */
export const DEFAULT_SPLIT_STARTS = [10, 14] as const;

/** R5.1: the halves of a voucher in whole hours, the longer first; null for a one-hour voucher, which cannot be split. */
export function defaultSplitDurations(voucher: number): readonly [number, number] | null {
  if (voucher < 2) return null;
  return [Math.ceil(voucher / 2), Math.floor(voucher / 2)];
}

/** When a part is: whether two parts fit together does not depend on where they are. */
export type PartTimes = Pick<SplitPart, 'part_number' | 'hour_start' | 'duration'>;

export function partRange(part: PartTimes): HourRange {
  return { hour_start: part.hour_start, hour_end: part.hour_start + part.duration };
}

/**
 * R5.1 to R5.4: two parts, within the voucher, within the day, not at the same time.
 * @throws DomainError naming the part that fails
 */
export function assertSplitFits(parts: readonly PartTimes[], voucher: number): void {
  if (voucher < 2) throw new DomainError('split.voucherTooShort');
  const [first, second] = parts;
  if (!first || !second || parts.length !== 2) throw new DomainError('split.twoParts');
  for (const part of [first, second]) {
    if (wouldExceedDay(part.hour_start, part.duration)) {
      throw new DomainError('split.exceedsDay', {
        part: part.part_number,
        hour: part.hour_start,
        duration: part.duration,
      });
    }
  }
  if (first.duration + second.duration > voucher)
    throw new DomainError('split.exceedsVoucher', { max: voucher });
  const a = partRange(first);
  const b = partRange(second);
  if (rangesOverlap(a, b)) {
    throw new DomainError('split.overlap', {
      first_start: a.hour_start,
      first_end: a.hour_end,
      second_start: b.hour_start,
      second_end: b.hour_end,
    });
  }
}
