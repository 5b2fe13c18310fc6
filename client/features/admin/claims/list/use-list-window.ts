import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useWindowRows, type WindowRows } from '../../../../ui/table/use-window-rows.ts';

export interface ListWindow extends Omit<WindowRows, 'virtualizer'> {
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
  const focused = useRef<string | null>(null);
  const indices = useMemo(() => new Map(keys.map((key, index) => [key, index])), [keys]);
  const { places, gapAfter, measure } = useWindowRows({
    keys,
    top: useTop(box),
    estimate,
    always: (first) => {
      const kept = focused.current === null ? undefined : indices.get(focused.current);
      return [headOf(first), ...(kept === undefined ? [] : [kept])];
    },
    leaveScroll: CSS.supports('overflow-anchor', 'auto'),
  });

  useLayoutEffect(() => {
    if (focused.current === null || indices.has(focused.current)) return;
    focused.current = null;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost) box.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }, [box, indices]);

  return {
    places,
    gapAfter,
    measure,
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
