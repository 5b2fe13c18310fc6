import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './checkbox.module.css';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'>;

/** The box alone, in a label of the caller's or with an `aria-label`. */
export function CheckboxInput({ className, ...rest }: CheckboxProps): ReactNode {
  return <input {...rest} type="checkbox" className={classes(styles.box, className)} />;
}

export function Checkbox({
  label,
  className,
  ...rest
}: CheckboxProps & { label: ReactNode }): ReactNode {
  return (
    <label className={classes(styles.check, className)}>
      <CheckboxInput {...rest} />
      <span>{label}</span>
    </label>
  );
}
