import { type RefObject, useEffect, useRef } from 'react';

/** Takes the focus when its step comes into view: what had it went away with the step before. */
export function useFocusOnMount<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    // After the frame around the page has moved the focus to it.
    queueMicrotask(() => element.current?.focus());
  }, []);
  return element;
}
