import type { Category } from '../../../shared/schemas/category.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';

/** Records for tests: whole, with what the test is about filled in. */
export const aSpot = (id: number, name: string, category_id: number | null = null): Respawn => ({
  id,
  name,
  image: 'spot.gif',
  image_url: '/assets/respawns/spot.gif',
  category_id,
  category_name: null,
  is_enabled: 1,
  total_claims: 0,
  last_claim_date: null,
  created_at: '2026-11-01T00:00:00Z',
});

export const aCategory = (id: number, name: string): Category => ({ id, name });

export const aClaim = (id: number, respawn_id: number, change: Partial<Claim> = {}): Claim => ({
  id,
  event_id: null,
  character_name: 'Arden Vale',
  member_type: 'member',
  date: '2026-11-21',
  respawn_id,
  hour_start: 10,
  hour_end: 14,
  custom_duration: null,
  voucher_duration: 4,
  is_secondary_claim: 0,
  secondary_priority: 0,
  is_split_claim: 0,
  split_parts: [],
  created_at: '2026-11-20T00:00:00Z',
  ...change,
});

export const anEvent = (change: Partial<Event> = {}): Event => ({
  id: 1,
  name: 'Double week',
  type: 'multiple_claims',
  start_time: '2026-11-15T10:00',
  end_time: '2026-11-28T10:00',
  single_claim_template: null,
  is_active: 1,
  claim_count: 0,
  created_at: '2026-11-01T00:00:00Z',
  ...change,
});
