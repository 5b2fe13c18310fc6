import type { ReactNode } from 'react';
import { groupBy } from '../../lib/words/order.ts';
import { classes } from '../classes.ts';
import { ChevronDownIcon } from '../icons.tsx';
import { useFieldWiring } from './field.tsx';
import styles from './inputs.module.css';

export interface SelectOption<V extends string> {
  value: V;
  label: string;
  disabled?: boolean;
  /** The heading above it; options with the same one are listed together. */
  group?: string | undefined;
}

export interface SelectProps<V extends string> {
  /** Empty string: nothing chosen yet. */
  value: V | '';
  options: readonly SelectOption<V>[];
  onChange: (value: V) => void;
  /** Its name, unless a Field around it gives one. */
  label?: string | undefined;
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  /** Refused, where no Field around it says so. */
  invalid?: boolean | undefined;
  /** As wide as its container; the default. */
  wide?: boolean | undefined;
  className?: string | undefined;
}

/** The browser's select in our style: phones show their own picker, and no library is loaded. */
export function Select<V extends string>({
  value,
  options,
  onChange,
  label,
  placeholder,
  disabled,
  invalid,
  wide = true,
  className,
}: SelectProps<V>): ReactNode {
  return (
    <span className={classes(styles.selectWrap, wide && styles.wide, className)}>
      <select
        {...useFieldWiring()}
        {...(invalid ? { 'aria-invalid': true } : {})}
        aria-label={label}
        value={value}
        disabled={disabled}
        className={classes(styles.select, value === '' && styles.empty)}
        onChange={(event) => {
          const option = options.find((one) => one.value === event.target.value);
          if (option) onChange(option.value);
        }}
      >
        {value === '' ? (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        ) : null}
        {[...groupBy(options, ({ group }) => group)].map(([group, some]) => {
          const items = some.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ));
          return group === undefined ? (
            items
          ) : (
            <optgroup key={group} label={group}>
              {items}
            </optgroup>
          );
        })}
      </select>
      <span className={styles.arrow}>
        <ChevronDownIcon />
      </span>
    </span>
  );
}
