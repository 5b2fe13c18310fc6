import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { claimKey } from '../../lib/claim-order.ts';
import { useMemberTypeLooks } from '../member-type-badge.tsx';
import type { StripBar } from './hour-strip.tsx';

/** A claim as it stands on a strip, wherever the strip does. `viewer`: whose are marked as their own, as a name's key. */
export function useStripBar(viewer: string | null = null): (claim: ClaimOnRespawn) => StripBar {
  const lookOf = useMemberTypeLooks();
  return (claim) => ({
    key: claimKey(claim),
    hour_start: claim.hour_start,
    hour_end: claim.hour_end,
    look: lookOf(claim.member_type),
    mine: nameKey(claim.character_name) === viewer,
    kind: claim.is_secondary_claim ? 'waiting' : claim.is_held ? 'held' : 'claim',
  });
}
