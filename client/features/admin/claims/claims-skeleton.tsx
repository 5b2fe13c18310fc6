import type { ReactNode } from 'react';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import tab from '../tab.module.css';

/** As the list will stand: a head and some days, twice. */
export function ClaimsSkeleton(): ReactNode {
  return (
    <Loading>
      <div className={tab.placeholders}>
        {[52, 44, 44, 52, 44, 44].map((height, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
          <Skeleton key={at} height={height} />
        ))}
      </div>
    </Loading>
  );
}
