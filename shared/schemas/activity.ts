import { z } from 'zod';
import { date, id, idInPath, timestamp } from './fields.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

/** Every kind of entry. Section 9 of the specification colours some of them; the others are grey. */
export const activityAction = z.enum([
  'claim_created',
  'claim_updated',
  'claim_deleted',
  'claims_cleared',
  'event_created',
  'event_updated',
  'event_deleted',
  'event_activated',
  'event_deactivated',
  'event_restored',
  'event_archived',
  'claims_restored',
  'access_key_created',
  'access_key_revoked',
  'access_key_enabled',
  'access_key_deleted',
  'access_key_updated',
  'verification_started',
  'verification_deleted',
  'user_verified',
  'user_banned',
  'user_unbanned',
  'config_updated',
  'member_type_created',
  'member_type_updated',
  'member_type_deleted',
  'respawn_created',
  'respawn_updated',
  'respawn_deleted',
  'category_created',
  'category_updated',
  'category_deleted',
  'admin_login',
  'admin_logout',
  'admin_added',
  'admin_removed',
  'admin_password_changed',
  'names_merged',
]);
export type ActivityAction = z.infer<typeof activityAction>;

export const activityEntry = z.object({
  id,
  timestamp,
  /** One of the above; a server of another version writes others, which are shown as they are. */
  action: z.string(),
  /** null: done by a member, a visitor or the server itself; `details` says by whom. */
  admin_id: id.nullable(),
  admin_username: z.string().nullable(),
  details: z.record(z.string(), z.json()),
  /** Whether what it deleted can be put back, was, or is not kept any more; null: there was nothing to put back. */
  undo: z.enum(['possible', 'done', 'expired']).nullable(),
});
export type ActivityEntry = z.infer<typeof activityEntry>;

/** The dates are server-save dates in the specification's sense of a day; both ends included. */
export const activityQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  page: z.coerce.number().int().min(1).default(1),
  /** Only entries older than the one with this id: pages then do not shift while new entries arrive. The counts ignore it. */
  before: idInPath.optional(),
  action: activityAction.optional(),
  admin: z.string().trim().min(1).max(MAX_SECRET_LENGTH).optional(),
  from: date.optional(),
  to: date.optional(),
});
export type ActivityQuery = z.infer<typeof activityQuery>;

export const activityPage = z.object({
  logs: z.array(activityEntry),
  /** All entries there are. */
  total: z.number().int(),
  /** Entries that match the filters. */
  filtered: z.number().int(),
});
export type ActivityPage = z.infer<typeof activityPage>;

/**
 * The most claims that an undo puts back: of a deletion that takes more, none are kept, since they are one entry's.
 * About half a kilobyte each.
 */
export const MAX_CLAIMS_TO_UNDO = 20_000;

/** What an undo put back. */
export const undoAnswer = z.object({ restored_claims: z.number().int().min(0) });
export type UndoAnswer = z.infer<typeof undoAnswer>;
