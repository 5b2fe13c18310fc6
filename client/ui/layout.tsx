import type { FormHTMLAttributes, ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './layout.module.css';

/** Steps of the spacing scale in tokens.css: 1 is 4 px, 2 is 8 px, … 12 is 48 px. */
type Space = 1 | 2 | 3 | 4 | 5 | 6 | 8 | 12;

interface LayoutProps extends FormHTMLAttributes<HTMLElement> {
  gap?: Space | undefined;
  as?:
    | 'dd'
    | 'div'
    | 'dl'
    | 'figure'
    | 'form'
    | 'header'
    | 'li'
    | 'ol'
    | 'p'
    | 'section'
    | 'span'
    | 'ul'
    | undefined;
}

interface StackProps extends LayoutProps {
  /** Each as wide as its content. */
  fitted?: true;
}

/** Parts below each other. */
export function Stack({
  gap = 3,
  as: Tag = 'div',
  fitted,
  className,
  ...others
}: StackProps): ReactNode {
  return (
    <Tag
      {...others}
      className={classes(styles.stack, className)}
      style={{ gap: `var(--s${gap})`, justifyItems: fitted && 'start' }}
    />
  );
}

interface ClusterProps extends LayoutProps {
  /** Between its lines; by default as beside each other. */
  rowGap?: Space;
  align?: 'start' | 'baseline' | 'stretch';
  justify?: 'space-between' | 'end';
  /** On a phone, each has the full width. */
  stacked?: boolean;
}

/** Parts beside each other, on more lines where one is too narrow: buttons, badges, filters. */
export function Cluster({
  gap = 2,
  rowGap = gap,
  as: Tag = 'div',
  align,
  justify,
  stacked,
  className,
  ...others
}: ClusterProps): ReactNode {
  return (
    <Tag
      {...others}
      className={classes(styles.cluster, stacked && styles.stacked, className)}
      style={{
        gap: `var(--s${rowGap}) var(--s${gap})`,
        alignItems: align,
        justifyContent: justify,
      }}
    />
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
