import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { useFieldWiring } from './field.tsx';
import styles from './input.module.css';

export function TextInput({ className, type = 'text', ...rest }: ComponentProps<'input'>): ReactNode {
  return <input {...useFieldWiring()} {...rest} type={type} className={classes(styles.input, className)} />;
}

export function TextArea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>): ReactNode {
  return <textarea {...useFieldWiring()} {...rest} rows={rows} className={classes(styles.input, styles.area, className)} />;
}
