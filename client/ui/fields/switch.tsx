import { type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import styles from './switch.module.css';

export interface SwitchProps {
  label: string;
  /** The state as a word, such as "on". */
  state: string;
  on: boolean;
  onChange: (on: boolean) => void;
  /** The change is being sent: further presses are ignored. */
  busy?: boolean | undefined;
  /** It cannot be pressed; the page says why. */
  blocked?: boolean | undefined;
}

export function Switch({
  label,
  state,
  on,
  onChange,
  busy = false,
  blocked = false,
}: SwitchProps): ReactNode {
  const id = useId();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-labelledby={id}
      aria-busy={busy || undefined}
      aria-disabled={busy || blocked || undefined}
      className={classes(styles.switch, on && styles.on)}
      onClick={() => (busy || blocked ? undefined : onChange(!on))}
    >
      <span className={styles.track}>
        <span className={styles.knob} />
      </span>
      <span id={id}>{label}</span>
      {/* Drawn by CSS: visible text must be part of a control's name, but screen readers announce the state already. */}
      <span aria-hidden="true" className={styles.state} data-state={state} />
    </button>
  );
}
