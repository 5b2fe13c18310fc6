import type { ReactNode } from 'react';
import styles from './alert.module.css';
import { classes } from './classes.ts';

export type Tone = 'plain' | 'good' | 'bad' | 'accent';

export interface AlertProps {
  tone?: Tone | undefined;
  title?: ReactNode;
  /** A button that helps. */
  action?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

/** Something to know, where it matters. A bad one is read out at once, the others when there is a pause. */
export function Alert({ tone = 'plain', title, action, className, children }: AlertProps): ReactNode {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={classes(styles.alert, tone !== 'plain' && styles[tone], className)}>
      <div className={styles.text}>
        {title ? <p className={styles.title}>{title}</p> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action}
    </div>
  );
}
