import { DomainError, type Json } from '../../../shared/errors.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Tx } from '../../db/open.ts';
import { claimRows, loadClaims } from './queries.ts';

/** What a refusal names in its sentence at most. */
const NAMED = 3;
/** Claims that its other parameters hold at most; how many there are, they say. */
export const LISTED = 100;

/** The first of a list for a sentence, and whether there is more. */
export function namedFirst(names: readonly string[]): string {
  const list = names.slice(0, NAMED).join('; ');
  return names.length > NAMED ? `${list}; …` : list;
}

type Code = 'event.claimsOutside' | 'event.hoursTaken' | 'activity.hoursTaken';

/**
 * A refusal that names the claims in the way: who holds which hours of which spot and date.
 * @param claims all of them, or enough to list
 * @param count how many they are
 */
export async function inTheWay(tx: Tx, code: Code, claims: readonly Claim[], count: number): Promise<DomainError> {
  const rows = await claimRows(tx, claims.slice(0, LISTED));
  const named = rows.map(({ id, character_name, respawn_name, date, hour_start, hour_end }) => {
    return { id, character_name, respawn_name, date, hour_start, hour_end };
  });
  const sentences = named.map((claim) =>
    [claim.character_name, claim.respawn_name, claim.date, `SS+${claim.hour_start}-${claim.hour_end}`].filter(Boolean).join(', '),
  );
  const params: Record<string, Json> = { count, list: namedFirst(sentences), claims: named };
  return new DomainError(code, params);
}

export async function inTheWayByIds(tx: Tx, code: Code, ids: readonly number[]): Promise<DomainError> {
  const first = [...ids].sort((a, b) => a - b).slice(0, LISTED);
  return inTheWay(tx, code, await loadClaims(tx, { of: 'ids', ids: first }), ids.length);
}
