import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import { assertTimesValid } from './edit-times.ts';

const refusal = (hour_start: number, hour_end: number) =>
  refusalIn(() => assertTimesValid({ hour_start, hour_end }))?.code ?? null;

describe('R4.13: an admin’s time edit', () => {
  it('may set any whole hours of the day, also more than a voucher', () => {
    expect([refusal(0, 1), refusal(23, 24), refusal(0, 24)]).toEqual([null, null, null]);
  });

  it.each([
    [-1, 4, 'times.startOutOfRange'],
    [24, 25, 'times.startOutOfRange'],
    [10, 25, 'times.exceedsDay'],
    [0, 0, 'times.endOutOfRange'],
    [10, 10, 'times.endBeforeStart'],
    [10, 9, 'times.endBeforeStart'],
    [10.5, 12, 'times.invalid'],
    [Number.NaN, 12, 'times.invalid'],
  ])('%d to %d is refused', (hour_start, hour_end, code) => {
    expect(refusal(hour_start, hour_end)).toBe(code);
  });
});
