import { type LoadText, useLoadText } from '../lib/words/error-text.ts';
import { useBoard } from '../state/board-store.ts';

const listeners = new Set<() => void>();

export function refreshBoard(): void {
  for (const refresh of listeners) refresh();
}

/**
 * Subscribes to every reason to refresh at once: `refreshBoard`, the page coming back into view, the network coming back.
 * @returns a function that stops listening
 */
export function onRefresh(refresh: () => void): () => void {
  const whenSeen = (): void => {
    if (document.visibilityState === 'visible') refresh();
  };
  listeners.add(refresh);
  document.addEventListener('visibilitychange', whenSeen);
  window.addEventListener('online', refresh);
  return () => {
    listeners.delete(refresh);
    document.removeEventListener('visibilitychange', whenSeen);
    window.removeEventListener('online', refresh);
  };
}

/** The names of the data that the last read failed to load; null while the board loads. */
export function useLoadFailure(): LoadText | null {
  const loadText = useLoadText();
  const failure = useBoard((board) => board.failure);
  return failure && loadText(failure);
}
