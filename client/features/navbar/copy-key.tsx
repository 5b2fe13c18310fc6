import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.tsx';
import styles from './navbar.module.css';

/** Section 9 of the specification. */
const CONFIRMED_MS = 2000;

/** The access key; choosing it copies it and says so for two seconds. */
export function CopyKey({ accessKey }: { accessKey: string }): ReactNode {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    // Without https there is no clipboard.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(accessKey))
      .then(
        () => setCopied(true),
        () => showToast({ tone: 'bad', text: t('shell.profile.copyFailed') }),
      );
  };
  return (
    <MenuItem keepOpen onSelect={copy}>
      <span className={styles.key}>{accessKey}</span>
      <span role="status">
        {copied ? (
          <span className={styles.copied}>
            <CheckIcon size={14} />
            {t('shell.profile.copied')}
          </span>
        ) : null}
      </span>
      {copied ? null : (
        <>
          <CopyIcon />
          <span className="visually-hidden">{t('shell.profile.copyKey')}</span>
        </>
      )}
    </MenuItem>
  );
}
