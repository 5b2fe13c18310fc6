import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import styles from './copyable-code.module.css';

/** A key or code, to be read letter by letter, with a button that copies it. */
export function CopyableCode({ text, copyLabel }: { text: string; copyLabel: string }): ReactNode {
  return (
    <span className={styles.box}>
      <code className={styles.code}>{text}</code>
      <CopyButton text={text} label={copyLabel} />
    </span>
  );
}
