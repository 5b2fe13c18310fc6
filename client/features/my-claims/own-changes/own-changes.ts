import { rangesOverlap } from '../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Ending, EndingReason } from '../../../../shared/schemas/ending.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { endedByOther } from '../../../lib/ended-by-other.ts';
import type { BoardState } from '../../../state/board-store.ts';
import { claimsOf } from '../../../state/own-claims.ts';

/** One's own claim, or a part of it, that is gone or has another spot or other hours. */
export interface OwnChange {
  before: ClaimOnRespawn;
  /** null: it is gone, or no longer on the board. */
  after: ClaimOnRespawn | null;
}

/** How a row is found again, the surest first: a split claim that loses a part becomes a whole one, whose part has another number. */
const MATCHES: readonly ((one: ClaimOnRespawn, other: ClaimOnRespawn) => boolean)[] = [
  (one, other) => one.id === other.id && isSamePlace(one, other),
  (one, other) => claimKey(one) === claimKey(other),
  (one, other) => one.id === other.id && one.respawn_id === other.respawn_id && one.hour_start === other.hour_start,
];

/** What changed of some characters' claims, whose names' keys are given; hours that were only held were no claim yet. */
export function ownChanges(
  characters: readonly string[],
  before: BoardState['claimsByRespawn'],
  after: BoardState['claimsByRespawn'],
): OwnChange[] {
  const left = new Set(claimsOf(characters, after));
  const found = new Map<ClaimOnRespawn, ClaimOnRespawn>();
  const claims = claimsOf(characters, before).filter((claim) => !claim.is_held);
  for (const isMatch of MATCHES) {
    for (const claim of claims) {
      if (found.has(claim)) continue;
      const match = [...left].find((other) => isMatch(claim, other));
      if (!match) continue;
      found.set(claim, match);
      left.delete(match);
    }
  }
  return claims.flatMap((claim) => {
    const match = found.get(claim) ?? null;
    return match && isSamePlace(match, claim) ? [] : [{ before: claim, after: match }];
  });
}

const isSamePlace = (one: ClaimOnRespawn, other: ClaimOnRespawn): boolean =>
  one.respawn_id === other.respawn_id && one.hour_start === other.hour_start && one.hour_end === other.hour_end;

/** A change that the member did not make: the claim as it was, as it is now, and what the claim history says of it. */
export interface ReportedChange extends OwnChange {
  /** null: hours were added, or the spot changed, and the claim history does not say who did it. */
  ending: { id: number; reason: EndingReason; by: string } | null;
}

/**
 * Which of some changes the member is told about: those that somebody else made.
 * @param endings what the claim history says of the character, the newest first, without what explained earlier changes
 */
export function changesToReport(changes: readonly OwnChange[], endings: readonly Ending[]): ReportedChange[] {
  return changes.flatMap((change): ReportedChange[] => {
    const ending = endings.find((one) => explains(one, change));
    if (ending) return ending.by !== null && endedByOther(ending) ? [{ ...change, ending: { ...ending, by: ending.by } }] : [];
    // Without an ending nobody knows who took hours away: the member may have, on another device, or the event is over.
    return hasGained(change) ? [{ ...change, ending: null }] : [];
  });
}

/** Whether an ending is of hours that the change took away from this part of the claim. */
export function explains({ claim_id, ...hours }: Ending, { before, after }: OwnChange): boolean {
  const isIn = (claim: ClaimOnRespawn): boolean => claim.respawn_id === hours.respawn_id && rangesOverlap(claim, hours);
  return claim_id === before.id && isIn(before) && !(after && isIn(after));
}

const hasGained = ({ before, after }: OwnChange): boolean =>
  after !== null && (after.respawn_id !== before.respawn_id || after.hour_start < before.hour_start || after.hour_end > before.hour_end);
