import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './input.module.css';

export function Checkbox({ label, className, ...rest }: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }): ReactNode {
  return (
    <label className={classes(styles.check, className)}>
      <input {...rest} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}
