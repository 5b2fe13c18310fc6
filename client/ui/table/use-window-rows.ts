import { defaultRangeExtractor, type Range, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback } from 'react';

/** Rows that are there above and below the view, so that Tab finds the next one, and a fast scroll no white page. */
const AROUND = 12;

export interface WindowRowsOptions {
  /** Of all rows, in order. */
  keys: readonly string[];
  /** How far the first row is from the top of the page, in pixels. */
  top: number;
  /** How high a row is until it is measured, in pixels. */
  estimate: (index: number) => number;
  /** Rows that are there wherever the view is, given the first one in view. */
  always: (first: number) => readonly number[];
  /** All rows are there. */
  whole?: boolean;
  /** What the browser itself holds in view is not pulled at by a second hand. */
  leaveScroll?: boolean;
}

export interface WindowRows {
  /** The rows that are there, from the top, each with the height of what is left out before it, in pixels. */
  places: readonly { index: number; gap: number }[];
  gapAfter: number;
  measure: (row: HTMLElement | null) => void;
  virtualizer: Virtualizer<Window, HTMLElement>;
}

const stay = (): boolean => false;

/** What is in view and around it, and what is there always. */
export const rangeWith = (range: Range, always: readonly number[]): number[] =>
  [...new Set([...defaultRangeExtractor(range), ...always])].sort((a, b) => a - b);

/** Which rows of a long list are there while the page scrolls: those in view and around it; they are measured as they come. */
export function useWindowRows({ keys, top, estimate, always, whole = false, leaveScroll = false }: WindowRowsOptions): WindowRows {
  // The virtualizer is one object that changes within: what is read from it may not be remembered.
  'use no memo';
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    enabled: !whole,
    count: whole ? 0 : keys.length,
    estimateSize: estimate,
    // Not laid out yet, or not at all: what it will be about.
    measureElement: (row) => row.getBoundingClientRect().height || estimate(Number(row.dataset.index)),
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    rangeExtractor: (range) => rangeWith(range, always(range.startIndex)),
    scrollMargin: top,
    overscan: AROUND,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = leaveScroll ? stay : undefined;
  const { measureElement: measure } = virtualizer;
  if (whole) return { virtualizer, measure, places: keys.map((_, index) => ({ index, gap: 0 })), gapAfter: 0 };
  let end = top;
  const places = virtualizer.getVirtualItems().map((item) => {
    const gap = item.start - end;
    end = item.end;
    return { index: item.index, gap };
  });
  return { virtualizer, measure, places, gapAfter: virtualizer.getTotalSize() + top - end };
}
