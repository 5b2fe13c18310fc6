import { CONFIG_ID } from '../../shared/kinds.ts';
import { useBoard } from './board-store.ts';
import { useClaimsForOthers } from './use-claim-page.ts';

/** Whether members may submit no claims; live. */
export const useMembersClosed = (): boolean => useBoard((board) => board.byKind.config.get(CONFIG_ID)?.submission_enabled === 0);

/** The same for whoever looks: an admin claims for others all the same. */
export function useClaimsClosed(): boolean {
  const isClosed = useMembersClosed();
  return !useClaimsForOthers() && isClosed;
}
