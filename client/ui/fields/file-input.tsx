import { type ReactNode, useState } from 'react';
import { classes } from '../classes.ts';
import { useFieldWiring } from './field.tsx';
import styles from './file-input.module.css';

export interface FileInputProps {
  /** What the picker offers, such as ".gif". */
  accept: string;
  /** Told of whatever was chosen or dropped: a drop may be of any type. */
  onFile: (file: File) => void;
  /** The chosen file's name, or what to do: "Choose or drop a .gif". */
  text: string;
  /** Its name, unless a Field around it gives one. */
  label?: string | undefined;
  disabled?: boolean | undefined;
  /** Refused, where no Field around it says so. */
  invalid?: boolean | undefined;
  /** Before the text. */
  children?: ReactNode;
}

/** A file, chosen or dropped. */
export function FileInput({ accept, onFile, text, label, disabled, invalid, children }: FileInputProps): ReactNode {
  const [over, setOver] = useState(false);
  return (
    <span className={classes(styles.box, over && styles.over)}>
      {children}
      <span className={styles.text}>{text}</span>
      {/* It lies over all of the box: a press opens the picker and a drop lands in it without any code of ours. */}
      <input
        {...useFieldWiring()}
        {...(invalid ? { 'aria-invalid': true } : {})}
        type="file"
        accept={accept}
        aria-label={label}
        disabled={disabled}
        className={styles.input}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          // Or the same file, mended meanwhile, could not be chosen again.
          event.target.value = '';
          if (chosen) onFile(chosen);
        }}
      />
    </span>
  );
}
