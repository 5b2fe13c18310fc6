import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { Ending } from '../../../shared/schemas/ending.ts';
import { claimKey } from '../../lib/claim-order.ts';
import { endedByOther } from '../../lib/ended-by-other.ts';
import type { BoardState } from '../../store/board-store.ts';
import { claimsOf } from '../../store/own-claims.ts';

/** One's own claim, or a part of it, that is gone or has another spot or other hours. */
export interface OwnChange {
  before: ClaimOnRespawn;
  /** null: it is gone, or no longer on the board. */
  after: ClaimOnRespawn | null;
}

/** What changed of some characters' claims, whose names' keys are given; hours that were only held were no claim yet. */
export function ownChanges(
  characters: readonly string[],
  before: BoardState['claimsByRespawn'],
  after: BoardState['claimsByRespawn'],
): OwnChange[] {
  const now = new Map(claimsOf(characters, after).map((claim) => [claimKey(claim), claim]));
  return claimsOf(characters, before).flatMap((claim) => {
    if (claim.is_held) return [];
    const found = now.get(claimKey(claim)) ?? null;
    return found && isSamePlace(found, claim) ? [] : [{ before: claim, after: found }];
  });
}

const isSamePlace = (one: ClaimOnRespawn, other: ClaimOnRespawn): boolean =>
  one.respawn_id === other.respawn_id && one.hour_start === other.hour_start && one.hour_end === other.hour_end;

/** A change that an admin made: the claim as it was, as it is now, who did it and why. */
export interface ChangeByAdmin extends OwnChange {
  reason: Ending['reason'];
  /** null: hours were only added, of which the claim history says nothing. */
  by: string | null;
}

/**
 * Which of some changes an admin made.
 * @param endings what the claim history says of the character since the board was last like before, the newest first
 */
export function madeByAdmins(changes: readonly OwnChange[], endings: readonly Ending[]): ChangeByAdmin[] {
  return changes.flatMap((change): ChangeByAdmin[] => {
    const latest = endings.find(({ claim_id }) => claim_id === change.before.id);
    if (latest) return endedByOther(latest) ? [{ ...change, reason: latest.reason, by: latest.by }] : [];
    // Members only give hours back, and a claim without an ending left the board with its event.
    return change.after ? [{ ...change, reason: 'edited', by: null }] : [];
  });
}
