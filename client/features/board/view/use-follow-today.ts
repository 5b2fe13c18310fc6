import { useEffect, useEffectEvent, useRef } from 'react';

/** A date that was chosen and has become today is shown as today: the board goes on with the days instead of staying there. */
export function useFollowToday(asked: string | null, today: string, follow: () => void): void {
  const before = useRef(today);
  const turn = useEffectEvent(() => {
    if (asked === today) follow();
  });
  useEffect(() => {
    const hasTurned = before.current !== today;
    before.current = today;
    if (hasTurned) turn();
  }, [today]);
}
