import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Set between `beforeprint` and `afterprint`: the `print` media query matches only during layout. */
let isAsked = false;

function subscribe(changed: () => void): () => void {
  const media = window.matchMedia('print');
  const turn = (event: Event): void => {
    isAsked = event.type === 'beforeprint';
    // Flush now: the browser lays out before React would render.
    flushSync(changed);
  };
  media.addEventListener('change', changed);
  window.addEventListener('beforeprint', turn);
  window.addEventListener('afterprint', turn);
  return () => {
    media.removeEventListener('change', changed);
    window.removeEventListener('beforeprint', turn);
    window.removeEventListener('afterprint', turn);
  };
}

/** True while the page is put on paper, which has no scrolling: everything has to be there. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isAsked || window.matchMedia('print').matches);
}
