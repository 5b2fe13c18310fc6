import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../ui/copyable-code.tsx';
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx';
import { MenuItem } from '../../ui/menu-list.tsx';
import styles from './navbar.module.css';

/** The access key; choosing it copies it and says so for two seconds. */
export function CopyKey({ accessKey }: { accessKey: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(accessKey);
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
