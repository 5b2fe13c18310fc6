import { type ReactNode, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { refreshBoard, useLoadFailure } from '../../live/refresh.ts';
import { useMaySeeBoard } from '../../live/use-live-board.ts';
import { useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { AsOf } from './as-of.tsx';
import { Board } from './board.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';
import styles from './state.module.css';
import { VisitorPanel } from './visitor-panel.tsx';

const WatchBoard = lazyPart(async () => (await import('./watch/watch-board.tsx')).WatchBoard);

/** The landing page: the board, or why it is not here. For a second screen it is another one: `/?view=watch`. */
export function BoardPage(): ReactNode {
  const { t } = useTranslation();
  const isWatch = new URLSearchParams(useLocation().search).get('view') === 'watch';
  usePageTitle(isWatch ? t('board.watch.title') : null);
  const checking = useSession((session) => session.status === 'checking');
  const maySee = useMaySeeBoard();
  const isHere = useBoard((board) => board.status === 'ready');
  // The board is drawn bit by bit, beside the skeleton: hundreds of spots in one go would hold the page still.
  const mayBeDrawn = useDeferredValue(isHere);
  const offline = useBoard((board) => board.connection === 'offline');
  if (checking) return <BoardSkeleton />;
  if (!maySee) return <VisitorPanel />;
  if (isHere) {
    return (
      <>
        {!mayBeDrawn ? (
          <BoardSkeleton />
        ) : isWatch ? (
          <PartBoundary fallback={<BoardSkeleton />}>
            <WatchBoard />
          </PartBoundary>
        ) : (
          <Board />
        )}
        <AsOf />
      </>
    );
  }
  return offline ? <BoardFailed /> : <BoardSkeleton />;
}

export function BoardFailed(): ReactNode {
  const { t } = useTranslation();
  const failure = useLoadFailure();
  return (
    <div className={styles.state} role="alert">
      <EmptyState
        page
        title={t('board.failed.title')}
        text={
          <>
            {failure ? <span className={styles.line}>{failure.sentence}</span> : null}
            {failure?.reason ? <span className={styles.line}>{failure.reason}</span> : null}
            <span className={styles.line}>{t('board.failed.text')}</span>
          </>
        }
        action={
          <Button variant="primary" onClick={refreshBoard}>
            {t('common.tryAgain')}
          </Button>
        }
      />
    </div>
  );
}
