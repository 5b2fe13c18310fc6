import { z } from 'zod';
import { STANDING_END_REASONS } from '../rules/standing.ts';
import {
  code,
  date,
  dateOr,
  flag,
  flagInput,
  hourEnd,
  hourStart,
  id,
  idOr,
  name,
  pageQuery,
  requestedHourEnd,
  timestamp,
} from './fields.ts';
import { memberTypeName } from './member-type.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

/** Skipped dates that a standing claim shows: the newest. */
export const MAX_SKIPPED = 20;
/** Dates of a preview. */
export const PREVIEW_DATES = 14;

/** ISO numbers of server-save dates: 1 is Monday. */
const weekday = z
  .number(code('standing.weekdaysRequired'))
  .int()
  .min(1, code('standing.weekdaysRequired'))
  .max(7);
const weekdays = z
  .array(weekday, code('standing.weekdaysRequired'))
  .min(1, code('standing.weekdaysRequired'))
  .max(7);

/** A date on which a standing claim made no claim, and why. */
const skipped = z.object({
  date,
  code: z.string(),
  /** The waitlist entry that was made instead. */
  wait_id: id.nullable(),
});

export const standingEndReason = z.enum(STANDING_END_REASONS);
export type StandingEndReason = z.infer<typeof standingEndReason>;

/** Why a standing claim makes no claims for now: its key is revoked, or its spot disabled. */
const stopped = z.enum(['key', 'spot']);

export const standingClaim = z.object({
  id,
  respawn_id: id,
  /** Also of a disabled or deleted spot. */
  respawn_name: z.string(),
  character_name: z.string(),
  member_type: z.string(),
  /** Each once, in order. */
  weekdays,
  hour_start: hourStart,
  hour_end: hourEnd,
  from: date,
  until: date.nullable(),
  /** 1: joins the waitlist if the hours are taken. */
  join_waitlist: flag,
  is_paused: flag,
  created_at: timestamp,
  /** The first date whose claim is still to be made; null: none is left, or it is paused. */
  next_date: date.nullable(),
  /** The newest first. */
  skipped: z.array(skipped),
  /** Why it makes nothing now, although it goes on; null: it is not stopped. */
  stopped: stopped.nullable(),
  /** Ended standing claims are deleted after 30 days. null: it goes on. */
  ended_at: timestamp.nullable(),
  end_reason: standingEndReason.nullable(),
});
export type StandingClaim = z.infer<typeof standingClaim>;

export const standingQuery = pageQuery.extend({
  state: z
    .enum(['current', 'ended'])
    .default('current')
    .describe('Those that go on, or those that ended in the last 30 days'),
  character: name('character.nameRequired')
    .optional()
    .describe('Only those of this character, in any case'),
});
export type StandingQuery = z.infer<typeof standingQuery>;

export const standingClaimCount = z.object({ count: z.number().int() });
export type StandingClaimCount = z.infer<typeof standingClaimCount>;

/** The caller's access key where none is in a header. */
export const standingActor = z.object({ access_key: z.string().max(MAX_SECRET_LENGTH).nullish() });

/** The weekdays each once and in order. */
const requestedWeekdays = weekdays.transform((days) => [...new Set(days)].sort());

const fields = {
  respawn_id: idOr('claim.selectRespawn'),
  weekdays: requestedWeekdays,
  hour_start: hourStart,
  hour_end: requestedHourEnd,
  /** Left out: today. */
  from: dateOr('claim.datesRequired').nullish(),
  until: dateOr('claim.datesRequired').nullish(),
  join_waitlist: flagInput.optional(),
};

/** A standing claim for the key's own character; an admin's for any. */
export const standingInput = standingActor.extend({
  ...fields,
  character_name: name('character.nameRequired').nullish(),
  member_type: memberTypeName.nullish(),
});
export type StandingInput = z.output<typeof standingInput>;

/** Only the given fields are changed. */
export const standingChange = standingActor.extend({
  ...fields,
  respawn_id: fields.respawn_id.optional(),
  weekdays: requestedWeekdays.optional(),
  hour_start: hourStart.optional(),
  hour_end: requestedHourEnd.optional(),
  is_paused: flagInput.optional(),
  seen: standingClaim
    .pick({
      respawn_id: true,
      weekdays: true,
      hour_start: true,
      hour_end: true,
      from: true,
      until: true,
      join_waitlist: true,
    })
    .describe(
      'The fields as the caller read them: a standing claim of which one has changed since is not changed',
    )
    .nullish(),
});
export type StandingChange = z.output<typeof standingChange>;

/** A preview may be of a stored standing claim with changes: its own claims are not in the way. */
export const standingPreviewInput = standingInput.extend({ id: id.nullish() });
export type StandingPreviewInput = z.output<typeof standingPreviewInput>;

/** `later`: the claim of the date is made on a later day, as far as is known today. */
export const standingOccurrence = z.object({
  date,
  outcome: z.enum(['claimed', 'later', 'waitlist', 'skipped']),
  /** Why the date would be skipped; null: it would not. */
  refusal: z.object({ code: z.string(), params: z.record(z.string(), z.json()) }).nullable(),
});
export type StandingOccurrence = z.infer<typeof standingOccurrence>;

/** Whether the claims that a standing claim made for later dates stay when it ends. */
export const standingEnding = z.object({
  claims: z
    .enum(['keep', 'release'])
    .default('keep')
    .describe('Whether its claims of later dates stay or are released'),
});
export type StandingEnding = z.output<typeof standingEnding>;
