import type { ClaimOnDates, ClaimOnRespawn, ClaimRow } from '../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import type { MemberType } from '../../../../shared/schemas/member-type.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';

/** Records with the usual values, for tests to change what they are about. */

export const claimOf = (claim: Partial<ClaimOnRespawn>): ClaimOnRespawn => ({
  id: 1,
  event_id: null,
  character_name: 'Arden Vale',
  member_type: 'member',
  date: '2026-11-21',
  respawn_id: 1,
  hour_start: 2,
  hour_end: 6,
  custom_duration: null,
  voucher_duration: 4,
  is_secondary_claim: 0,
  secondary_priority: 0,
  is_split_claim: 0,
  split_parts: [],
  created_at: '2026-11-20T10:00:00.000Z',
  split_group_id: null,
  split_part_number: null,
  ...claim,
});

export const claimRowOf = (claim: Partial<ClaimRow>): ClaimRow => ({
  ...claimOf(claim),
  respawn_name: 'Cobra Bastion',
  respawn_image: 'cobra-bastion.gif',
  respawn_image_url: '/assets/respawns/cobra-bastion.gif',
  category_id: 2,
  category_name: 'Ankrahmun',
  ...claim,
});

/** As it is answered among those of many dates. */
export const onItsDate = (row: ClaimRow, first_date = row.date ?? '', last_date = first_date): ClaimOnDates => ({
  ...row,
  first_date,
  last_date,
});

export const eventOf = (event: Partial<Event>): Event => ({
  id: 5,
  name: 'Double week',
  type: 'multiple_claims',
  start_time: '2026-11-15',
  end_time: '2026-11-28',
  single_claim_template: null,
  is_active: 1,
  claim_count: 0,
  created_at: '2026-11-01T10:00:00.000Z',
  ...event,
});

export const memberTypeOf = (type: Partial<MemberType>): MemberType => ({
  member_type: 'member',
  voucher_duration_hours: 4,
  can_submit: 1,
  earliest_submission_date: '2026-01-01',
  allow_secondary_claims: 1,
  background_color: '#3182ce',
  is_system: 1,
  guild_ranks: [],
  ...type,
});

export const respawnOf = (respawn: Partial<Respawn>): Respawn => ({
  id: 1,
  name: 'Cobra Bastion',
  image: 'cobra-bastion.gif',
  image_url: '/assets/respawns/cobra-bastion.gif',
  category_id: 2,
  category_name: 'Ankrahmun',
  is_enabled: 1,
  total_claims: 0,
  last_claim_date: null,
  created_at: '2026-01-01T10:00:00.000Z',
  ...respawn,
});
