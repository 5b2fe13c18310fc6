import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { rangeWith } from '../../../ui/table/use-window-rows.ts';
import type { BoardView } from '../board-view.ts';

export type TimelineRow =
  | {
      kind: 'heading';
      key: string;
      id: string;
      name: string | null;
      claimed: number | null;
      count: number;
    }
  | { kind: 'spot'; key: string; id: number };

const spotRow = (id: number): TimelineRow => ({ kind: 'spot', key: String(id), id });

/**
 * The rows from top to bottom. Within a category spots are by name, claimed or not, so that a claim never moves a row under the pointer.
 */
export function timelineRows({
  sections,
  ids,
}: Pick<BoardView, 'sections' | 'ids'>): TimelineRow[] {
  if (!sections) return ids.map(spotRow);
  return sections.flatMap((section): TimelineRow[] => {
    const { id, name, ids } = section;
    const counts = {
      claimed: section.isFiltered ? null : section.claimed.length,
      count: ids.length,
    };
    return [
      { kind: 'heading', key: `category ${id}`, id: String(id), name, ...counts },
      ...ids.map(spotRow),
    ];
  });
}

/** In pixels, as the style sheet draws them. */
const SPOT_HEIGHT = 44;
const HEADING_HEIGHT = 34;
const LANE_HEIGHT = 18;
/** Rows rendered beyond the view, so that fast scrolling shows no blank. */
const OVERSCAN = 10;

interface ShownRow {
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
  /** Spots and headings that are always rendered: the focused one, and those to scroll to. */
  keep: readonly (number | string | null | undefined)[];
}

/** The rows in and around the view; when printing, all. Heights are known, so none is measured. */
export function useShownRows({ frame, rows, printing, lanes, keep }: ShownRowsOptions): {
  visibleRows: readonly ShownRow[];
  height: number | undefined;
} {
  const heights = useMemo(
    () =>
      rows.map((row) =>
        row.kind === 'heading'
          ? HEADING_HEIGHT
          : SPOT_HEIGHT + LANE_HEIGHT * (lanes.get(row.id) ?? 0),
      ),
    [rows, lanes],
  );
  const top = useTopOf(frame);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heights[index] ?? SPOT_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    rangeExtractor: (range) => {
      const kept = rows.flatMap((row, index) => (keep.includes(row.id) ? [index] : []));
      return rangeWith(range, kept);
    },
    scrollMargin: top,
    overscan: OVERSCAN,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  useLayoutEffect(() => {
    void heights;
    virtualizer.measure();
  }, [virtualizer, heights]);
  if (printing) {
    return {
      visibleRows: rows.map((row, index) => ({
        row,
        index,
        top: null,
        height: heights[index] ?? SPOT_HEIGHT,
      })),
      height: undefined,
    };
  }
  const visibleRows = virtualizer
    .getVirtualItems()
    .flatMap(({ index, start, size }): ShownRow[] => {
      const row = rows[index];
      return row ? [{ row, index, top: start - top, height: size }] : [];
    });
  return { visibleRows, height: virtualizer.getTotalSize() };
}

/** The rows' distance from the top of the page, in pixels; measured again when the page's height changes. */
function useTopOf(frame: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const look = useCallback(() => {
    const page = document.documentElement.getBoundingClientRect().top;
    if (frame.current) setTop(Math.round(frame.current.getBoundingClientRect().top - page));
  }, [frame]);
  useLayoutEffect(look);
  // Content that unfolds above re-renders no row.
  useEffect(() => {
    const watch = new ResizeObserver(look);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, [look]);
  return top;
}

/** The first column has the spots' names, and columns count from one. */
const COLUMNS_BEFORE = 2;

/** Position of a cell in its row, also for screen readers. */
export function cellProps({ hour_start, hour_end }: HourRange): {
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

export interface RowPosition {
  /** Among all rows, from 0. */
  index: number;
  /** In pixels from the first row; null on paper, where rows follow each other. */
  top: number | null;
  height: number;
}

/** The heading of the hours is the first row. */
const ROWS_BEFORE = 2;

/** Position of a row, also for screen readers, which can't see the rows that aren't rendered. */
export function rowProps({ index, top, height }: RowPosition): {
  'aria-rowindex': number;
  style: CSSProperties;
} {
  return {
    'aria-rowindex': index + ROWS_BEFORE,
    style: top === null ? paperRow(height) : { top, height },
  };
}

/** In print the style sheet sets the height: no touch targets needed. */
const paperRow = (height: number): CSSProperties => ({ '--height': `${height}px` });
