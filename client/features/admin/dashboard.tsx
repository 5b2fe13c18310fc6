import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Health } from '../../../shared/schemas/health.ts';
import { getHealth } from '../../api/calls.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import styles from './admin-page.module.css';
import { AdminPage } from './admin-page.tsx';
import { GeneratedPassword } from './password/generated-password.tsx';

/** The dashboard, and above it what is wrong with the machine. */
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

const ASK_EVERY_MS = 30_000;

/** Says what is wrong with the file that the data is in, for as long as it is. */
export function HealthBanner(): ReactNode {
  const { t } = useTranslation();
  const problem = useProblem();
  if (!problem) return null;
  return (
    <Alert tone="bad" title={t('admin.health.title')} className={styles.banner}>
      {t(`admin.health.${problem}`)}
    </Alert>
  );
}

const WORD = {
  'server.storageLost': 'lost',
  'server.storageDamaged': 'damaged',
  'server.storageReadOnly': 'readOnly',
  'server.storageFull': 'full',
} as const;
type Word = (typeof WORD)[keyof typeof WORD];

/** Asks at once and every half minute. A server that cannot be asked is not told apart: the page says so elsewhere. */
function useProblem(): Word | null {
  const [health, setHealth] = useState<Health>({ problem: null });
  useEffect(() => {
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        setHealth(await getHealth(controller.signal));
      } catch {
        // The last answer stands until there is another.
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, []);
  return health.problem && WORD[health.problem];
}
