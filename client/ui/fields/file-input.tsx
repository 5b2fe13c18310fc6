import { type ReactNode, useEffect, useState } from 'react';
import { classes } from '../classes.ts';
import { Emblem } from '../emblem.tsx';
import { useFieldWiring } from './field.tsx';
import styles from './file-input.module.css';

export interface FileInputProps {
  /** The file types of the picker, such as ".gif". */
  accept: string;
  /** Receives any type of file: `accept` does not restrict drops. */
  onFile: (file: File) => void;
  /** The chosen file's name, or a prompt such as "Choose or drop a .gif". */
  text: string;
  /** Its name, unless a Field around it gives one. */
  label?: string | undefined;
  disabled?: boolean | undefined;
  /** Refused, where no Field around it says so. */
  invalid?: boolean | undefined;
  /** Before the text. */
  children?: ReactNode;
}

export function FileInput({
  accept,
  onFile,
  text,
  label,
  disabled,
  invalid,
  children,
}: FileInputProps): ReactNode {
  const [over, setOver] = useState(false);
  return (
    <span className={classes(styles.box, over && styles.over)}>
      {children}
      <span className={styles.text}>{text}</span>
      {/* Covers the box, so that the browser itself opens the picker and takes drops. */}
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
          // Otherwise the same file could not be chosen again after it was corrected.
          event.target.value = '';
          if (chosen) onFile(chosen);
        }}
      />
    </span>
  );
}

export interface PictureInputProps
  extends Pick<FileInputProps, 'accept' | 'onFile' | 'label' | 'disabled' | 'invalid'> {
  file: File | null;
  /** The address of the current picture. */
  current?: string | undefined;
  /** The name of the picture; its first letter replaces a missing one. */
  name: string;
  /** Such as "Choose or drop a .gif". */
  prompt: string;
}

export function PictureInput({
  file,
  current,
  name,
  prompt,
  ...input
}: PictureInputProps): ReactNode {
  const address = useFileAddress(file) ?? current;
  return (
    <FileInput {...input} text={file?.name ?? prompt}>
      {address ? <Emblem src={address} name={name} /> : null}
    </FileInput>
  );
}

function useFileAddress(file: File | null): string | null {
  const [preview, setPreview] = useState<{ file: File; address: string } | null>(null);
  useEffect(() => {
    if (!file) return;
    const address = URL.createObjectURL(file);
    setPreview({ file, address });
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return preview && preview.file === file ? preview.address : null;
}
