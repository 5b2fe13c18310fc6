import type { ReactNode } from 'react';
import { useSession } from '../../state/session-store.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import board from './board.module.css';
import bar from './board-bar.module.css';
import styles from './board-page.module.css';
import hunts from './my-hunts.module.css';

const times = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

export function BoardSkeleton(): ReactNode {
  const isMember = useSession(({ profiles }) => profiles.length > 0);
  return (
    <Loading>
      {/* The line of one's own hunts, which most members have: the board must not move when it takes the skeleton's place. */}
      {isMember ? <div className={hunts.line} data-hunts="" /> : null}
      <div className={board.layout}>
        <div className={`${board.sidebar} ${styles.wideOnly}`}>
          <Skeleton height={38} />
          <Skeleton height={34} />
          <Skeleton height={38} />
          {times(8).map((i) => (
            <Skeleton key={i} width={`${85 - (i % 3) * 12}%`} />
          ))}
        </div>
        <div className={board.content}>
          <div className={styles.wideOnly}>
            <div className={bar.head}>
              <Skeleton width={280} height={42} />
            </div>
          </div>
          <div className={`${bar.bar} ${styles.phoneOnly}`}>
            <Skeleton height={40} />
          </div>
          <div className={styles.phoneOnly}>
            <Skeleton width={190} height={20} />
          </div>
          <div className={`${bar.dates} ${styles.chips}`}>
            {times(7).map((i) => (
              <Skeleton key={i} width={50} height="calc(var(--dates) - 12px)" />
            ))}
          </div>
          <div className={board.cards}>
            {times(9).map((i) => (
              <CardSkeleton key={i} />
            ))}
          </div>
        </div>
      </div>
    </Loading>
  );
}

function CardSkeleton(): ReactNode {
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <Skeleton width={40} height={40} />
        <div className={styles.lines}>
          <Skeleton width="55%" />
          <Skeleton width="38%" height={11} />
        </div>
      </div>
      <Skeleton height={20} />
      <Skeleton height={12} />
      <Skeleton width="92%" />
      <Skeleton width="86%" />
    </div>
  );
}

const ROWS = Array.from({ length: 12 }, (_, i) => i);

export function TimelineSkeleton(): ReactNode {
  return (
    <Loading>
      <div className={styles.card}>
        {ROWS.map((row) => (
          <Skeleton key={row} height={26} />
        ))}
      </div>
    </Loading>
  );
}
