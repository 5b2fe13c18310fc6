import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import { MAX_PAGE } from '../../../../shared/schemas/fields.ts';
import { getAdminClaims } from '../../../api/calls.ts';

/** Claims of past dates, from the newest back; each with all its rows. */
export interface EarlierClaims {
  rows: readonly ClaimRow[];
  /** How many claims they are. */
  count: number;
  /** How many there are in all. */
  total: number;
  /** The next page begins before this one; null: that is all of them. */
  next: number | null;
}

export const NO_CLAIMS: EarlierClaims = { rows: [], count: 0, total: 0, next: null };

interface Wanted {
  /** The last server-save date. */
  to: string;
  /** Stops when so many are here. */
  most: number;
  signal: AbortSignal;
  onPage?: (claims: EarlierClaims) => void;
}

/**
 * Reads on from what is known, page by page.
 * @returns all that is known then
 * @throws ApiError; what the signal is aborted with
 */
export async function readEarlier(known: EarlierClaims, { to, most, signal, onPage }: Wanted): Promise<EarlierClaims> {
  let claims = known;
  for (let isFirst = known === NO_CLAIMS; isFirst || (claims.next !== null && claims.count < most); isFirst = false) {
    const { records, total } = await getAdminClaims(
      { limit: MAX_PAGE, to, ...(claims.next === null ? {} : { before: claims.next }) },
      signal,
    );
    signal.throwIfAborted();
    const ids = new Set(records.map((row) => row.id));
    const count = claims.count + ids.size;
    claims = {
      rows: [...claims.rows, ...records],
      count,
      total: Math.max(total ?? claims.total, count),
      next: ids.size < MAX_PAGE ? null : Math.min(...ids),
    };
    onPage?.(claims);
  }
  return claims;
}
