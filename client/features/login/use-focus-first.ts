import { type RefObject, useEffect, useRef } from 'react';

/** Puts the cursor into the first field of a form when its page opens. */
export function useFocusFirst(): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After the frame around the page has moved the focus to it.
    queueMicrotask(() => page.current?.querySelector<HTMLElement>('form input')?.focus());
  }, []);
  return page;
}
