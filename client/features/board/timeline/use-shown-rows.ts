import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { rangeWith } from '../../../ui/table/use-window-rows.ts';
import type { TimelineRow } from './timeline-rows.ts';

/** In pixels, as the style sheet draws them. */
const SPOT_HEIGHT = 44;
const HEADING_HEIGHT = 34;
const LANE_HEIGHT = 18;
/** Rows that are there above and below the view: a fast scroll shows no empty page. */
const AROUND = 10;

export interface ShownRow {
  row: TimelineRow;
  /** Among all rows, from 0. */
  index: number;
  /** In pixels from the first row; null on paper, where the rows follow each other. */
  top: number | null;
  height: number;
}

interface ShownRowsOptions {
  frame: RefObject<HTMLDivElement | null>;
  rows: readonly TimelineRow[];
  lanes: ReadonlyMap<number, number>;
  printing: boolean;
  /** Spots whose rows are there wherever the view is: the keyboard is on one, another is to be shown. */
  keep: readonly (number | undefined)[];
}

/** The rows in view and around it; on paper all of them. Their heights are known, so nothing is measured. */
export function useShownRows({ frame, rows, printing, lanes, keep }: ShownRowsOptions): {
  shown: readonly ShownRow[];
  height: number | undefined;
} {
  const heights = useMemo(
    () => rows.map((row) => (row.kind === 'heading' ? HEADING_HEIGHT : SPOT_HEIGHT + LANE_HEIGHT * (lanes.get(row.id) ?? 0))),
    [rows, lanes],
  );
  const top = useTopOf(frame);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heights[index] ?? SPOT_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    rangeExtractor: (range) => {
      const kept = rows.flatMap((row, index) => (row.kind === 'spot' && keep.includes(row.id) ? [index] : []));
      return rangeWith(range, kept);
    },
    scrollMargin: top,
    overscan: AROUND,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  useLayoutEffect(() => {
    void heights;
    virtualizer.measure();
  }, [virtualizer, heights]);
  if (printing) {
    return { shown: rows.map((row, index) => ({ row, index, top: null, height: heights[index] ?? SPOT_HEIGHT })), height: undefined };
  }
  const shown = virtualizer.getVirtualItems().flatMap(({ index, start, size }): ShownRow[] => {
    const row = rows[index];
    return row ? [{ row, index, top: start - top, height: size }] : [];
  });
  return { shown, height: virtualizer.getTotalSize() };
}

/** How far the rows are from the top of the page, in pixels; looked up anew whenever the page's height changes, or they are drawn. */
function useTopOf(frame: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const look = useCallback(() => {
    const page = document.documentElement.getBoundingClientRect().top;
    if (frame.current) setTop(Math.round(frame.current.getBoundingClientRect().top - page));
  }, [frame]);
  useLayoutEffect(look);
  // What unfolds above them renders none of them.
  useEffect(() => {
    const watch = new ResizeObserver(look);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, [look]);
  return top;
}
