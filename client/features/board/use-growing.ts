import { startTransition, useEffect, useState } from 'react';

/** Of a long list at once: a telephone's screen of cards. */
const FIRST = 8;
/** More whenever the browser has time. Each step costs a frame of the whole page: smaller ones take longer altogether. */
const STEP = 24;

/** Not every browser tells when it has time. */
const whenIdle: (work: () => void) => () => void =
  typeof requestIdleCallback === 'function'
    ? (work) => {
        const handle = requestIdleCallback(work, { timeout: 500 });
        return () => cancelIdleCallback(handle);
      }
    : (work) => {
        const handle = setTimeout(work, 30);
        return () => clearTimeout(handle);
      };

/** How many of `count` things to draw by now: a first screen at once, the rest bit by bit. What is drawn stays. */
export function useGrowing(count: number): number {
  const [shown, setShown] = useState(FIRST);
  useEffect(() => {
    if (shown >= count) return;
    return whenIdle(() => startTransition(() => setShown(shown + STEP)));
  }, [shown, count]);
  return shown;
}
