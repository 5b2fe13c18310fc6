import { DomainError } from '../errors.ts';
import type { HourRange } from './hours.ts';
import { HOURS_IN_DAY } from './server-save.ts';

/**
 * R4.13: the bounds of an admin's time edit. The voucher does not bound it; the occupancy rules do.
 * @throws DomainError times.*; an end past SS+24 gets the specification's own sentence for that
 */
export function assertTimesValid({ hour_start, hour_end }: HourRange): void {
  if (!Number.isInteger(hour_start) || !Number.isInteger(hour_end))
    throw new DomainError('times.invalid');
  if (hour_start < 0 || hour_start >= HOURS_IN_DAY) throw new DomainError('times.startOutOfRange');
  if (hour_end > HOURS_IN_DAY) throw new DomainError('times.exceedsDay');
  if (hour_end < 1) throw new DomainError('times.endOutOfRange');
  if (hour_end <= hour_start) throw new DomainError('times.endBeforeStart');
}
