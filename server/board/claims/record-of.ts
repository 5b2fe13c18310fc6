import type { PlannedPart } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Flag } from '../../db/columns.ts';

/** What a claim's record is made of: the fields of its row, and its parts in their order. */
export interface ClaimAndParts
  extends Omit<Claim, 'respawn_id' | 'hour_start' | 'hour_end' | 'split_parts' | 'to_confirm' | 'is_held' | 'held_until'> {
  /** Of a hold; left out, it is none. */
  held_until?: string | null;
  parts: readonly (Pick<PlannedPart, 'part_number' | 'respawn_id' | 'hour_start' | 'hour_end'> & { to_confirm?: Flag })[];
}

/** Those of some parts that are to be confirmed. */
export const toConfirm = (parts: ClaimAndParts['parts']): Claim['to_confirm'] =>
  parts.flatMap(({ part_number, to_confirm }) => (to_confirm ? [part_number === 2 ? 2 : 1] : []));

/** The record of a claim as it is loaded from its rows: made of what was written, so that nothing is read back. */
export function recordOf(claim: ClaimAndParts): Claim {
  const [first] = claim.parts;
  if (!first) throw new Error('a claim has a part');
  const splitParts = claim.parts.map(({ part_number, respawn_id, hour_start, hour_end }) => {
    return { part_number, respawn_id, hour_start, duration: hour_end - hour_start };
  });
  return {
    id: claim.id,
    event_id: claim.event_id,
    character_name: claim.character_name,
    member_type: claim.member_type,
    date: claim.date,
    respawn_id: first.respawn_id,
    hour_start: first.hour_start,
    hour_end: first.hour_end,
    custom_duration: claim.custom_duration,
    voucher_duration: claim.voucher_duration,
    is_secondary_claim: claim.is_secondary_claim,
    secondary_priority: claim.secondary_priority,
    is_split_claim: claim.is_split_claim,
    split_parts: claim.is_split_claim ? splitParts : [],
    to_confirm: toConfirm(claim.parts),
    created_at: claim.created_at,
    ...heldUntil(claim.held_until ?? null),
  };
}

/** What a claim's record says of its being held. */
export const heldUntil = (held_until: string | null): Pick<Claim, 'is_held' | 'held_until'> => ({
  is_held: held_until === null ? 0 : 1,
  held_until,
});
