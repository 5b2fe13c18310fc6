import { z } from 'zod';
import { claimRow, splitPart } from './claim.ts';
import { endingReason } from './ending.ts';
import { event } from './event.ts';
import { date, flag, hourEnd, hourStart, id, timestamp } from './fields.ts';
import type { Transfer, TransferOutcome } from './transfer.ts';

/** Events that leave the server: to channels and browsers. */
export const PUBLIC_EVENT_TYPES = [
  'claim.created',
  'claim.updated',
  'claim.deleted',
  'claim.transferred',
  'event.activated',
  'event.deactivated',
  'hold.offered',
  'claim.no_show',
  'claims.changed',
  'submission.closed',
  'submission.opened',
] as const;
export const publicEventType = z.enum(PUBLIC_EVENT_TYPES);
export type PublicEventType = z.infer<typeof publicEventType>;

/** A claim as the calls answer it, whole and once: of a split one the first part's spot and hours, and each part with its name. */
const eventClaim = claimRow.extend({
  split_parts: z.array(splitPart.extend({ respawn_name: z.string() })),
  /** The admin who did it; null: no admin did. */
  by: z.string().nullable(),
});
export type EventClaim = z.infer<typeof eventClaim>;

/** Bulk work on claims: one summary instead of a message for each of them. */
export const bulkAction = z.enum([
  'event_copied',
  'event_deleted',
  'claims_cleared',
  'claims_deleted',
  'respawns_deleted',
  'claims_restored',
]);
export type BulkAction = z.infer<typeof bulkAction>;

const named = z.object({ id, name: z.string() });
const count = z.number().int().min(0);

/** The claim's spot, date and hours before the change. */
const before = z.object({
  respawn_name: z.string(),
  date: date.nullable(),
  hour_start: hourStart,
  hour_end: hourEnd,
});

/** How a claim went to another character. */
const transferWay = z.enum(['handover', 'swap', 'moved']);
export type TransferWay = z.infer<typeof transferWay>;

const publicEventOf = <T extends PublicEventType, D extends z.ZodType>(type: T, data: D) =>
  z.object({ type: z.literal(type), timestamp, data });

/** A domain event. A claim's deletion and a no-show carry the whole record as it was. */
export const publicEvent = z.discriminatedUnion('type', [
  publicEventOf('claim.created', eventClaim),
  publicEventOf('claim.updated', eventClaim.extend({ before: before.nullable() })),
  publicEventOf('claim.deleted', eventClaim.extend({ reason: endingReason.nullable() })),
  /** The claim as its new holder has it. Members hand over and swap claims; admins move them, perhaps from another place. */
  publicEventOf(
    'claim.transferred',
    eventClaim.extend({ from: z.string(), how: transferWay, before: before.exactOptional() }),
  ),
  publicEventOf('event.activated', event),
  publicEventOf('event.deactivated', event),
  /** Hours are held for the first on the waitlist: no claim yet. */
  publicEventOf('hold.offered', eventClaim.extend({ wait_id: id })),
  /** Beside the deletion, or of a split claim's part the update, which this brings about. */
  publicEventOf('claim.no_show', eventClaim.extend({ part_number: z.literal([1, 2]).nullable() })),
  publicEventOf(
    'claims.changed',
    z.object({
      action: bulkAction,
      /** The admin who did it. */
      by: z.string().nullable(),
      /** The event that was copied to, deleted or restored; null: another action. */
      event: named.nullable(),
      /** The respawn that was cleared or deleted; null: another action, or several. */
      respawn: named.nullable(),
      /** How many claims there are now that were not there before, and the other way round. */
      created: count,
      deleted: count,
    }),
  ),
  publicEventOf(
    'submission.closed',
    z.object({ guild_name: z.string().nullable(), submission_enabled: flag }),
  ),
  publicEventOf(
    'submission.opened',
    z.object({ guild_name: z.string().nullable(), submission_enabled: flag }),
  ),
]);
export type PublicEvent = z.infer<typeof publicEvent>;
export type PublicEventOf<T extends PublicEventType> = Extract<PublicEvent, { type: T }>;
export type PublicEventData<T extends PublicEventType> = PublicEventOf<T>['data'];

/** The dates of an active event changed, and with them those of its claims without a date. For their claimants only. */
export interface EventMoved {
  type: 'event.moved';
  timestamp: string;
  data: { event_id: number; first: string; last: string };
}

/**
 * An admin restored a claim, or created or deleted it in bulk; or an undo restored hours that were offered to a member. For its
 * claimant only: channels get a restored claim as `claim.created` and bulk work as `claims.changed`.
 */
export interface MemberEvent {
  type: 'claim.restored' | 'claim.added' | 'claim.removed' | 'hold.withdrawn';
  timestamp: string;
  data: {
    id: number;
    character_name: string;
    respawn_name: string;
    date: string | null;
    hour_start: number;
    hour_end: number;
  };
}

/**
 * What a member was asked is answered, over, or has another deadline: a hold, or a claim to confirm. For messages that ask it.
 */
interface PromptChanged {
  type: 'prompt.changed';
  timestamp: string;
  /** The record of the question, such as `claim 12`. */
  data: { about: string };
}

/** A claim was offered to a character. For that character only. */
export interface TransferOffered {
  type: 'transfer.offered';
  timestamp: string;
  data: Transfer;
}

export interface TransferEnded {
  type: 'transfer.ended';
  timestamp: string;
  /** `by`: the admin or member who ended it; null: the server. */
  data: Transfer & { outcome: TransferOutcome; by: string | null };
}

/** An event that a write reports to notification listeners. */
export type DomainEvent =
  | PublicEvent
  | EventMoved
  | MemberEvent
  | PromptChanged
  | TransferOffered
  | TransferEnded;
export type DomainEventType = DomainEvent['type'];
