import { Component, type RefObject, useLayoutEffect, useRef } from 'react';

export interface HeldFocus {
  row: RefObject<string | null>;
  hold: (id: string, index: number) => void;
  release: () => void;
}

/**
 * Rescues the focus if a live change removes the element that has it. It goes to the changed row, to the row that took a deleted
 * row's place, or to the element around an empty table. Never to a row's button, which could be pressed by mistake.
 */
export function useHeldFocus<R>(
  box: HTMLElement,
  rows: readonly R[],
  idOf: (record: R) => string,
): HeldFocus {
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
    // React fires no blur for an element that it removes.
    release: () => {
      row.current = null;
    },
  };
}

const around = (box: HTMLElement): HTMLElement | null | undefined =>
  box.parentElement?.closest<HTMLElement>('[tabindex]');

const isLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

interface HoldScrollProps {
  box: HTMLElement;
  rows: readonly unknown[];
  keep: string | null;
  topOf: (id: string) => number | null;
}

/** A row and its distance from the top of the window, in pixels. */
interface Held {
  id: string;
  top: number;
}

/**
 * Keeps the scroll position while rows are added or removed above the row with the focus, the edited row, or the first row in view.
 * While the headings are in view nothing is held, so that new rows show. A class, for `getSnapshotBeforeUpdate`.
 */
export class HoldScroll extends Component<HoldScrollProps> {
  override getSnapshotBeforeUpdate(before: HoldScrollProps): Held | null {
    const { box, rows, keep } = this.props;
    return before.rows === rows ? null : heldRow(box, keep);
  }

  override componentDidUpdate(_before: HoldScrollProps, _state: object, held?: Held | null): void {
    if (!held) return;
    const { box, topOf } = this.props;
    const row = box.querySelector(`[data-row="${CSS.escape(held.id)}"]`);
    const planned = topOf(held.id);
    const top =
      row?.getBoundingClientRect().top ?? (planned === null ? null : planned - window.scrollY);
    if (top !== null && Math.abs(top - held.top) >= 1)
      window.scrollBy({ top: top - held.top, behavior: 'instant' });
  }

  override render(): null {
    return null;
  }
}

function heldRow(box: HTMLElement, keep: string | null): Held | null {
  const rows = [...box.querySelectorAll<HTMLElement>('[data-row]')].map((row) => ({
    row,
    place: row.getBoundingClientRect(),
  }));
  const inView = rows.filter(({ place }) => place.bottom > 0 && place.top < window.innerHeight);
  const headIsAway = (box.querySelector('thead')?.getBoundingClientRect().bottom ?? 0) < 0;
  const held =
    inView.find(({ row }) => row.contains(document.activeElement)) ??
    inView.find(({ row }) => row.dataset.row === keep) ??
    (headIsAway ? inView[0] : undefined);
  return held?.row.dataset.row ? { id: held.row.dataset.row, top: held.place.top } : null;
}
