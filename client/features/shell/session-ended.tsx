import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { clearEnded, useSession } from '../../store/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './page.module.css';

/** Why somebody who was signed in is not any more: revoked, banned, expired. */
export function SessionEnded(): ReactNode {
  const { t } = useTranslation();
  const ended = useSession((session) => session.ended);
  if (!ended) return null;
  return (
    <Alert
      tone="bad"
      className={styles.notice}
      action={<IconButton small label={t('common.dismiss')} icon={<CloseIcon size={14} />} onClick={() => clearEnded()} />}
    >
      {t(`errors.${ended}`)}
    </Alert>
  );
}
