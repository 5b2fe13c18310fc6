import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { CheckIcon, CloseIcon } from './icons.tsx';
import { Cluster } from './layout.tsx';
import styles from './step-list.module.css';

interface StepListProps {
  /** `plain` are numbered instructions; `rows` show the state of each step. */
  look?: 'plain' | 'rows';
  children: ReactNode;
}

export function StepList({ look = 'plain', children }: StepListProps): ReactNode {
  return <ol className={classes(styles.list, styles[look])}>{children}</ol>;
}

interface StepProps {
  title: ReactNode;
  /** In `rows`; undefined: it is not known. */
  state?: 'done' | 'failed' | 'skipped' | 'open' | 'waiting' | undefined;
  status?: string | undefined;
  /** At the end of the title's line. */
  action?: ReactNode;
  /** Its id in the page. */
  name?: string;
  children?: ReactNode;
}

export function Step({ title, state, status, action, name, children }: StepProps): ReactNode {
  return (
    <li
      className={classes(styles.step, state && styles[state])}
      data-step={name}
      data-state={state}
    >
      <span aria-hidden="true" className={styles.mark}>
        {state === 'done' ? <CheckIcon size={14} /> : null}
        {state === 'failed' ? <CloseIcon size={14} /> : null}
      </span>
      <div className={styles.body}>
        <Cluster rowGap={1} className={styles.head}>
          <h3>{title}</h3>
          {state ? (
            <span role="status" className={styles.status}>
              {status}
            </span>
          ) : null}
          {action ? <div className={styles.action}>{action}</div> : null}
        </Cluster>
        {children}
      </div>
    </li>
  );
}
