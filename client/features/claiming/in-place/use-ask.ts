import { useNavigate } from 'react-router-dom';
import { lengthOf } from '../../../../shared/rules/stretch.ts';
import { askedClaim, claimSearch } from '../../../lib/asked-claim.ts';
import { type Chosen, claimantsNow } from './claimants.ts';
import { startPlacing, stopPlacing } from './placing.ts';
import type { Spot } from './standing.ts';

const LOGIN = '/login?type=access-key';

/** Asks about hours that are chosen. Answers false where there is nothing to ask. */
export type Ask = (spot: Spot, chosen: Chosen, anchor: HTMLElement) => boolean;

export function useAsk(): Ask {
  const navigate = useNavigate();
  return (spot, { claimant, range, isRefused }, anchor) => {
    if (!range && !isRefused) return false;
    if (claimantsNow().length > 0) {
      startPlacing({ ...spot, claimant, range, phase: 'asking', anchor });
      return true;
    }
    // A visitor: what was chosen is in the form after the login.
    const hours = range ? { hour: range.hour_start, hours: lengthOf(range) } : {};
    stopPlacing();
    void navigate(LOGIN, { state: askedClaim(claimSearch({ ...spot, ...hours })) });
    return true;
  };
}
