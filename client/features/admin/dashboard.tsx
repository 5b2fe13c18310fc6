import { skipToken } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getHealth } from '../../api/admin-calls.ts';
import { verifyAdmin } from '../../api/calls.ts';
import { useServerQuery } from '../../api/query.ts';
import { openOverlay } from '../../state/overlays.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './admin-page.module.css';
import { AdminPage } from './admin-page.tsx';

/** The dashboard below the server's storage problems. */
export function Dashboard(): ReactNode {
  const isAdmin = useSession((session) => session.admin !== null);
  return (
    <>
      {isAdmin ? <HealthBanner /> : null}
      {isAdmin ? <GeneratedPassword /> : null}
      <AdminPage />
    </>
  );
}

const INTERVAL_MS = 30_000;

const TEXT = {
  'server.storageLost': 'lost',
  'server.storageDamaged': 'damaged',
  'server.storageReadOnly': 'readOnly',
  'server.storageFull': 'full',
} as const;
/** Reports problems of the data file's storage. A server that cannot be reached is reported elsewhere on the page. */
export function HealthBanner(): ReactNode {
  const { t } = useTranslation();
  const { data: health } = useServerQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => getHealth(signal),
    refetchInterval: INTERVAL_MS,
  });
  if (!health?.problem) return null;
  return (
    <Alert tone="bad" title={t('admin.health.title')} className={styles.banner}>
      {t(`admin.health.${TEXT[health.problem]}`)}
    </Alert>
  );
}

/** Asks an admin who still has the generated password of the first start to choose their own. Nothing is locked. */
export function GeneratedPassword(): ReactNode {
  const { t } = useTranslation();
  const token = useSession((session) => session.admin?.token ?? null);
  // A refusal ends the session elsewhere; if the server can't be reached, the next visit asks again.
  const { data } = useServerQuery({
    queryKey: ['own admin account'],
    queryFn: token === null ? skipToken : ({ signal }) => verifyAdmin(token, signal),
  });
  if (!data?.has_generated_password) return null;
  return (
    <Alert
      tone="accent"
      title={t('admin.password.generated.title')}
      action={<Button onClick={() => openOverlay('changePassword', {})}>{t('admin.password.change')}</Button>}
      className={styles.banner}
    >
      {t('admin.password.generated.text')}
    </Alert>
  );
}
