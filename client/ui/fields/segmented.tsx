import { type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import styles from './segmented.module.css';

export interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  /** On narrow screens an option with an icon shows only the icon. */
  options: readonly { value: V; label: string; icon?: ReactNode; disabled?: boolean }[];
  onChange: (value: V) => void;
  wide?: boolean | undefined;
  /** Less padding, for a narrow column. */
  tight?: boolean | undefined;
}

/** A choice of a few options. Native radio buttons: one tab stop, arrow keys choose. */
export function Segmented<V extends string>({
  label,
  value,
  options,
  onChange,
  wide,
  tight,
}: SegmentedProps<V>): ReactNode {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={classes(styles.group, wide && styles.wide, tight && styles.tight)}
    >
      {options.map((option) => (
        <label key={option.value} data-choice="" className={styles.option}>
          <input
            type="radio"
            className="covering"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.icon}
          <span
            className={classes(styles.text, option.icon !== undefined && styles.besideIcon)}
            data-text={option.label}
          >
            {option.label}
          </span>
        </label>
      ))}
    </div>
  );
}
