import { type ReactNode, useEffect, useState } from 'react';
import { Emblem } from '../emblem.tsx';
import { FileInput, type FileInputProps } from './file-input.tsx';

export interface PictureInputProps extends Pick<FileInputProps, 'accept' | 'onFile' | 'label' | 'disabled' | 'invalid'> {
  /** The file that was chosen; null: none yet. */
  file: File | null;
  /** The address of the picture that there is already. */
  current?: string | undefined;
  /** What it is of: its first letter stands in where there is no picture. */
  name: string;
  /** What to do: "Choose or drop a .gif". */
  prompt: string;
}

/** A picture, chosen or dropped, and how it will look. */
export function PictureInput({ file, current, name, prompt, ...input }: PictureInputProps): ReactNode {
  const address = useFileAddress(file) ?? current;
  return (
    <FileInput {...input} text={file?.name ?? prompt}>
      {address ? <Emblem src={address} name={name} /> : null}
    </FileInput>
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
