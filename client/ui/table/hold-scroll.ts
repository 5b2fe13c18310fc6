import { Component } from 'react';

interface HoldScrollProps {
  box: HTMLElement;
  rows: readonly unknown[];
  /** The row being edited. */
  keep: string | null;
  topOf: (id: string) => number | null;
}

/** A row, and where in the window it was, in pixels. */
interface Held {
  id: string;
  top: number;
}

/**
 * Keeps the page where it is while rows come and go above what is being read: the row with the focus, the one being
 * edited, or the first in view. At the head of the table nothing is held: there new rows are to be seen.
 * A class, because only a class is asked before the page changes.
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
    const top = row?.getBoundingClientRect().top ?? (planned === null ? null : planned - window.scrollY);
    if (top !== null && Math.abs(top - held.top) >= 1) window.scrollBy({ top: top - held.top, behavior: 'instant' });
  }

  override render(): null {
    return null;
  }
}

function heldRow(box: HTMLElement, keep: string | null): Held | null {
  const rows = [...box.querySelectorAll<HTMLElement>('[data-row]')].map((row) => ({ row, place: row.getBoundingClientRect() }));
  const inView = rows.filter(({ place }) => place.bottom > 0 && place.top < window.innerHeight);
  const headIsAway = (box.querySelector('thead')?.getBoundingClientRect().bottom ?? 0) < 0;
  const held =
    inView.find(({ row }) => row.contains(document.activeElement)) ??
    inView.find(({ row }) => row.dataset.row === keep) ??
    (headIsAway ? inView[0] : undefined);
  return held?.row.dataset.row ? { id: held.row.dataset.row, top: held.place.top } : null;
}
