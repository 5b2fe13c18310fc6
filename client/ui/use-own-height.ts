import { type RefObject, useEffect, useRef } from 'react';

/** Publishes the height of a bar at the bottom of the screen as a CSS property, so that other fixed elements are placed above it. */
export function useOwnHeight<T extends HTMLElement>(
  isShown: boolean,
  property: '--offer' | '--selection',
): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => {
    const element = ref.current;
    if (!isShown || !element) return;
    const { style } = document.documentElement;
    const publish = (): void => style.setProperty(property, `${element.offsetHeight}px`);
    publish();
    const watching = new ResizeObserver(publish);
    watching.observe(element);
    return () => {
      watching.disconnect();
      style.removeProperty(property);
    };
  }, [isShown, property]);
  return ref;
}
