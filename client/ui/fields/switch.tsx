import { type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import styles from './switch.module.css';

export interface SwitchProps {
  label: string;
  /** The state in a word: "on", "off". */
  state: string;
  on: boolean;
  onChange: (on: boolean) => void;
  /** The change is under way: it takes no second press. */
  busy?: boolean | undefined;
}

/** Something that is on or off, and changes at a press. */
export function Switch({ label, state, on, onChange, busy = false }: SwitchProps): ReactNode {
  const id = useId();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-labelledby={id}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={classes(styles.switch, on && styles.on)}
      onClick={() => (busy ? undefined : onChange(!on))}
    >
      <span className={styles.track}>
        <span className={styles.knob} />
      </span>
      <span id={id}>{label}</span>
      {/* Drawn, not written: what a control has written on it is to be in its name, and it says its state by itself. */}
      <span aria-hidden="true" className={styles.state} data-state={state} />
    </button>
  );
}
