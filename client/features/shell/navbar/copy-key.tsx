import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../ui/copyable-code.tsx';
import { CheckIcon, CopyIcon, EyeIcon, EyeOffIcon } from '../../../ui/icons.tsx';
import { MenuItem } from '../../../ui/menu-list.tsx';
import styles from './navbar.module.css';

/**
 * The access key, hidden until it is asked for: whoever reads it over a shoulder, or in a shared picture, claims in the member's name.
 * It can be copied unseen; that is said for two seconds.
 */
export function CopyKey({ accessKey }: { accessKey: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(accessKey);
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <MenuItem keepOpen onSelect={() => setIsShown(!isShown)}>
        <span className={styles.key}>
          {isShown ? (
            accessKey
          ) : (
            <>
              <span aria-hidden="true">{accessKey.replace(/[^-]/g, '•')}</span>
              <span className="visually-hidden">{t('shell.profile.accessKey')}</span>
            </>
          )}
        </span>
        {isShown ? <EyeOffIcon /> : <EyeIcon />}
        <span className="visually-hidden">{t(isShown ? 'shell.profile.hideKey' : 'shell.profile.showKey')}</span>
      </MenuItem>
      <MenuItem keepOpen onSelect={copy}>
        <span className={styles.copyKey}>{t('shell.profile.copyKey')}</span>
        <span role="status">
          {copied ? (
            <span className={styles.copied}>
              <CheckIcon size={14} />
              {t('shell.profile.copied')}
            </span>
          ) : null}
        </span>
        {copied ? null : <CopyIcon />}
      </MenuItem>
    </>
  );
}
