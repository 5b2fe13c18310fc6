import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';

/** As in the style sheet: narrower than this, in pixels, the rows are cards. */
const CARDS_BELOW = 920;
/** How high a row is until it is measured, in pixels. */
const ROW_HEIGHT = 44;
const CARD_HEIGHT = 190;
/** Rows that are there above and below the view, so that Tab finds the next one, and a fast scroll no white page. */
const AROUND = 12;

export interface VirtualRowsOptions<R> {
  box: HTMLElement;
  virtual: boolean;
  rows: readonly R[];
  idOf: (record: R) => string;
  /** Rows that are there wherever the view is. */
  keep: string | null;
  focused: RefObject<string | null>;
}

export interface VirtualRows {
  /** The rows that are there, from the top, each with the height of what is left out before it. */
  places: readonly { index: number; gap: number }[];
  gapAfter: number;
  cards: boolean;
  measure: (row: HTMLElement | null) => void;
  /** Where a row is, or would be if it were there, in pixels from the top of the page; null: nowhere. */
  topOf: (id: string) => number | null;
}

/** Which rows are there while the page scrolls: all of them, or those in view and around it. */
export function useVirtualRows<R>({ box, virtual, rows, idOf, keep, focused }: VirtualRowsOptions<R>): VirtualRows {
  const ids = useMemo(() => rows.map(idOf), [rows, idOf]);
  const cards = useCards(box);
  const scrollMargin = useTopOfRows(box);
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids]);
  const rangeExtractor = (range: Range): number[] => {
    const always = [keep, focused.current].map((id) => (id === null ? -1 : ids.indexOf(id))).filter((index) => index >= 0);
    return [...new Set([...defaultRangeExtractor(range), ...always])].sort((a, b) => a - b);
  };
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    enabled: virtual,
    count: virtual ? rows.length : 0,
    estimateSize: () => (cards ? CARD_HEIGHT : ROW_HEIGHT),
    // Not laid out yet, or not at all: what it will be about.
    measureElement: (row) => row.getBoundingClientRect().height || (cards ? CARD_HEIGHT : ROW_HEIGHT),
    getItemKey,
    rangeExtractor,
    scrollMargin,
    overscan: AROUND,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });

  useEffect(() => {
    // Rows that became cards: what was measured before does not count any more.
    void cards;
    virtualizer.measure();
    for (const row of virtualizer.elementsCache.values()) virtualizer.measureElement(row);
  }, [virtualizer, cards]);

  const topOf = (id: string): number | null => virtualizer.measurementsCache[ids.indexOf(id)]?.start ?? null;
  const shared = { cards, topOf, measure: virtualizer.measureElement };
  if (!virtual) return { ...shared, places: rows.map((_, index) => ({ index, gap: 0 })), gapAfter: 0 };
  let end = scrollMargin;
  const places = virtualizer.getVirtualItems().map((item) => {
    const gap = item.start - end;
    end = item.end;
    return { index: item.index, gap };
  });
  return { ...shared, places, gapAfter: virtualizer.getTotalSize() + scrollMargin - end };
}

const isNarrow = (box: HTMLElement): boolean => box.clientWidth > 0 && box.clientWidth < CARDS_BELOW;

function useCards(box: HTMLElement): boolean {
  const [cards, setCards] = useState(() => isNarrow(box));
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setCards(isNarrow(box)));
    observer.observe(box);
    return () => observer.disconnect();
  }, [box]);
  return cards;
}

/** How far the first row is from the top of the page, in pixels; looked up anew whenever the rows are drawn. */
function useTopOfRows(box: HTMLElement): number {
  const [top, setTop] = useState(() => topOfRows(box));
  useLayoutEffect(() => setTop(topOfRows(box)));
  return top;
}

function topOfRows(box: HTMLElement): number {
  const head = box.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
  return Math.round(head - document.documentElement.getBoundingClientRect().top);
}
