import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { MEDIA } from '../../ui/media.ts';
import styles from './with-side-board.module.css';

const SideBoard = lazyPart(async () => (await import('./side-board.tsx')).SideBoard);

/** A page for claims. On a wide screen it is a panel and the board stays in view beside it; resizing keeps the page mounted. */
export function WithSideBoard({ children }: { children: ReactNode }): ReactNode {
  const hasRoom = useMediaQuery(MEDIA.roomy);
  const isHere = useBoard((board) => board.status === 'ready');
  const mayClaim = useSession((session) => session.current !== null || session.admin !== null);
  const isBeside = hasRoom && isHere && mayClaim;
  return (
    <div className={isBeside ? styles.both : undefined}>
      <div className={isBeside ? styles.panel : undefined}>{children}</div>
      {isBeside ? (
        <Boundary instead={() => null}>
          <Suspense>
            <SideBoard />
          </Suspense>
        </Boundary>
      ) : null}
    </div>
  );
}
