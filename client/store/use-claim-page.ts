import { useSession } from './session-store.ts';

/** An admin who has no character here claims for others, and may enter what was. */
export const useClaimsForOthers = (): boolean => useSession((session) => session.admin !== null && !session.current);

/** Where a spot that is clicked is claimed. */
export function useClaimPage(): '/input' | '/admin/input' {
  return useClaimsForOthers() ? '/admin/input' : '/input';
}
