import { may } from '../../shared/rules/roles.ts';
import { useSession } from './session-store.ts';

/** An admin who has no character here claims for others, and may enter what was. */
export const useClaimsForOthers = (): boolean =>
  useSession(({ admin, current }) => admin !== null && may(admin.role, 'claims') && !current);

/** Where a spot that is clicked is claimed. */
export function useClaimPage(): '/input' | '/admin/input' {
  return useClaimsForOthers() ? '/admin/input' : '/input';
}
