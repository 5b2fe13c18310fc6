import type { ReactNode } from 'react';
import styles from './parts.module.css';

export interface EmptyStateProps {
  title: ReactNode;
  /** Why, or what happens next. */
  text?: ReactNode;
  /** The next step: a button or a link. */
  action?: ReactNode;
  /** It is all the page has to say: its title is the page's. */
  page?: boolean | undefined;
}

export function EmptyState({ title, text, action, page }: EmptyStateProps): ReactNode {
  const Title = page ? 'h1' : 'p';
  return (
    <div className={styles.empty}>
      <Title className={styles.emptyStateTitle}>{title}</Title>
      {text ? <p className={styles.emptyStateText}>{text}</p> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}
