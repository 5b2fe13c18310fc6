import { useEffect, useEffectEvent } from 'react';
import { setConnection } from '../state/board-store.ts';
import { onRefresh } from './refresh.ts';

/** In the place of the live board while its code can't be loaded: pages are offline, and each reason to read the board tries again. */
export function MissingLiveBoard({ onTryAgain }: { onTryAgain: () => void }): null {
  const tryAgain = useEffectEvent(onTryAgain);
  useEffect(() => {
    setConnection('offline');
    return onRefresh(() => tryAgain());
  }, []);
  return null;
}
