import type { SubmissionFacts } from '../rules/submission.ts';
import type { ClaimInput } from '../schemas/claim.ts';
import type { Event } from '../schemas/event.ts';
import type { MemberType } from '../schemas/member-type.ts';

/** What a test of the submission rules does not care about is filled in here. */

export const DATE = '2026-11-21';

export const typeOf = (fields: Partial<MemberType> = {}): MemberType => ({
  member_type: 'member',
  voucher_duration_hours: 4,
  can_submit: 1,
  earliest_submission_date: '2026-01-01',
  allow_secondary_claims: 1,
  background_color: '#3182ce',
  is_system: 1,
  guild_ranks: [],
  max_hours_per_day: null,
  max_hours_per_event: null,
  ...fields,
});

export const eventOf = (fields: Partial<Event> = {}): Event => ({
  id: 7,
  name: 'Double loot',
  type: 'multiple_claims',
  start_time: '2026-11-15T10:00',
  end_time: '2026-11-28T10:00',
  single_claim_template: null,
  is_active: 1,
  claim_count: 0,
  created_at: '2026-11-01T00:00:00.000Z',
  ...fields,
});

/** A member named Bubble, as today begins, without an event. */
export const factsOf = (fields: Partial<SubmissionFacts> = {}): SubmissionFacts => ({
  submitter: { role: 'member', character_name: 'Bubble' },
  member_type: typeOf(),
  submission_enabled: 1,
  pause: null,
  active_event: null,
  today: DATE,
  hour: 0,
  horizon_days: 60,
  clock: { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 },
  ...fields,
});

/** Bubble's claim of respawn 1 on that date from SS+10, as long as the voucher. */
export const inputOf = (fields: Partial<ClaimInput> = {}): ClaimInput => ({
  respawn_id: 1,
  character_name: 'Bubble',
  hour_start: 10,
  date: DATE,
  is_secondary_claim: 0,
  is_split_claim: 0,
  ...fields,
});
