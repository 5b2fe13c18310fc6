import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './parts.module.css';

export interface EmptyStateProps {
  title: ReactNode;
  /** Why, or what happens next. */
  text?: ReactNode;
  /** The next step: a button or a link. */
  action?: ReactNode;
  /** It is all the page has to say: its title is the page's. */
  page?: boolean | undefined;
  /** Without a border, for use inside a box. */
  boxed?: boolean | undefined;
}

export function EmptyState({ title, text, action, page, boxed }: EmptyStateProps): ReactNode {
  const Title = page ? 'h1' : 'p';
  return (
    <div className={classes(styles.empty, boxed && styles.boxed)}>
      <Title className={styles.emptyStateTitle}>{title}</Title>
      {text ? <p className={styles.emptyStateText}>{text}</p> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}
