import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { useCallback } from 'react';

/** Rows rendered above and below the view, so that Tab finds the next row and a fast scroll shows no white page. */
const OVERSCAN = 12;

export interface WindowRowsOptions {
  /** One for each row, in order. */
  keys: readonly string[];
  /** Distance of the first row from the top of the page, in pixels. */
  top: number;
  /** Height of a row that is not measured yet, in pixels. */
  estimate: (index: number) => number;
  /** Rows to render wherever the view is, given the first row in view. */
  always: (first: number) => readonly number[];
  /** Renders all rows. */
  whole?: boolean;
  leaveScroll?: boolean;
}

export interface WindowRows {
  /** The rows to render, each with the height of the gap before it, in pixels. */
  places: readonly { index: number; gap: number }[];
  gapAfter: number;
  measure: (row: HTMLElement | null) => void;
  virtualizer: Virtualizer<Window, HTMLElement>;
}

const stay = (): boolean => false;

/** The rows in view and around it, and those that are always rendered. */
export const rangeWith = (range: Range, always: readonly number[]): number[] =>
  [...new Set([...defaultRangeExtractor(range), ...always])].sort((a, b) => a - b);

/** Chooses the rows of a long list to render while the page scrolls, and measures them as they are rendered. */
export function useWindowRows({
  keys,
  top,
  estimate,
  always,
  whole = false,
  leaveScroll = false,
}: WindowRowsOptions): WindowRows {
  // The virtualizer is one mutable object: nothing read from it may be memoized.
  'use no memo';
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    enabled: !whole,
    count: whole ? 0 : keys.length,
    estimateSize: estimate,
    // A row without a layout has no height: use the estimate.
    measureElement: (row) =>
      row.getBoundingClientRect().height || estimate(Number(row.dataset.index)),
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    rangeExtractor: (range) => rangeWith(range, always(range.startIndex)),
    scrollMargin: top,
    overscan: OVERSCAN,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = leaveScroll ? stay : undefined;
  const { measureElement: measure } = virtualizer;
  if (whole)
    return {
      virtualizer,
      measure,
      places: keys.map((_, index) => ({ index, gap: 0 })),
      gapAfter: 0,
    };
  let end = top;
  const places = virtualizer.getVirtualItems().map((item) => {
    const gap = item.start - end;
    end = item.end;
    return { index: item.index, gap };
  });
  return { virtualizer, measure, places, gapAfter: virtualizer.getTotalSize() + top - end };
}
