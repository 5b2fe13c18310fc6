import type { ReactNode } from 'react';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import board from './board.module.css';
import styles from './state.module.css';

const ROWS = Array.from({ length: 12 }, (_, i) => i);

/** The timeline's layout before its content. */
export function TimelineSkeleton(): ReactNode {
  return (
    <Loading>
      <div className={board.dates}>
        <Skeleton width="min(460px, 100%)" height={54} />
      </div>
      <div className={styles.card}>
        {ROWS.map((row) => (
          <Skeleton key={row} height={26} />
        ))}
      </div>
    </Loading>
  );
}
