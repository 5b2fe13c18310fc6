import { useTranslation } from 'react-i18next';
import { useMay } from './permissions.ts';
import { useSession } from './session-store.ts';

export interface Page {
  to: string;
  label: string;
  /** Active only at exactly this path, not below it. */
  end: boolean;
}

/** The navigation entries for the caller, each with a page of its own. */
export function usePages(): Page[] {
  const { t } = useTranslation();
  const isAdmin = useSession((session) => session.admin !== null);
  const isMember = useSession((session) => session.current !== null);
  const mayClaim = useMay('claims');
  const page = (to: string, label: string, end = false): Page => ({ to, label, end });
  return [
    page('/', t('shell.home'), true),
    // A member's dashboard is their own claims. A visitor may be an admin, and signs in there.
    ...(isMember || !isAdmin
      ? [page(isMember ? '/mine' : '/admin/dashboard', t('shell.dashboard'))]
      : []),
    // Without a character, admins only claim for others.
    ...(isMember || !isAdmin ? [page('/input', t('shell.submitClaim'))] : []),
    page('/verify', t('shell.verifyCharacter')),
    ...(mayClaim ? [page('/admin/input', t('shell.adminInput'))] : []),
    ...(isAdmin ? [page('/admin/dashboard', t('shell.adminPanel'))] : []),
  ];
}
