import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './layout.module.css';

/** Steps of the spacing scale in tokens.css: 1 is 4 px, 2 is 8 px, … 12 is 48 px. */
type Space = 1 | 2 | 3 | 4 | 5 | 6 | 8 | 12;

interface LayoutProps {
  gap?: Space | undefined;
  as?: 'div' | 'ul' | 'section' | 'span' | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function Stack({ gap = 3, as: Tag = 'div', className, children }: LayoutProps): ReactNode {
  return (
    <Tag className={classes(styles.stack, className)} style={{ gap: `var(--s${gap})` }}>
      {children}
    </Tag>
  );
}

/** Parts beside each other, on more lines where one is too narrow: buttons, badges, filters. */
export function Cluster({ gap = 2, as: Tag = 'div', className, children }: LayoutProps): ReactNode {
  return (
    <Tag className={classes(styles.cluster, className)} style={{ gap: `var(--s${gap})` }}>
      {children}
    </Tag>
  );
}

export interface Fact {
  name: string;
  value: ReactNode;
  /** A second, quieter line. */
  more?: ReactNode;
}

/** Names with their values: one below the other, or in columns. */
export function Facts({
  facts,
  columns,
}: {
  facts: readonly Fact[];
  columns?: boolean;
}): ReactNode {
  return (
    <dl className={classes(styles.facts, columns ? styles.columns : styles.rows)}>
      {facts.map(({ name, value, more }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {more ? <dd className={styles.more}>{more}</dd> : null}
        </div>
      ))}
    </dl>
  );
}
