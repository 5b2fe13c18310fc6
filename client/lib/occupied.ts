import type { OccupiedHours } from '../../shared/schemas/occupancy.ts';

/** Those of some dates; without any, all of them. */
export const occupiedIn = (
  hours: readonly OccupiedHours[] | undefined,
  dates: { first: string; last: string } | null,
): readonly OccupiedHours[] =>
  !hours || dates === null
    ? (hours ?? [])
    : hours.filter(
        ({ first_date, last_date }) => first_date <= dates.last && last_date >= dates.first,
      );

export const occupiedOn = (
  hours: readonly OccupiedHours[] | undefined,
  date: string,
): readonly OccupiedHours[] => occupiedIn(hours, { first: date, last: date });
