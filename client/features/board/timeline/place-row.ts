import type { CSSProperties } from 'react';

export interface RowPlace {
  /** Among all rows, from 0. */
  index: number;
  /** In pixels from the first row; null on paper, where rows follow each other. */
  top: number | null;
  height: number;
}

/** The heading of the hours is the first row. */
const ROWS_BEFORE = 2;
/** Rows on paper are lower: nobody taps them. */
const PAPER_SCALE = 0.68;

/** Where a row stands, for the eye and for screen readers: most of the others are not there. */
export function placeRow({ index, top, height }: RowPlace): { 'aria-rowindex': number; style: CSSProperties } {
  return { 'aria-rowindex': index + ROWS_BEFORE, style: top === null ? { minHeight: PAPER_SCALE * height } : { top, height } };
}
