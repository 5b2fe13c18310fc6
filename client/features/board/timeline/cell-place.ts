import type { CSSProperties } from 'react';
import type { HourRange } from '../../../../shared/rules/hours.ts';

/** The first column has the spots' names, and columns count from one. */
const COLUMNS_BEFORE = 2;

/** Where the cell of some hours stands in its row, for the eye and for screen readers. */
export function cellPlace({ hour_start, hour_end }: HourRange): {
  role: 'gridcell';
  'aria-colindex': number;
  'aria-colspan': number;
  style: CSSProperties;
} {
  return {
    role: 'gridcell',
    'aria-colindex': hour_start + COLUMNS_BEFORE,
    'aria-colspan': hour_end - hour_start,
    style: { gridColumn: `${hour_start + COLUMNS_BEFORE} / ${hour_end + COLUMNS_BEFORE}` },
  };
}
