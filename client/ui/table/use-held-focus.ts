import { type RefObject, useLayoutEffect, useRef } from 'react';

export interface HeldFocus {
  /** The row that has the focus in it; null: none has. */
  row: RefObject<string | null>;
  hold: (id: string, index: number) => void;
  release: () => void;
}

/**
 * Looks after the focus where somebody else may take away what it is in: of a row that changed, or of the row in its
 * place when it is gone, the row itself gets it, not one of its buttons, which could be pressed by mistake. Of an empty
 * table, what it is in.
 */
export function useHeldFocus<R>(box: HTMLElement, rows: readonly R[], idOf: (record: R) => string): HeldFocus {
  const row = useRef<string | null>(null);
  const place = useRef(0);
  useLayoutEffect(() => {
    if (row.current === null) return;
    const now = rows.findIndex((record) => idOf(record) === row.current);
    place.current = now >= 0 ? now : Math.min(place.current, rows.length - 1);
    if (now < 0) row.current = null;
    if (!isLost()) return;
    const next = box.querySelector<HTMLElement>(`[data-index="${place.current}"] > tr`);
    next?.setAttribute('tabindex', '-1');
    (next ?? around(box))?.focus({ preventScroll: true });
  }, [box, rows, idOf]);
  useLayoutEffect(() => {
    const outside = around(box);
    return () => {
      if (row.current !== null) outside?.focus({ preventScroll: true });
    };
  }, [box]);
  return {
    row,
    hold: (id, index) => {
      row.current = id;
      place.current = index;
    },
    // What is taken away with its row does not leave: React tells of no blur then.
    release: () => {
      row.current = null;
    },
  };
}

const around = (box: HTMLElement): HTMLElement | null | undefined => box.parentElement?.closest<HTMLElement>('[tabindex]');

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
