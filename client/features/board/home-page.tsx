import type { ReactNode } from 'react';
import { usePageTitle } from '../../lib/page-title.ts';
import { useMaySeeBoard } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';
import { VisitorPanel } from './visitor-panel.tsx';

/** The landing page. A visitor loads the way in alone. @param children the board, whose code is loaded when it is first shown */
export function HomePage({ children }: { children: ReactNode }): ReactNode {
  usePageTitle(null);
  const checking = useSession((session) => session.status === 'checking');
  const maySee = useMaySeeBoard();
  if (checking) return <BoardSkeleton />;
  if (!maySee) return <VisitorPanel />;
  return <PartBoundary fallback={<BoardSkeleton />}>{children}</PartBoundary>;
}
