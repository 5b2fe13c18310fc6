import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/copyable-code.tsx';
import { CheckIcon, CopyIcon } from '../../../ui/icons.tsx';
import styles from './copy-box.module.css';

/** A code or a key in large letters, to be copied with one press, which is confirmed for two seconds. */
export function CopyBox({ text, label }: { text: string; label: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <div className={styles.box}>
      <code className={styles.text}>{text}</code>
      <Button onClick={copy} className={styles.copy}>
        {copied ? <CheckIcon /> : <CopyIcon />}
        <span role="status">{copied ? t('shell.profile.copied') : label}</span>
      </Button>
    </div>
  );
}
