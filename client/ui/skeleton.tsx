import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from './classes.ts';
import styles from './parts.module.css';

export interface SkeletonProps {
  width?: number | string;
  height?: number | string;
  className?: string | undefined;
}

export function Skeleton({ width = '100%', height = 14, className }: SkeletonProps): ReactNode {
  return <span className={classes(styles.skeleton, className)} style={{ width, height }} />;
}

/** Around skeletons: says once to screen readers that something is loading, and keeps the page's footer away until it is there. */
export function Loading({
  children,
  className,
}: {
  children: ReactNode;
  className?: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={className} data-loading="">
      <p role="status" className="visually-hidden">
        {t('common.loading')}
      </p>
      <div aria-hidden="true" className={styles.breathing}>
        {children}
      </div>
    </div>
  );
}
