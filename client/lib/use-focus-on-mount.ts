import { type RefObject, useEffect, useRef } from 'react';

/**
 * Takes the focus on mount, because the focused element was removed.
 * @param first what within it takes the focus instead, as a selector
 */
export function useFocusOnMount<E extends HTMLElement>(first?: string): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    // After the frame around the page has moved the focus to it.
    queueMicrotask(() =>
      (first ? element.current?.querySelector<HTMLElement>(first) : element.current)?.focus(),
    );
  }, [first]);
  return element;
}
