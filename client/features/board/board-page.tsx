import type { ReactNode } from 'react';
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
  const status = useBoard((board) => board.status);
  const offline = useBoard((board) => board.connection === 'offline');
  if (checking) return <BoardSkeleton />;
  if (!maySee) return <VisitorPanel />;
  if (status === 'ready') return <Board />;
  return offline ? <BoardFailed /> : <BoardSkeleton />;
}
