import { useLocation } from 'react-router-dom';

/** What the claim form's address asks for: `?respawn=12&date=2026-11-21&hour=14&hours=3`. */
export interface AskedHours {
  respawn_id: number | null;
  date: string | null;
  /** The start, 0 to 23. */
  hour: number | null;
  /** For how long, 1 to 24. */
  hours: number | null;
}

/** Where the claim form begins with what is asked for. */
export function claimSearch({ respawn_id, date, hour, hours }: Partial<AskedHours>): string {
  const asked = Object.entries({ respawn: respawn_id, date, hour, hours }).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return `?${new URLSearchParams(asked)}`;
}

/** What an address asks for; what is no such number is left out, a date is as it stands there. */
export function askedHoursIn(query: URLSearchParams): AskedHours {
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

/** Whom an admin was about to claim for on the board; in the history, too: no link fills in somebody's name. */
export interface AskedClaimant {
  asked_claimant: { character_name: string; member_type: string };
}

/** @returns null when nobody was named */
export function askedClaimantIn(state: unknown): AskedClaimant['asked_claimant'] | null {
  if (typeof state !== 'object' || state === null || !('asked_claimant' in state)) return null;
  const { asked_claimant: asked } = state;
  if (typeof asked !== 'object' || asked === null || !('character_name' in asked) || !('member_type' in asked)) return null;
  const { character_name, member_type } = asked;
  return typeof character_name === 'string' && typeof member_type === 'string' ? { character_name, member_type } : null;
}
