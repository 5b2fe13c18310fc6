import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLocalBlocked } from '../../lib/storage.ts';
import { useSession } from '../../store/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './page.module.css';

/** Tells someone who signed in that the browser will forget it: once, until they close it. */
export function StorageNotice(): ReactNode {
  const { t } = useTranslation();
  const isSignedIn = useSession((session) => session.current !== null || session.admin !== null);
  const [isBlocked] = useState(isLocalBlocked);
  const [isRead, setRead] = useState(false);
  if (!isBlocked || !isSignedIn || isRead) return null;
  return (
    <Alert
      tone="accent"
      title={t('shell.storage.title')}
      className={styles.notice}
      action={<IconButton small label={t('common.dismiss')} icon={<CloseIcon size={14} />} onClick={() => setRead(true)} />}
    >
      {t('shell.storage.text')}
    </Alert>
  );
}
