import type { Claim, ClaimOnRespawn, SplitClaim } from '../schemas/claim.ts';

/** A claim's rows by respawn: itself, or one row for each part of a split claim. */
export function claimOnRespawns(claim: Claim): ClaimOnRespawn[] {
  if (!claim.is_split_claim) return [{ ...claim, split_group_id: null, split_part_number: null }];
  return claim.split_parts.map((part) => ({
    ...claim,
    respawn_id: part.respawn_id,
    hour_start: part.hour_start,
    hour_end: part.hour_start + part.duration,
    split_group_id: claim.id,
    split_part_number: part.part_number,
  }));
}

/** The parts of a split claim as its rows list them; undefined if it is whole, so that its rows don't grow. */
export function splitClaimsOf({
  id,
  is_split_claim,
  split_parts,
}: Claim): SplitClaim[] | undefined {
  if (!is_split_claim) return undefined;
  return split_parts.map(({ part_number, respawn_id, hour_start, duration }) => ({
    split_group_id: id,
    split_part_number: part_number,
    respawn_id,
    hour_start,
    hour_end: hour_start + duration,
  }));
}

export function respawnsOf(claim: Claim): number[] {
  return claim.is_split_claim
    ? [...new Set(claim.split_parts.map((part) => part.respawn_id))]
    : [claim.respawn_id];
}
