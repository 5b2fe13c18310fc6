import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Rows that are there above and below the view, so that Tab finds the next one, and a fast scroll no white page. */
const AROUND = 12;

export interface ListWindow {
  /** The rows that are there, from the top, each with the height of what is left out before it, in pixels. */
  places: readonly { index: number; gap: number }[];
  gapAfter: number;
  measure: (row: HTMLElement | null) => void;
  onFocus: (key: string) => void;
  onBlur: () => void;
}

/**
 * Which rows of a long list are there while the page scrolls: those in view and around it, and the one that has the
 * focus. When that one is taken away, the list's own place gets the focus.
 * @param box around the list; something around it can take the focus
 * @param keys of the rows, in order
 * @param estimate how high a row is until it is measured, in pixels
 * @param headOf the row under whose heading a row stands: it is there, too, so that it can stick to the top
 */
export function useListWindow(
  box: RefObject<HTMLElement | null>,
  keys: readonly string[],
  estimate: (index: number) => number,
  headOf: (index: number) => number,
): ListWindow {
  // The virtualizer is one object that changes within: what is read from it may not be remembered.
  'use no memo';
  const focused = useRef<string | null>(null);
  const scrollMargin = useTop(box);
  const places = useMemo(() => new Map(keys.map((key, index) => [key, index])), [keys]);
  const rangeExtractor = useCallback(
    (range: Range): number[] => {
      const kept = focused.current === null ? undefined : places.get(focused.current);
      const always = [headOf(range.startIndex), ...(kept === undefined ? [] : [kept])];
      return [...new Set([...defaultRangeExtractor(range), ...always])].sort((a, b) => a - b);
    },
    [places, headOf],
  );
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: keys.length,
    estimateSize: estimate,
    // Where nothing is laid out, what it will be about.
    measureElement: (row) => row.getBoundingClientRect().height || estimate(Number(row.dataset.index)),
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    rangeExtractor,
    scrollMargin,
    overscan: AROUND,
  });
  // Where the browser itself holds on to what is in view, a second hand would only pull it away.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = CSS.supports('overflow-anchor', 'auto') ? () => false : undefined;

  useLayoutEffect(() => {
    if (focused.current === null || places.has(focused.current)) return;
    focused.current = null;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost) box.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }, [box, places]);

  let end = scrollMargin;
  const shown = virtualizer.getVirtualItems().map((item) => {
    const gap = item.start - end;
    end = item.end;
    return { index: item.index, gap };
  });
  return {
    places: shown,
    gapAfter: virtualizer.getTotalSize() + scrollMargin - end,
    measure: virtualizer.measureElement,
    onFocus: (key) => {
      focused.current = key;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}

/** How far the list is from the top of the page, in pixels; looked up anew whenever it is drawn. */
function useTop(box: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (box.current) setTop(Math.round(box.current.getBoundingClientRect().top + window.scrollY));
  });
  return top;
}
