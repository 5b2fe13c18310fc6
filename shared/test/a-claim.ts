import type { Claim } from '../schemas/claim.ts';

/** A whole primary claim of four hours. */
export const aClaim = (change: Partial<Claim> = {}): Claim => ({
  id: 1,
  event_id: null,
  character_name: 'Arden Vale',
  member_type: 'member',
  date: '2026-11-21',
  respawn_id: 1,
  hour_start: 10,
  hour_end: 14,
  custom_duration: null,
  voucher_duration: 4,
  is_secondary_claim: 0,
  secondary_priority: 0,
  is_split_claim: 0,
  split_parts: [],
  to_confirm: [],
  created_at: '2026-11-20T12:00:00Z',
  is_held: 0,
  held_until: null,
  standing_id: null,
  ...change,
});
