import type { ClaimRow } from '../../../../../shared/schemas/claim.ts';
import { MAX_LIST, MAX_PAGE } from '../../../../../shared/schemas/fields.ts';
import { getAdminClaims } from '../../../../api/calls.ts';

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
  onPage?: (read: Omit<EarlierClaims, 'rows'>) => void;
}

/**
 * Reads on from what is known: the newest that one answer holds at once, those before them page by page.
 * @returns all that is known then
 * @throws ApiError; what the signal is aborted with
 */
export async function readEarlier(known: EarlierClaims, { to, most, signal, onPage }: Wanted): Promise<EarlierClaims> {
  const rows = [...known.rows];
  let { count, total, next } = known;
  for (let isFirst = known === NO_CLAIMS; isFirst || (next !== null && count < most); isFirst = false) {
    signal.throwIfAborted();
    const page = await getAdminClaims({ to, ...(next === null ? {} : { limit: MAX_PAGE, before: next }) }, signal);
    signal.throwIfAborted();
    const ids = new Set<number>();
    for (const row of page.records) {
      ids.add(row.id);
      rows.push(row);
    }
    count += ids.size;
    total = Math.max(page.total ?? total, count);
    next = ids.size < (next === null ? MAX_LIST : MAX_PAGE) ? null : smallest(ids);
    onPage?.({ count, total, next });
  }
  return { rows, count, total, next };
}

function smallest(ids: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const id of ids) least = Math.min(least, id);
  return least;
}
