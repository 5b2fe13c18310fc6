import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classes } from './classes.ts';

export type BadgeTone = 'plain' | 'good' | 'bad' | 'accent' | 'solid';

/** A word about a state: ACTIVE, upcoming, System, P5. */
export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: BadgeTone;
  children: ReactNode;
}): ReactNode {
  return (
    <span className={classes(styles.badge, tone !== 'plain' && styles[tone])}>{children}</span>
  );
}
