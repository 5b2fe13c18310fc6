import { type LoadText, useLoadText } from '../lib/words/load-text.ts';
import { useBoard } from '../store/board-store.ts';

/** What could not be read at the last try, in words; null while the board arrives. */
export function useLoadFailure(): LoadText | null {
  const loadText = useLoadText();
  const failure = useBoard((board) => board.failure);
  return failure && loadText(failure);
}
