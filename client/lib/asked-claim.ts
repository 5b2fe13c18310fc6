import { useLocation } from 'react-router-dom';

/**
 * What a visitor wanted to claim before the login or the verification, as the claim form's address has it: `?respawn=12&date=…&hour=14`.
 * It travels in the history, never in an address: a link from elsewhere cannot set it, and it names no page.
 */
export interface AskedClaim {
  asked_claim: string;
}

export const askedClaim = (search: string): AskedClaim => ({ asked_claim: search });

/** @returns the empty string when nothing was asked for */
export function askedClaimIn(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('asked_claim' in state)) return '';
  return typeof state.asked_claim === 'string' ? state.asked_claim : '';
}

/** What the page in view was handed on, for whatever comes after it. */
export function useAskedClaim(): AskedClaim {
  return askedClaim(askedClaimIn(useLocation().state));
}
