import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getHealth } from '../../api/calls.ts';
import { useServerQuery } from '../../api/query.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import styles from './admin-page.module.css';
import { AdminPage } from './admin-page.tsx';
import { GeneratedPassword } from './password/generated-password.tsx';

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
