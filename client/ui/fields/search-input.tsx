import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { SearchIcon } from '../icons.tsx';
import styles from './input.module.css';
import { TextInput } from './text-input.tsx';

/** Its label is its placeholder, too. */
export function SearchInput({ label, ...rest }: ComponentProps<'input'> & { label: string }): ReactNode {
  return (
    <div className={classes(styles.wrap, styles.withIcon)}>
      <span className={styles.lead}>
        <SearchIcon />
      </span>
      <TextInput {...rest} type="search" aria-label={label} placeholder={label} autoComplete="off" />
    </div>
  );
}
