import { type RefCallback, startTransition, useCallback, useState } from 'react';

/** What scrolls into view should stand there already: more than half a screen ahead, and as much behind. */
const MARGIN = '60% 0px';

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | null = null;

/** One observer for hundreds of elements. */
function onceNear(element: Element, come: () => void): () => void {
  observer ??= new IntersectionObserver(tellThoseNear, { rootMargin: MARGIN });
  waiting.set(element, come);
  observer.observe(element);
  return () => {
    waiting.delete(element);
    observer?.unobserve(element);
  };
}

function tellThoseNear(entries: readonly IntersectionObserverEntry[]): void {
  // Drawing them never holds up the scrolling.
  startTransition(() => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.();
  });
}

/** Whether it is, and the ref of the element to watch; none when there is nothing to wait for any more. */
export type Nearness = [isNear: boolean, watch: RefCallback<Element> | null];

/**
 * Whether an element is near the view, or once was: what is not needs little more than its size.
 * @param already it is known to be, such as the first of a list
 */
export function useNear(already: boolean): Nearness {
  const [wasNear, setWasNear] = useState(already);
  const isNear = wasNear || already;
  if (isNear && !wasNear) setWasNear(true);
  const watch = useCallback((element: Element | null) => (element ? onceNear(element, () => setWasNear(true)) : undefined), []);
  return [isNear, isNear ? null : watch];
}
