import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { firstFit } from '../../../../shared/rules/stretch.ts';
import { claimSearch } from '../../../lib/asked-claim.ts';
import { showSpot } from '../../../state/board-place.ts';
import { useClaimPage } from '../../../state/permissions.ts';
import { takeUpClaim, useSpotToClaim } from '../../../state/spot-to-claim.ts';
import { chooseFor } from './claimants.ts';
import { boxOf } from './hours-box.ts';
import type { Ask } from './use-ask.ts';

/** A board that is drawn bit by bit may take so long to have the spot, in milliseconds. */
const DRAWN_WITHIN_MS = 5000;

interface View {
  /** The server-save date in view, and the one that is claimed for. */
  date: string;
  wanted: string;
  /** Nothing can be claimed in this view. */
  isOff: boolean;
  ask: Ask;
}

/** Claims in place on the spot that was asked for by its name, as soon as the board shows its date; where nothing is free, in the form. */
export function useSpotToClaimInPlace({ date, wanted, isOff, ask }: View): void {
  const asked = useSpotToClaim((state) => state.respawn_id);
  const navigate = useNavigate();
  const page = useClaimPage();
  const isShown = date === wanted;
  const begin = useEffectEvent((respawn_id: number) => {
    takeUpClaim();
    const spot = { respawn_id, date };
    const toForm = (): void => void navigate(page + claimSearch({ respawn_id }));
    const { range, isRefused } = chooseFor(spot, firstFit);
    if (isOff || (!range && !isRefused)) {
      toForm();
      return;
    }
    showSpot(spot);
    whenDrawn(respawn_id, (box) => {
      const hour = range && box?.querySelector<HTMLElement>(`a[data-hour="${range.hour_start}"]`);
      if (!box || !ask(spot, chooseFor(spot, firstFit), hour ?? box)) toForm();
    });
  });
  useEffect(() => {
    if (asked !== null && isShown) begin(asked);
  }, [asked, isShown]);
}

/** Hears of the hours of a spot as soon as they are in the document, a frame later at the earliest; of null when they do not come. */
function whenDrawn(respawn_id: number, then: (box: HTMLElement | null) => void): void {
  const page = window.location.pathname;
  const until = Date.now() + DRAWN_WITHIN_MS;
  const look = (): void => {
    // Whoever has gone elsewhere meanwhile is not asked.
    if (window.location.pathname !== page) return;
    const box = boxOf(respawn_id);
    if (box || Date.now() > until) then(box);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
