import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import styles from './two-step-button.module.css';
import { useAction } from './use-action.ts';

export interface TwoStepButtonProps {
  label: string;
  /** Its text after the first press: the next press does it. */
  confirmLabel: string;
  /** Their names for screen readers: which one of several. */
  name: string;
  confirmName: string;
  warning: ReactNode;
  /** Reports its own failure. */
  onConfirm: () => Promise<void>;
}

/** How long the second press is waited for, in milliseconds. */
const ARMED_MS = 8000;

/** Something that cannot be taken back, for which a dialog would be too much: it is done at the second press. */
export function TwoStepButton({
  label,
  confirmLabel,
  name,
  confirmName,
  warning,
  onConfirm,
}: TwoStepButtonProps): ReactNode {
  const [armed, setArmed] = useState(false);
  const action = useAction({ work: onConfirm, done: () => setArmed(false) });
  useEffect(() => {
    if (!armed || action.isBusy) return;
    const timer = setTimeout(() => setArmed(false), ARMED_MS);
    return () => clearTimeout(timer);
  }, [armed, action.isBusy]);

  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (!armed) {
      // Not every browser focuses a pressed button, and leaving it takes the first press back.
      event.currentTarget.focus();
      setArmed(true);
    } else if (event.detail < 2) {
      action.run();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // A key held down is one press.
    if (event.repeat) event.preventDefault();
    if (event.key === 'Escape' && armed) setArmed(false);
  };
  return (
    <span className={styles.box}>
      <Button
        small
        variant="danger"
        busy={action.isBusy}
        onClick={press}
        onKeyDown={onKeyDown}
        onBlur={() => setArmed(false)}
        aria-label={armed ? confirmName : name}
      >
        {armed ? confirmLabel : label}
      </Button>
      <span role="status" className={styles.warning}>
        {armed ? warning : null}
      </span>
    </span>
  );
}
