import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLocalBlocked } from '../../lib/storage.ts';
import { isProfileKept } from '../../state/saved-profiles.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './page.module.css';

/** Tells members and admins that the browser will forget their session, until they dismiss it. */
export function StorageNotice(): ReactNode {
  const { t } = useTranslation();
  // A member's key is in a cookie, an admin's token in local storage.
  const isMemberForgotten = useSession(({ current }) => current !== null && !isProfileKept(current));
  const isAdmin = useSession(({ admin }) => admin !== null);
  const [isBlocked] = useState(isLocalBlocked);
  const [isRead, setRead] = useState(false);
  if (isRead || !(isMemberForgotten || (isAdmin && isBlocked))) return null;
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
