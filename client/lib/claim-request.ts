import { useLocation } from 'react-router-dom';

/** The choices in the claim form's address: `?respawn=12&date=2026-11-21&hour=14&hours=3`. */
export interface RequestedHours {
  respawn_id: number | null;
  date: string | null;
  /** The start, 0 to 23. */
  hour: number | null;
  /** For how long, 1 to 24. */
  hours: number | null;
}

/** The claim form's address with some choices. */
export function claimSearch({ respawn_id, date, hour, hours }: Partial<RequestedHours>): string {
  const choices = Object.entries({ respawn: respawn_id, date, hour, hours }).flatMap(
    ([name, value]) => (value === null || value === undefined ? [] : [[name, String(value)]]),
  );
  return `?${new URLSearchParams(choices)}`;
}

/** The choices of an address; invalid numbers are left out, a date is not checked. */
export function requestedHoursIn(query: URLSearchParams): RequestedHours {
  return {
    respawn_id: wholeNumber(query.get('respawn'), 1, Number.MAX_SAFE_INTEGER),
    date: query.get('date'),
    hour: wholeNumber(query.get('hour'), 0, 23),
    hours: wholeNumber(query.get('hours'), 1, 24),
  };
}

function wholeNumber(text: string | null, min: number, max: number): number | null {
  if (text === null || !/^\d+$/.test(text)) return null;
  const number = Number(text);
  return number >= min && number <= max ? number : null;
}

/**
 * The hours that a visitor chose before signing in or verifying, as in the claim form's address: `?respawn=12&date=…&hour=14`. They
 * are kept in the history state, never in an address, so that a link from elsewhere cannot set them.
 */
export interface KeptRequest {
  requested_claim: string;
}

export const keepRequest = (search: string): KeptRequest => ({ requested_claim: search });

/** @returns the empty string when nothing was requested */
export function keptRequestIn(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('requested_claim' in state)) return '';
  return typeof state.requested_claim === 'string' ? state.requested_claim : '';
}

/** The request that this page was given, to pass on to the next one. */
export function useKeptRequest(): KeptRequest {
  return keepRequest(keptRequestIn(useLocation().state));
}

/** An admin's claimant on the board; also in the history state, so that no link fills in a name. */
export interface KeptClaimant {
  requested_claimant: { character_name: string; member_type: string };
}

/** @returns null when none was named */
export function keptClaimantIn(state: unknown): KeptClaimant['requested_claimant'] | null {
  if (typeof state !== 'object' || state === null || !('requested_claimant' in state)) return null;
  const { requested_claimant: claimant } = state;
  if (
    typeof claimant !== 'object' ||
    claimant === null ||
    !('character_name' in claimant) ||
    !('member_type' in claimant)
  )
    return null;
  const { character_name, member_type } = claimant;
  return typeof character_name === 'string' && typeof member_type === 'string'
    ? { character_name, member_type }
    : null;
}
