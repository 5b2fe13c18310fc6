import { useEffect } from 'react';

/** So long nobody touches the page before it counts as left alone. */
export const QUIET_MS = 15_000;

const TOUCHES = ['pointerdown', 'pointermove', 'touchmove', 'keydown', 'wheel', 'scroll'] as const;

/** Calls back once, while it is waited for, as soon as nobody has touched the page for a while, or nobody sees it. */
export function useQuietMoment(isWaiting: boolean, then: () => void): void {
  useEffect(() => {
    if (!isWaiting) return;
    let touched = Date.now();
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      const left = touched + QUIET_MS - Date.now();
      if (left <= 0 || document.hidden) then();
      else timer = setTimeout(look, left);
    };
    const touch = (): void => {
      touched = Date.now();
    };
    const hide = (): void => {
      if (document.hidden) then();
    };
    look();
    for (const event of TOUCHES) window.addEventListener(event, touch, { passive: true, capture: true });
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      for (const event of TOUCHES) window.removeEventListener(event, touch, { capture: true });
      document.removeEventListener('visibilitychange', hide);
    };
  }, [isWaiting, then]);
}
