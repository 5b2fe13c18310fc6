import { DomainError, type ErrorCode } from '../../../../../shared/errors.ts';
import { assertTimesValid } from '../../../../../shared/rules/edit-times.ts';
import { type HourRange, rangesOverlap } from '../../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';

/** The hours of a claim as its form holds them: what was typed. */
export interface TimesTyped {
  hour_start: string;
  hour_end: string;
}
const TIME_FIELDS = ['hour_start', 'hour_end'] as const;

export const typedOf = ({ hour_start, hour_end }: HourRange): TimesTyped => ({ hour_start: `${hour_start}`, hour_end: `${hour_end}` });

const hourOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

export const timesOf = ({ hour_start, hour_end }: TimesTyped): HourRange => ({
  hour_start: hourOf(hour_start),
  hour_end: hourOf(hour_end),
});

/** "08" and "8" are the same hour. */
export function differingTimes(before: TimesTyped, after: TimesTyped): (keyof TimesTyped)[] {
  return TIME_FIELDS.filter((field) => !Object.is(hourOf(before[field]), hourOf(after[field])));
}

export interface TimesRefusal {
  field: keyof TimesTyped;
  code: ErrorCode;
}

/** R4.13: what is wrong with the hours, and where; null: nothing. */
export function timesRefusal(times: HourRange): TimesRefusal | null {
  try {
    assertTimesValid(times);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isAtStart = error.code === 'times.startOutOfRange' || (error.code === 'times.invalid' && !Number.isInteger(times.hour_start));
    return { field: isAtStart ? 'hour_start' : 'hour_end', code: error.code };
  }
}

/** R4.7: the claims that hold some of the hours; a secondary claim holds none, and may wait on taken ones. */
export function inTheWay(claim: ClaimOnRespawn, times: HourRange, others: readonly ClaimOnRespawn[]): ClaimOnRespawn[] {
  if (claim.is_secondary_claim) return [];
  return others.filter((other) => !other.is_secondary_claim && rangesOverlap(times, other));
}
