import type { ReactNode, Ref } from 'react';
import { FALLBACK_COLOR } from '../../../shared/rules/badge.ts';
import { HEX_COLOR } from '../../../shared/schemas/fields.ts';
import styles from './color-input.module.css';
import { TextInput } from './inputs.tsx';

export interface ColorInputProps {
  /** The typed text; a colour if it is #rgb or #rrggbb. */
  value: string;
  onChange: (text: string) => void;
  onBlur?: (() => void) | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
  /** The accessible name of the colour picker. */
  pickLabel: string;
}

export const isHexColor = (text: string): boolean => HEX_COLOR.test(text);

export function ColorInput({
  value,
  onChange,
  onBlur,
  ref,
  pickLabel,
}: ColorInputProps): ReactNode {
  const tidy = (): void => {
    const hex = value.trim();
    const whole = `#${hex}`;
    if (!isHexColor(hex) && isHexColor(whole)) onChange(whole);
    else if (hex !== value) onChange(hex);
    onBlur?.();
  };
  return (
    <span className={styles.row}>
      <input
        type="color"
        aria-label={pickLabel}
        className={styles.palette}
        value={isHexColor(value) ? sixDigits(value) : FALLBACK_COLOR}
        onChange={(event) => onChange(event.target.value)}
      />
      <TextInput
        ref={ref}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={tidy}
        maxLength={8}
        spellCheck={false}
        autoComplete="off"
      />
    </span>
  );
}

/** `input type=color` accepts only #rrggbb. */
const sixDigits = (color: string): string =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color;
