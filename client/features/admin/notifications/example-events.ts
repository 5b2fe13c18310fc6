import { addDays } from '../../../../shared/rules/server-save.ts';
import type {
  EventClaim,
  PublicEvent,
  PublicEventType,
} from '../../../../shared/schemas/domain-events.ts';
import type { Event } from '../../../../shared/schemas/event.ts';

interface Now {
  /** ISO 8601. */
  timestamp: string;
  /** Today's server-save date. */
  today: string;
  guild_name: string | null;
}

/** An invented domain event of each type, as the server publishes it. */
export function exampleEvent(
  type: PublicEventType,
  { timestamp, today, guild_name }: Now,
): PublicEvent {
  const claim: EventClaim = {
    id: 4217,
    event_id: null,
    character_name: 'Arden',
    member_type: 'member',
    date: addDays(today, 1),
    respawn_id: 12,
    hour_start: 14,
    hour_end: 18,
    custom_duration: null,
    voucher_duration: 4,
    is_secondary_claim: 0,
    secondary_priority: 0,
    is_split_claim: 0,
    split_parts: [],
    to_confirm: [],
    created_at: timestamp,
    is_held: 0,
    held_until: null,
    standing_id: null,
    split_group_id: null,
    split_part_number: null,
    respawn_name: 'Issavi',
    respawn_image: 'issavi.gif',
    respawn_image_url: '/assets/respawns/issavi.gif',
    category_id: 3,
    category_name: 'Kilmaresh',
    by: null,
  };
  const event: Event = {
    id: 7,
    name: 'Winter',
    type: 'multiple_claims',
    start_time: `${today}T10:00`,
    end_time: `${addDays(today, 13)}T10:00`,
    single_claim_template: null,
    is_active: type === 'event.activated' ? 1 : 0,
    claim_count: type === 'event.activated' ? 0 : 86,
    created_at: timestamp,
  };
  const held_until = new Date(Date.parse(timestamp) + 600_000).toISOString();
  switch (type) {
    case 'claim.created':
      return { type, timestamp, data: claim };
    case 'claim.updated':
      return {
        type,
        timestamp,
        data: {
          ...claim,
          by: 'Thora',
          before: { respawn_name: 'Issavi', date: claim.date, hour_start: 10, hour_end: 14 },
        },
      };
    case 'claim.deleted':
      return { type, timestamp, data: { ...claim, by: 'Thora', reason: 'admin' } };
    case 'claim.transferred':
      return { type, timestamp, data: { ...claim, from: 'Thora', how: 'handover' } };
    case 'event.activated':
    case 'event.deactivated':
      return { type, timestamp, data: event };
    case 'hold.offered':
      return { type, timestamp, data: { ...claim, is_held: 1, held_until, wait_id: 309 } };
    case 'claim.no_show':
      return { type, timestamp, data: { ...claim, date: today, part_number: null } };
    case 'claims.changed':
      return {
        type,
        timestamp,
        data: {
          action: 'claims_cleared',
          by: 'Thora',
          event: null,
          respawn: { id: 12, name: 'Issavi' },
          created: 0,
          deleted: 14,
        },
      };
    case 'submission.closed':
    case 'submission.opened':
      return {
        type,
        timestamp,
        data: { guild_name, submission_enabled: type === 'submission.opened' ? 1 : 0 },
      };
  }
}
