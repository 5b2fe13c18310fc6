import { DomainError, type ErrorCode } from '../../../shared/errors.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Claim, ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { Admin, Member } from '../../auth/callers.ts';
import type { Tx } from '../../db/open.ts';
import { type DatedClaim, loadDatedClaims } from './queries.ts';

/**
 * A claim that somebody acts on: members on their own character's, admins on any.
 * @throws DomainError claim.notFound, or this code where it is somebody else's
 */
export async function ownClaim(tx: Tx, actor: Admin | Member, id: number, otherwise: ErrorCode): Promise<DatedClaim> {
  const [found] = await loadDatedClaims(tx, { of: 'ids', ids: [id] });
  if (!found) throw new DomainError('claim.notFound');
  if (actor.role === 'member' && nameKey(found.claim.character_name) !== actor.character_key) throw new DomainError(otherwise);
  return found;
}

/**
 * The part of a claim that is meant. A whole claim has none to name: what is left of a split one must not be taken by asking
 * twice for its other part (R9.21).
 * @throws DomainError split.whichPart, split.partGone
 */
export function namedPart(claim: Claim, part_number: number | null): ClaimOnRespawn {
  const parts = claimOnRespawns(claim);
  if (claim.is_split_claim && part_number === null) throw new DomainError('split.whichPart');
  const part = parts.find(({ split_part_number }) => split_part_number === part_number);
  if (!part) throw new DomainError('split.partGone');
  return part;
}
