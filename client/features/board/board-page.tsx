import { type ReactNode, useDeferredValue } from 'react';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useMaySeeBoard } from '../../live/use-live-board.ts';
import { useBoard } from '../../store/board-store.ts';
import { useSession } from '../../store/session-store.ts';
import { Board } from './board.tsx';
import { BoardFailed } from './board-failed.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';
import { VisitorPanel } from './visitor-panel.tsx';

/** The landing page: the board, or why it is not here. */
export function BoardPage(): ReactNode {
  usePageTitle(null);
  const checking = useSession((session) => session.status === 'checking');
  const maySee = useMaySeeBoard();
  const isHere = useBoard((board) => board.status === 'ready');
  // The board is drawn bit by bit, beside the skeleton: hundreds of spots in one go would hold the page still.
  const mayBeDrawn = useDeferredValue(isHere);
  const offline = useBoard((board) => board.connection === 'offline');
  if (checking) return <BoardSkeleton />;
  if (!maySee) return <VisitorPanel />;
  if (isHere) return mayBeDrawn ? <Board /> : <BoardSkeleton />;
  return offline ? <BoardFailed /> : <BoardSkeleton />;
}
