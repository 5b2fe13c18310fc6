import { startTransition, useEffect, useRef, useState } from 'react';

/** What scrolls into view should stand there already: half a screen ahead, and as much behind. */
const MARGIN = '60% 0px';

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | null = null;

/** One observer for hundreds of elements. */
function onceNear(element: Element, come: () => void): () => void {
  observer ??= new IntersectionObserver(tellThoseNear, { rootMargin: MARGIN });
  waiting.set(element, come);
  observer.observe(element);
  return () => forget(element);
}

function tellThoseNear(entries: readonly IntersectionObserverEntry[]): void {
  const near = entries.filter(({ isIntersecting }) => isIntersecting);
  // Drawing them never holds up the scrolling.
  startTransition(() => {
    for (const { target } of near) waiting.get(target)?.();
  });
  for (const { target } of near) forget(target);
}

function forget(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}

/**
 * Whether an element is near the view, or once was: what is not needs no more than its size.
 * @param already it is known to be, such as the first of a list
 */
export function useNear<T extends Element>(already: boolean): [React.RefObject<T | null>, boolean] {
  const ref = useRef<T>(null);
  const [wasNear, setWasNear] = useState(already);
  const isNear = wasNear || already;
  if (isNear && !wasNear) setWasNear(true);
  useEffect(() => {
    if (isNear || !ref.current) return;
    return onceNear(ref.current, () => setWasNear(true));
  }, [isNear]);
  return [ref, isNear];
}
