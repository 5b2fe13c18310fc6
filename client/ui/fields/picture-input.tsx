import { type ReactNode, useEffect, useState } from 'react';
import { classes } from '../classes.ts';
import { Emblem } from '../emblem.tsx';
import { useFieldWiring } from './field.tsx';
import styles from './picture-input.module.css';

export interface PictureInputProps {
  /** What the picker offers, such as ".gif". */
  accept: string;
  /** The file that was chosen; null: none yet. */
  file: File | null;
  /** Told of whatever was chosen or dropped: a drop may be of any type. */
  onFile: (file: File) => void;
  /** The address of the picture that there is already. */
  current?: string | undefined;
  /** What it is of: its first letter stands in where there is no picture. */
  name: string;
  /** What to do: "Choose or drop a .gif". */
  prompt: string;
  /** Its name, unless a Field around it gives one. */
  label?: string | undefined;
  disabled?: boolean | undefined;
}

/** A picture, chosen or dropped, and how it will look. */
export function PictureInput({ accept, file, onFile, current, name, prompt, label, disabled }: PictureInputProps): ReactNode {
  const [over, setOver] = useState(false);
  const address = useFileAddress(file) ?? current;
  return (
    <span className={classes(styles.box, over && styles.over)}>
      {address ? <Emblem src={address} name={name} /> : null}
      <span className={styles.text}>{file?.name ?? prompt}</span>
      {/* It lies over all of the box: a press opens the picker and a drop lands in it without any code of ours. */}
      <input
        {...useFieldWiring()}
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

/** An address at which this page can show a file that was chosen here; null without one. */
function useFileAddress(file: File | null): string | null {
  const [shown, setShown] = useState<{ file: File; address: string } | null>(null);
  useEffect(() => {
    if (!file) return;
    const address = URL.createObjectURL(file);
    setShown({ file, address });
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return shown && shown.file === file ? shown.address : null;
}
