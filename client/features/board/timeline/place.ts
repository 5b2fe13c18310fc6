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

export interface RowPlace {
  /** Among all rows, from 0. */
  index: number;
  /** In pixels from the first row; null on paper, where rows follow each other. */
  top: number | null;
  height: number;
}

/** The heading of the hours is the first row. */
const ROWS_BEFORE = 2;

/** Where a row stands, for the eye and for screen readers: most of the others are not there. */
export function placeRow({ index, top, height }: RowPlace): { 'aria-rowindex': number; style: CSSProperties } {
  return { 'aria-rowindex': index + ROWS_BEFORE, style: top === null ? paperRow(height) : { top, height } };
}

/** On paper the style sheet decides how much of the height a row needs: nobody taps there. */
const paperRow = (height: number): CSSProperties => ({ '--height': `${height}px` }) as CSSProperties;
