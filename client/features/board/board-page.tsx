import { type ReactNode, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useNearTimeText } from '../../lib/time-text.ts';
import { refreshBoard, useLoadFailure } from '../../live/refresh.ts';
import { useStaleBoard } from '../../state/board-freshness.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ClockIcon } from '../../ui/icons.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { Board } from './board.tsx';
import styles from './board-page.module.css';
import { BoardSkeleton } from './board-skeleton.tsx';

const WatchBoard = lazyPart(async () => (await import('./watch/watch-board.tsx')).WatchBoard);

/** The board for callers who may see it, or why it can't be loaded. `/?view=watch` is watch mode. */
export function BoardPage(): ReactNode {
  const { t } = useTranslation();
  const isWatch = new URLSearchParams(useLocation().search).get('view') === 'watch';
  usePageTitle(isWatch ? t('board.watch.title') : null);
  const isHere = useBoard((board) => board.status === 'ready');
  // Rendered in a transition next to the skeleton: hundreds of spots at once would block the page.
  const mayBeDrawn = useDeferredValue(isHere);
  const offline = useBoard((board) => board.connection === 'offline');
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
    <div className="notice-page" role="alert">
      <EmptyState
        page
        title={t('board.failed.title')}
        text={
          <>
            {failure ? <span className="anywhere block">{failure.sentence}</span> : null}
            {failure?.reason ? <span className="anywhere block">{failure.reason}</span> : null}
            <span className="anywhere block">{t('board.failed.text')}</span>
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

/** "Board as of 21:30", across every view while the board may be out of date. */
export function AsOf(): ReactNode {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  const confirmed_at = useStaleBoard((board) => board.confirmed_at);
  const ahead_ms = useServerSaveClock((clock) => clock.ahead_ms);
  // Always mounted: screen readers announce only changes of a live region.
  return (
    <div role="status">
      {confirmed_at === null ? null : (
        <p className={styles.asOfLine} data-as-of="">
          <ClockIcon size={20} />
          <b>
            {t('board.asOf', {
              time: nearTimeText(confirmed_at + ahead_ms, Date.now() + ahead_ms),
            })}
          </b>
          <span>{t('board.asOfHint')}</span>
        </p>
      )}
    </div>
  );
}
