import { type KeyboardEvent, useRef } from 'react';
import type { Selection } from './use-selection.ts';

export interface Selecting {
  /** A row's box was ticked or cleared; `isRange`: with all from the last one to it. */
  onTick: (id: string, checked: boolean, isRange: boolean) => void;
  /** Of what is around the rows. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/**
 * Selecting rows by pointer and keyboard: a box each, with Shift all from the last one to this; arrows go from box to box, with
 * Shift they take the next row along; Ctrl+A takes all, Escape none.
 * @param order the ids of the rows that are listed, in their order
 */
export function useSelecting(order: readonly string[], selection: Selection | undefined): Selecting {
  const last = useRef<string | null>(null);
  return {
    onTick: (id, checked, isRange) => {
      selection?.change(isRange ? between(order, last.current, id) : [id], checked);
      last.current = id;
    },
    onKeyDown: (event) => {
      if (!selection || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (event.key === 'a' && (event.ctrlKey || event.metaKey) && !isTyping(target)) {
        event.preventDefault();
        selection.change(order, true);
      } else if (event.key === 'Escape' && selection.ids.size > 0 && !isTyping(target)) {
        event.preventDefault();
        selection.clear();
      } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && target?.dataset.select !== undefined) {
        event.preventDefault();
        const next = order[order.indexOf(target.dataset.select) + (event.key === 'ArrowDown' ? 1 : -1)];
        if (next === undefined) return;
        if (event.shiftKey) selection.change([target.dataset.select, next], true);
        last.current = next;
        event.currentTarget.querySelector<HTMLElement>(`[data-select="${CSS.escape(next)}"]`)?.focus();
      }
    },
  };
}

function between(order: readonly string[], from: string | null, to: string): readonly string[] {
  const [first, second] = [from === null ? -1 : order.indexOf(from), order.indexOf(to)];
  if (first < 0 || second < 0) return [to];
  return order.slice(Math.min(first, second), Math.max(first, second) + 1);
}

const isTyping = (target: HTMLElement | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && target.type !== 'checkbox');
