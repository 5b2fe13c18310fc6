import { createContext, type ReactNode, useContext, useId } from 'react';
import { classes } from '../classes.ts';
import styles from './inputs.module.css';

interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}
const FieldContext = createContext<Wiring | null>(null);

/** The attributes of an input inside a `Field`: its id, hint, error and validity. Empty outside one. */
export function useFieldWiring(): Partial<Wiring> {
  return useContext(FieldContext) ?? {};
}

export interface FieldProps {
  label: ReactNode;
  /** Shows the label to screen readers only. */
  hideLabel?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  className?: string | undefined;
  /** One input of this folder, which takes the field's attributes. */
  children: ReactNode;
}

export function Field({
  label,
  hideLabel,
  hint,
  error,
  className,
  children,
}: FieldProps): ReactNode {
  const id = useId();
  const describedBy = classes(hint ? `${id}-hint` : null, error ? `${id}-error` : null);
  return (
    <div className={classes(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : 'muted fine medium'}>
        {label}
      </label>
      <FieldContext
        value={{
          id,
          'aria-describedby': describedBy || undefined,
          'aria-invalid': error ? true : undefined,
        }}
      >
        {children}
      </FieldContext>
      {hint ? (
        <p id={`${id}-hint`} className="faint small">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="bad fine medium" role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
}
