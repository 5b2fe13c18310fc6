import { useSession } from './session-store.ts';

/** Where a spot that is clicked is claimed: an admin who has no character here claims for others. */
export function useClaimPage(): '/input' | '/admin/input' {
  return useSession((session) => (session.admin && !session.current ? '/admin/input' : '/input'));
}
