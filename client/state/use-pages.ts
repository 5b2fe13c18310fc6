import { useTranslation } from 'react-i18next';
import { useMay } from './permissions.ts';
import { useSession } from './session-store.ts';

export interface Page {
  to: string;
  label: string;
  /** Active only at exactly this path, not below it. */
  end: boolean;
}

/** The navigation entries for the caller. */
export function usePages(): Page[] {
  const { t } = useTranslation();
  const isAdmin = useSession((session) => session.admin !== null);
  const mayClaim = useMay('claims');
  const page = (to: string, label: string, end = false): Page => ({ to, label, end });
  return [
    page('/', t('shell.home'), true),
    // It leads to the login of admins who are not signed in yet.
    page('/admin/dashboard', t('shell.dashboard')),
    page('/input', t('shell.submitClaim')),
    page('/verify', t('shell.verifyCharacter')),
    // The panel is the dashboard by its other name: only one of the two is marked as the page one is on.
    ...(mayClaim ? [page('/admin/input', t('shell.adminInput'))] : []),
    ...(isAdmin ? [page('/admin', t('shell.adminPanel'), true)] : []),
  ];
}
