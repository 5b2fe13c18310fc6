import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import styles from './table.module.css';

interface PhoneFoldProps {
  label: string;
  children: ReactNode;
}

/** On a phone a button that unfolds its content, so that a list begins on the first screen; elsewhere the content alone. */
export function PhoneFold({ label, children }: PhoneFoldProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        className={styles.fold}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      <div id={id} className={classes(styles.folded, isOpen && styles.unfolded)}>
        {children}
      </div>
    </>
  );
}
