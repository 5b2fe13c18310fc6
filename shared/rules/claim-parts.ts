import type { Claim, ClaimOnRespawn } from '../schemas/claim.ts';

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

/** The respawns of a claim, each once. */
export function respawnsOf(claim: Claim): number[] {
  return claim.is_split_claim ? [...new Set(claim.split_parts.map((part) => part.respawn_id))] : [claim.respawn_id];
}
