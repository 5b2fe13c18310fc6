import { useEffect, useState } from 'react';

/** `held`: the screen stays on. `none`: this browser cannot do that. `refused`: it does not now, to save its battery for example. */
export type Wake = 'held' | 'none' | 'refused';

/** Keeps the screen from going to sleep. A browser takes the lock away from a page that is hidden: it is taken again on return. */
export function useWakeLock(): Wake {
  const [wake, setWake] = useState<Wake>(() => ('wakeLock' in navigator ? 'held' : 'none'));
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    let isAsking = false;
    const take = async (): Promise<void> => {
      if (isOver || isAsking || document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      isAsking = true;
      try {
        lock = await navigator.wakeLock.request('screen');
        if (isOver) return void lock.release();
        lock.addEventListener('release', () => void (document.visibilityState === 'visible' && !isOver && setWake('refused')));
        setWake('held');
      } catch {
        if (!isOver) setWake('refused');
      } finally {
        isAsking = false;
      }
    };
    const look = (): void => void take();
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', look);
      void lock?.release();
    };
  }, []);
  return wake;
}
