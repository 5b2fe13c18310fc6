import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import type { Category } from '../../shared/schemas/category.ts';
import type { VerifiedCode } from '../../shared/schemas/character.ts';
import type { ClaimOnRespawn, ClaimRow } from '../../shared/schemas/claim.ts';
import type { Config } from '../../shared/schemas/config.ts';
import type { Delivery, Destination } from '../../shared/schemas/destination.ts';
import { PUBLIC_EVENT_TYPES } from '../../shared/schemas/domain-events.ts';
import type { Ending } from '../../shared/schemas/ending.ts';
import type { Event } from '../../shared/schemas/event.ts';
import type { MemberType } from '../../shared/schemas/member-type.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import type { StandingClaim } from '../../shared/schemas/standing-claim.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { aClaim } from '../../shared/test/a-claim.ts';

/** Complete records for tests, with the fields of a test filled in. */
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

/** The one whose claims the board shows. */
export const anActiveEvent = (change: Partial<Event> = {}): Event =>
  anEvent({
    start_time: '2026-11-15T10:00',
    end_time: '2026-11-28T10:00',
    is_active: 1,
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
  revoked_because: null,
  discord_user_id: null,
  discord_name: null,
  ...change,
});

export const aType = (member_type: string, change: Partial<MemberType> = {}): MemberType => ({
  member_type,
  voucher_duration_hours: 4,
  can_submit: 1,
  earliest_submission_date: '2026-01-01',
  allow_secondary_claims: 1,
  background_color: '#3182ce',
  is_system: 1,
  guild_ranks: [],
  max_hours_per_day: null,
  max_hours_per_event: null,
  ...change,
});

export const aCategory = (id: number, name: string): Category => ({ id, name });

export const aRespawn = (change: Partial<Respawn> = {}): Respawn => ({
  id: 1,
  name: 'Asura Palace',
  image: 'asura-palace.gif',
  image_url: '/assets/respawns/asura-palace.gif',
  category_id: 2,
  category_name: 'Port Hope',
  is_enabled: 1,
  total_claims: 0,
  last_claim_date: null,
  created_at: '2026-11-01T00:00:00Z',
  ...change,
});

/** The text by which a test of the board recognizes it. */
export const aSpot = (id: number, name: string, category_id: number | null = null): Respawn =>
  aRespawn({
    id,
    name,
    category_id,
    category_name: null,
    image: 'spot.gif',
    image_url: '/assets/respawns/spot.gif',
  });

export const aVerifiedCode = (change: Partial<VerifiedCode> = {}): VerifiedCode => ({
  id: 1,
  character_name: 'Arden Vale',
  code: 'CB-7KQ2M9XW',
  access_key: 'K7QM-2F9A-XW3C',
  access_member_type: 'member',
  member_type: 'member',
  created_at: '2026-11-18T12:00:00Z',
  verified_at: '2026-11-19T12:00:00Z',
  access_revoked: 0,
  banned: 0,
  ...change,
});

export const aConfig = (change: Partial<Config> = {}): Config => ({
  ...DEFAULT_SETTINGS,
  board_visibility: 'members',
  ss_time_zone: 'America/Los_Angeles',
  ss_hour: 1,
  voucher_duration_hours: 4,
  horizon_days: 60,
  character_check: 'tibiadata',
  guild_name: null,
  has_discord_app: 0,
  has_discord_sign_in: 0,
  notifications_paused: 0,
  is_demo: 0,
  ...change,
});

/** In line for hours that others hold. */
export const aWeeklyClaim = (change: Partial<StandingClaim> = {}): StandingClaim => ({
  id: 4,
  respawn_id: 1,
  respawn_name: 'Asura Palace',
  character_name: 'Sable Quinn',
  member_type: 'member',
  weekdays: [2, 4],
  hour_start: 10,
  hour_end: 14,
  from: '2026-11-01',
  until: null,
  join_waitlist: 0,
  is_paused: 0,
  stopped: null,
  created_at: '2026-11-01T10:00:00Z',
  next_date: '2026-12-01',
  skipped: [],
  ended_at: null,
  end_reason: null,
  ...change,
});

export const aWait = (change: Partial<Wait> = {}): Wait => ({
  id: 1,
  respawn_id: 1,
  event_id: null,
  date: '2026-11-21',
  hour_start: 10,
  hour_end: 14,
  min_hours: 1,
  character_name: 'Arden Vale',
  member_type: 'member',
  status: 'waiting',
  position: 1,
  created_at: '2026-11-20T12:00:00Z',
  held_claim_id: null,
  held_until: null,
  ...change,
});

export const aClaimOnRespawn = (change: Partial<ClaimOnRespawn> = {}): ClaimOnRespawn => ({
  ...aClaim(change),
  split_group_id: null,
  split_part_number: null,
  ...change,
});

/** As the calls answer it. */
export const aClaimRow = (change: Partial<ClaimRow> = {}): ClaimRow => ({
  ...aClaimOnRespawn(change),
  respawn_name: '',
  respawn_image: '',
  respawn_image_url: '',
  category_id: null,
  category_name: null,
  ...change,
});

export const anEntry = (change: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: 1,
  timestamp: '2026-11-21T12:00:00.000Z',
  action: 'admin_login',
  actor_kind: 'admin',
  actor_name: 'Thora',
  admin_id: 1,
  admin_username: 'Thora',
  details: {},
  clock: null,
  undo: null,
  ...change,
});

export const anEnding = (change: Partial<Ending> = {}): Ending => ({
  id: 1,
  claim_id: 1,
  character_name: 'Arden Vale',
  member_type: 'member',
  respawn_id: 1,
  respawn_name: 'Asura Palace',
  event_id: null,
  date: '2026-11-20',
  hour_start: 10,
  hour_end: 14,
  made_at: '2026-11-19T12:00:00Z',
  ended_at: '2026-11-20T20:00:00Z',
  reason: 'admin',
  by: 'Thora',
  standing_id: null,
  to_name: null,
  excused_by: null,
  ...change,
});

export const aDestination = (change: Partial<Destination> = {}): Destination => ({
  id: 1,
  name: 'Discord',
  kind: 'discord',
  url: 'discord.com',
  events: [...PUBLIC_EVENT_TYPES],
  language: 'en',
  is_enabled: 1,
  switched_off: null,
  waiting: 0,
  last_delivery_at: null,
  last_error: null,
  next_try_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
  ...change,
});

export const aDelivery = (change: Partial<Delivery> = {}): Delivery => ({
  id: 1,
  message_id: 'msg_42_1',
  type: 'claim.created',
  at: '2026-11-21T17:59:00.000Z',
  attempt: 1,
  status: 204,
  error: null,
  ms: 120,
  outcome: 'delivered',
  answer: '',
  ...change,
});

export { aClaim };
