import type { ReactNode } from 'react';
import { useSession } from '../../store/session-store.ts';
import { AdminPage } from './admin-page.tsx';
import { HealthBanner } from './health-banner.tsx';

/** The dashboard, and above it what is wrong with the machine. */
export function Dashboard(): ReactNode {
  const isAdmin = useSession((session) => session.admin !== null);
  return (
    <>
      {isAdmin ? <HealthBanner /> : null}
      <AdminPage />
    </>
  );
}
