import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useWindowRows, type WindowRows } from './use-window-rows.ts';

/** As in the style sheet: narrower than this, in pixels, the rows are cards. */
const CARDS_BELOW = 920;
/** How high a row is until it is measured, in pixels. */
const ROW_HEIGHT = 44;
const CARD_HEIGHT = 190;

export interface VirtualRowsOptions<R> {
  box: HTMLElement;
  virtual: boolean;
  rows: readonly R[];
  idOf: (record: R) => string;
  /** Rows that are there wherever the view is. */
  keep: string | null;
  focused: RefObject<string | null>;
}

export interface VirtualRows extends Omit<WindowRows, 'virtualizer'> {
  cards: boolean;
  /** Where a row is, or would be if it were there, in pixels from the top of the page; null: nowhere. */
  topOf: (id: string) => number | null;
}

/** Which rows of a table are there: all of them, or those in view and around it; narrow ones are cards. */
export function useVirtualRows<R>({ box, virtual, rows, idOf, keep, focused }: VirtualRowsOptions<R>): VirtualRows {
  const ids = useMemo(() => rows.map(idOf), [rows, idOf]);
  const cards = useCards(box);
  const top = useTopOfRows(box);
  const height = cards ? CARD_HEIGHT : ROW_HEIGHT;
  const { virtualizer, places, gapAfter, measure } = useWindowRows({
    keys: ids,
    top,
    estimate: () => height,
    always: () => [keep, focused.current].map((id) => (id === null ? -1 : ids.indexOf(id))).filter((index) => index >= 0),
    whole: !virtual,
  });

  useEffect(() => {
    // Rows that became cards: what was measured before does not count any more.
    void cards;
    virtualizer.measure();
    for (const row of virtualizer.elementsCache.values()) virtualizer.measureElement(row);
  }, [virtualizer, cards]);

  const topOf = (id: string): number | null => virtualizer.measurementsCache[ids.indexOf(id)]?.start ?? null;
  return { places, gapAfter, cards, measure, topOf };
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
