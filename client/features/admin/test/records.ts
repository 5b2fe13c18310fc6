import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import type { MemberType } from '../../../../shared/schemas/member-type.ts';

/** Records for tests: whole, with what the test is about filled in. */
export const anEvent = (change: Partial<Event> = {}): Event => ({
  id: 1,
  name: 'Double week',
  type: 'multiple_claims',
  start_time: '2026-11-15T01:00',
  end_time: '2026-11-28T23:59',
  single_claim_template: null,
  is_active: 0,
  claim_count: 0,
  created_at: '2026-11-01T00:00:00Z',
  ...change,
});

export const aKey = (change: Partial<AccessKey> = {}): AccessKey => ({
  id: 1,
  character_name: 'Arden Vale',
  key_value: 'K7QM-2F9A-XW3C',
  created_by_username: 'Thora',
  member_type: 'member',
  created_at: '2026-11-19T12:00:00Z',
  is_revoked: 0,
  ...change,
});

export const aType = (member_type: string): MemberType => ({
  member_type,
  voucher_duration_hours: 4,
  can_submit: 1,
  earliest_submission_date: '2026-01-01',
  allow_secondary_claims: 1,
  background_color: '#3182ce',
  is_system: 1,
  guild_ranks: [],
});
