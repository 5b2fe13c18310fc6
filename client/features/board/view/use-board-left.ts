import { useEffect, useLayoutEffect, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { boardLeft, rememberBoard } from '../../../lib/board-place.ts';
import { type AskedQuery, toValues } from './use-board-query.ts';

/** A board that is drawn bit by bit may take so long to reach its height, in milliseconds. */
const GROWS_WITHIN_MS = 5000;
/** Whoever scrolls goes elsewhere. */
const OWN_WAYS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Keeps what the board shows and how far it is scrolled, for whoever comes back: by a link to it, or by going back. */
export function useBoardLeft(query: AskedQuery): void {
  useEffect(() => {
    const values = Object.entries(toValues(query)).filter(([, value]) => value);
    rememberBoard({ search: new URLSearchParams(values).toString() });
  });
  // How it was come to: what is filtered later is another navigation.
  const [isBack] = useState(useNavigationType() === 'POP');
  useLayoutEffect(() => {
    const stop = isBack ? scrollBackTo(boardLeft().scroll) : undefined;
    return () => {
      stop?.();
      rememberBoard({ scroll: window.scrollY });
    };
  }, [isBack]);
}

/** Scrolls as soon as the page is that long. @returns a function that gives it up */
function scrollBackTo(top: number): () => void {
  if (top === 0) return () => {};
  const until = Date.now() + GROWS_WITHIN_MS;
  let frame = 0;
  const stop = (): void => {
    cancelAnimationFrame(frame);
    for (const way of OWN_WAYS) document.removeEventListener(way, stop);
  };
  const look = (): void => {
    const isLongEnough = document.documentElement.scrollHeight >= top + window.innerHeight;
    if (isLongEnough) window.scrollTo({ top, behavior: 'instant' });
    if (isLongEnough || Date.now() > until) stop();
    else frame = requestAnimationFrame(look);
  };
  for (const way of OWN_WAYS) document.addEventListener(way, stop, { passive: true });
  // After the frame of the page, which begins at the top.
  frame = requestAnimationFrame(look);
  return stop;
}
