import { DomainError, type Json } from '../../shared/errors.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import type { Tx } from '../db/open.ts';
import { claimRows } from './queries.ts';

/** What a refusal names in its sentence at most; its other parameters hold all of it. */
const NAMED = 3;

/** The first of a list for a sentence, and whether there is more. */
export function namedFirst(names: readonly string[]): string {
  const list = names.slice(0, NAMED).join('; ');
  return names.length > NAMED ? `${list}; …` : list;
}

type Code = 'event.claimsOutside' | 'event.hoursTaken' | 'activity.hoursTaken';

/** A refusal that names the claims in the way: who holds which hours of which spot and date. */
export async function inTheWay(tx: Tx, code: Code, claims: readonly Claim[]): Promise<DomainError> {
  const named = (await claimRows(tx, claims)).map(({ id, character_name, respawn_name, date, hour_start, hour_end }) => {
    return { id, character_name, respawn_name, date, hour_start, hour_end };
  });
  const sentences = named.map((claim) =>
    [claim.character_name, claim.respawn_name, claim.date, `SS+${claim.hour_start}-${claim.hour_end}`].filter(Boolean).join(', '),
  );
  const params: Record<string, Json> = { count: claims.length, list: namedFirst(sentences), claims: named };
  return new DomainError(code, params);
}
