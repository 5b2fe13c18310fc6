import { z } from 'zod';
import { characterPageQuery, date, hourEnd, hourStart, id, timestamp } from './fields.ts';

/**
 * Why a claim, a part of a split one or some of its hours ended. `admin`: an admin deleted it. `cleared`: with all of its spot.
 * `released`: its holder released it. `no_show`: its holder did not confirm. `declined`, `lapsed`: a hold ended. `withdrawn`: an undo
 * restored the hours of a hold. `void`: the waitlist entry of a hold ended.
 * `event`, `respawn`: with its event or spot. `edited`: an admin gave it other hours, or another spot. `handed_over`, `swapped`: it
 * went to another character.
 */
export const ENDING_REASONS = [
  'admin',
  'cleared',
  'released',
  'no_show',
  'declined',
  'lapsed',
  'withdrawn',
  'void',
  'event',
  'respawn',
  'edited',
  'handed_over',
  'swapped',
] as const;
export const endingReason = z.enum(ENDING_REASONS);
export type EndingReason = z.infer<typeof endingReason>;

/** One part of a claim at its end: the claim, its spot and its event may be deleted. */
export const ending = z.object({
  id,
  claim_id: id,
  character_name: z.string(),
  member_type: z.string(),
  respawn_id: id,
  respawn_name: z.string(),
  event_id: id.nullable(),
  /** null: every date of its single_claim event. */
  date: date.nullable(),
  hour_start: hourStart,
  hour_end: hourEnd,
  made_at: timestamp,
  ended_at: timestamp,
  reason: endingReason,
  /** An admin's or a member's name; null: it expired. */
  by: z.string().nullable(),
  /** The standing claim that made it; null: none did. */
  standing_id: id.nullable(),
  /** The character that it went to; null: none. */
  to_name: z.string().nullable(),
  /** The admin who excused the no-show; null: none did. */
  excused_by: z.string().nullable(),
});
export type Ending = z.infer<typeof ending>;

/** How far back a member may look. */
const MAX_DAYS = 366;
export const myEndingsQuery = z.object({
  days: z.coerce.number().int().min(1).max(MAX_DAYS).default(30).describe('How many days back'),
});

/** The dates are those of the claims; of several dates the last. */
export const endingsQuery = characterPageQuery.extend({ reason: endingReason.optional() });
export type EndingsQuery = z.infer<typeof endingsQuery>;
