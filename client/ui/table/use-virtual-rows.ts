import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useWindowRows, type WindowRows } from './use-window-rows.ts';

/** Below this width rows are cards, as in the style sheet; in pixels. */
const CARDS_BELOW = 920;
/** Estimated height of a row that is not measured yet, in pixels. */
const ROW_HEIGHT = 44;
const CARD_HEIGHT = 190;

interface VirtualRowsOptions<R> {
  box: HTMLElement;
  virtual: boolean;
  rows: readonly R[];
  idOf: (record: R) => string;
  /** Stays rendered wherever the page scrolls, as does the row with the focus. */
  keep: string | null;
  focused: RefObject<string | null>;
}

interface VirtualRows extends Omit<WindowRows, 'virtualizer'> {
  cards: boolean;
  /** Distance from the top of the page in pixels, for rows that are not rendered, too; null for an unknown row. */
  topOf: (id: string) => number | null;
}

/** Chooses the rows to render: all, or those in view and around it. */
export function useVirtualRows<R>({
  box,
  virtual,
  rows,
  idOf,
  keep,
  focused,
}: VirtualRowsOptions<R>): VirtualRows {
  const ids = useMemo(() => rows.map(idOf), [rows, idOf]);
  const cards = useCards(box);
  const top = useTopOfRows(box);
  const height = cards ? CARD_HEIGHT : ROW_HEIGHT;
  const { virtualizer, places, gapAfter, measure } = useWindowRows({
    keys: ids,
    top,
    estimate: () => height,
    always: () =>
      [keep, focused.current]
        .map((id) => (id === null ? -1 : ids.indexOf(id)))
        .filter((index) => index >= 0),
    whole: !virtual,
  });

  useEffect(() => {
    // Rows that became cards have other heights than were measured.
    void cards;
    virtualizer.measure();
    for (const row of virtualizer.elementsCache.values()) virtualizer.measureElement(row);
  }, [virtualizer, cards]);

  const topOf = (id: string): number | null =>
    virtualizer.measurementsCache[ids.indexOf(id)]?.start ?? null;
  return { places, gapAfter, cards, measure, topOf };
}

const isNarrow = (box: HTMLElement): boolean =>
  box.clientWidth > 0 && box.clientWidth < CARDS_BELOW;

function useCards(box: HTMLElement): boolean {
  const [cards, setCards] = useState(() => isNarrow(box));
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setCards(isNarrow(box)));
    observer.observe(box);
    return () => observer.disconnect();
  }, [box]);
  return cards;
}

/** Distance of the first row from the top of the page in pixels, measured again at each render. */
function useTopOfRows(box: HTMLElement): number {
  const [top, setTop] = useState(() => topOfRows(box));
  useLayoutEffect(() => setTop(topOfRows(box)));
  return top;
}

function topOfRows(box: HTMLElement): number {
  const head = box.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
  return Math.round(head - document.documentElement.getBoundingClientRect().top);
}
