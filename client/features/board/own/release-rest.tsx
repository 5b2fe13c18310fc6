import type { ReactNode } from 'react';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../state/board-store.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { useDeeds } from '../../../state/own-deeds.ts';
import { ReleaseButton } from '../../../ui/release-button.tsx';

/** "Release the rest" of a claim of one's own while it runs, where the guild allows it; it goes by a clock of its own. */
export function ReleaseRest({ claim }: { claim: ClaimOnRespawn }): ReactNode {
  const isRunning = useHasRest(claim);
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  const isOffline = useBoard((board) => board.connection === 'offline');
  if (!isRunning) return null;
  return <ReleaseButton small isRunning spot={spot} isOffline={isOffline} onPress={() => openOverlay('release', { claim })} />;
}

/** Whether a claim of one's own has begun, and has hours left that can be given back. Whoever asks renders once a minute. */
export function useHasRest(claim: ClaimOnRespawn): boolean {
  const release = useDeeds()(claim).release;
  return release !== null && release.stays !== null;
}
