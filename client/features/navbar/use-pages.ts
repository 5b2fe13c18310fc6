import { useTranslation } from 'react-i18next';
import { useSession } from '../../store/session-store.ts';
import { useClaimPage } from '../../store/use-claim-page.ts';

/** The pages that the navigation leads to, for whoever is looking. */
export function usePages(): { to: string; label: string }[] {
  const { t } = useTranslation();
  const isAdmin = useSession((session) => session.admin !== null);
  const claimsForOthers = useClaimPage() === '/admin/input';
  return [
    { to: '/', label: t('shell.home') },
    // By the name that admins know it by when they are not signed in yet; it leads to their login then.
    ...(isAdmin ? [] : [{ to: '/admin/dashboard', label: t('shell.dashboard') }]),
    ...(claimsForOthers ? [] : [{ to: '/input', label: t('shell.submitClaim') }]),
    { to: '/verify', label: t('shell.verifyCharacter') },
    ...(isAdmin
      ? [
          { to: '/admin/input', label: t('shell.adminInput') },
          { to: '/admin/dashboard', label: t('shell.adminPanel') },
        ]
      : []),
  ];
}
