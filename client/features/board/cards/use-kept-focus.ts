import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** What of a spot can have the focus; its first match says which of them an element is. */
const KINDS = ['a[href]', '[data-hours-of]', 'button[aria-pressed]', 'button'] as const;

interface KeptFocus<E> {
  ref: RefObject<E | null>;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

/** A spot that comes to another section is another element there: the focus goes with it, and the page stays where it is. */
export function useKeptFocus<E extends HTMLElement>(): KeptFocus<E> {
  const ref = useRef<E>(null);
  const kept = useRef<{ element: Element; spot: string; kind: string } | null>(null);
  useLayoutEffect(() => {
    const { element, spot, kind } = kept.current ?? {};
    if (!element || element.isConnected || document.activeElement !== document.body) return;
    ref.current?.querySelector<HTMLElement>(`[data-spot="${spot}"] :is(${kind})`)?.focus({ preventScroll: true });
  });
  return {
    ref,
    onFocus: ({ target }) => {
      const spot = target.closest<HTMLElement>('[data-spot]')?.dataset.spot;
      const kind = KINDS.find((selector) => target.matches(selector));
      kept.current = spot && kind ? { element: target, spot, kind } : null;
    },
    // Not while React takes the element away: it hears nothing then.
    onBlur: () => {
      kept.current = null;
    },
  };
}
