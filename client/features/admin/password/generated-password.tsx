import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { verifyAdmin } from '../../../api/calls.ts';
import { useSession } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import styles from '../admin-page.module.css';
import { ChangePassword } from './change-password.tsx';

/** Asks an admin who still has the password of the first start to choose another; nothing is locked. */
export function GeneratedPassword(): ReactNode {
  const { t } = useTranslation();
  const token = useSession((session) => session.admin?.token ?? null);
  const [isGenerated, setGenerated] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    if (token !== null) {
      // A refusal ends the session by itself, and a server that is away is asked at the next visit.
      void verifyAdmin(token).then(
        (answer) => isCurrent && setGenerated(answer.has_generated_password),
        () => {},
      );
    }
    return () => {
      isCurrent = false;
      setGenerated(false);
    };
  }, [token]);
  if (!isGenerated) return null;
  return (
    <Alert tone="accent" title={t('admin.password.generated.title')} action={<ChangePassword />} className={styles.banner}>
      {t('admin.password.generated.text')}
    </Alert>
  );
}
