import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router-dom';
import { claimIn, shownSpotIn, showSpot, useShownSpot } from '../../../state/board-place.ts';
import { useBoard } from '../../../state/board-store.ts';

/**
 * Shows the spot that the link to the board names, or the one of the claim that its address does, and makes room for any that
 * is asked for.
 * @param date the server-save date in view
 * @param ids the spots that match the filters
 * @param showAll takes the filters away: the spot is not among those
 */
export function useAskedSpot(date: string, ids: readonly number[], showAll: () => void): void {
  const { state, key, search } = useLocation();
  const asked = shownSpotIn(state);
  const show = useEffectEvent((respawn_id: number) => showSpot({ respawn_id, date }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same spot asked for by another navigation is asked for anew
  useEffect(() => {
    if (asked !== null) show(asked);
  }, [asked, key]);
  // Of calendars and notices, which know a claim and no spot. What is chosen on the board meanwhile asks for nothing anew.
  const claim = claimIn(search);
  const itsSpot = useBoard(({ byKind }) => (claim === null ? undefined : byKind.claim.get(claim)?.respawn_id));
  useEffect(() => {
    if (claim !== null && itsSpot !== undefined) show(itsSpot);
  }, [claim, itsSpot]);
  const shown = useShownSpot((state) => state.shown);
  const makeRoom = useEffectEvent((respawn_id: number) => {
    if (!ids.includes(respawn_id)) showAll();
  });
  useEffect(() => {
    if (shown) makeRoom(shown.respawn_id);
  }, [shown]);
}
