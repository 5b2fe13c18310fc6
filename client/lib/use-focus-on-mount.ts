import { type RefObject, useEffect, useRef } from 'react';

/**
 * Takes the focus when it comes into view: what had it went away with what was there before.
 * @param first what within it takes the focus instead, as a selector
 */
export function useFocusOnMount<E extends HTMLElement>(first?: string): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    // After the frame around the page has moved the focus to it.
    queueMicrotask(() => (first ? element.current?.querySelector<HTMLElement>(first) : element.current)?.focus());
  }, [first]);
  return element;
}
