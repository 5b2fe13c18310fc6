import { z } from 'zod';
import { claimOnRespawn } from './claim.ts';
import { event, eventTime } from './event.ts';
import { date, hourEnd, hourStart, id, name, timestamp } from './fields.ts';

/** Claims that are copied with an event. */
export const MAX_CLAIMS_TO_COPY = 5_000;
/** Dates of the claims that are copied with an event, counted for each claim: it occupies a row for every hour. */
export const MAX_DATES_TO_COPY = 20_000;
/** Maximum number of conflicting claimants that are named. */
export const MAX_HOLDERS = 3;

/** Which claims come along: none, all of the event, or these. */
const claimsToCopy = z.union([z.literal(['none', 'all']), z.array(id).max(MAX_CLAIMS_TO_COPY)]);
export type ClaimsToCopy = z.infer<typeof claimsToCopy>;

export const eventCopy = z.object({
  name: name('event.nameRequired'),
  start_time: eventTime,
  /** Left out: as long after the start as of the event that is copied. */
  end_time: eventTime.nullish(),
  claims: claimsToCopy,
  /** The copy is the active event at once. */
  activate: z.boolean().default(false),
  /** Only previews: nothing is written. */
  preview: z.boolean().default(false),
});
export type EventCopy = z.input<typeof eventCopy>;

const claimToCopy = claimOnRespawn
  .pick({
    id: true,
    character_name: true,
    member_type: true,
    is_secondary_claim: true,
    is_split_claim: true,
  })
  .extend({
    /** In the new event; null: every date of it. */
    date: date.nullable(),
    places: z.array(
      z.object({
        respawn_id: id,
        respawn_name: z.string(),
        hour_start: hourStart,
        hour_end: hourEnd,
      }),
    ),
    /** Why it stays behind, as a call that submits it would be refused; null: it comes along. */
    refusal: z.object({ code: z.string(), params: z.record(z.string(), z.json()) }).nullable(),
    /** The first of the conflicting claimants. */
    holders: z.array(
      z.object({
        character_name: z.string(),
        respawn_name: z.string(),
        date: date.nullable(),
        hour_start: hourStart,
        hour_end: hourEnd,
        held_until: timestamp.nullable(),
      }),
    ),
  });
export type ClaimToCopy = z.infer<typeof claimToCopy>;

export const eventCopied = z.object({
  /** The new event; null for a preview. */
  event: event.nullable(),
  start_time: z.string(),
  end_time: z.string(),
  /** How many claims are copied, how many are skipped, and how many of the requested ones were deleted. */
  copied: z.number().int().min(0),
  left_out: z.number().int().min(0),
  gone: z.number().int().min(0),
  /** In a preview all requested claims; else the skipped ones. */
  claims: z.array(claimToCopy),
});
export type EventCopied = z.infer<typeof eventCopied>;
