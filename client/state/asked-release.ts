import { create } from 'zustand';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';

/** A claim of one's own, or a part of a split one, of which it was asked to give back the hours that are left; null: none. */
export const useAskedRelease = create<{ asked: ClaimOnRespawn | null }>(() => ({ asked: null }));

/** Asks about it, wherever the claim was met. */
export const askToRelease = (asked: ClaimOnRespawn): void => useAskedRelease.setState({ asked });
export const stopAskingToRelease = (): void => useAskedRelease.setState({ asked: null });

/** Closes the question about this claim, unless another one has been opened while its answer was under way. */
export function finishAskingToRelease(claim: ClaimOnRespawn): void {
  if (useAskedRelease.getState().asked === claim) stopAskingToRelease();
}
