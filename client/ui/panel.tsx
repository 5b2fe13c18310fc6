import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import styles from './parts.module.css';

export interface PanelProps {
  title?: ReactNode;
  /** No inner space: a table fills it. */
  flush?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A surface with a border: a step of a form, a table, a card. */
export function Panel({ title, flush, className, children }: PanelProps): ReactNode {
  const id = useId();
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={classes(styles.panel, flush && styles.flush, className)}
    >
      {title ? (
        <h2 id={id} className={styles.panelTitle}>
          {title}
        </h2>
      ) : null}
      {children}
    </section>
  );
}
