import { z } from 'zod';
import { MAX_EVENT_DAYS } from '../rules/event-period.ts';
import { addDays } from '../rules/server-save.ts';
import {
  code,
  date,
  dateOr,
  duration,
  flag,
  flagInput,
  hourEnd,
  hourStart,
  id,
  idOr,
  name,
  requestedHourEnd,
  timestamp,
} from './fields.ts';
import { memberTypeName } from './member-type.ts';
import { MAX_SECRET_LENGTH } from './session.ts';
import { claimCharacter } from './transfer.ts';

export const splitPart = z.object({
  part_number: z.number(code('split.twoParts')).int().min(1).max(2),
  respawn_id: idOr('claim.selectRespawn'),
  hour_start: hourStart,
  duration,
});

/** One claim as it travels live: whole, a split claim with both its parts. */
export const claim = z.object({
  id,
  event_id: id.nullable(),
  character_name: z.string(),
  member_type: z.string(),
  /** null: the claim covers every date of its single_claim event. */
  date: date.nullable(),
  /** Of a split claim the first part's, as are the hours. */
  respawn_id: id,
  hour_start: hourStart,
  hour_end: hourEnd,
  /** Whole hours, when fewer than the voucher were asked for. */
  custom_duration: duration.nullable(),
  voucher_duration: duration,
  is_secondary_claim: flag,
  /** 0 for a primary claim. */
  secondary_priority: z.number().int().min(0),
  is_split_claim: flag,
  split_parts: z.array(splitPart),
  /** The parts to be confirmed; 1 for a whole claim. */
  to_confirm: z.array(z.literal([1, 2])),
  created_at: timestamp,
  /** 1: a hold for a member on the waitlist until that moment; an expired hold counts as free. */
  is_held: flag,
  held_until: timestamp.nullable(),
  /** The standing claim that made it, which may have ended; null: none did. */
  standing_id: id.nullable(),
});
export type SplitPart = z.infer<typeof splitPart>;
export type Claim = z.infer<typeof claim>;

/** The hours of a claim on one respawn: a split claim has one such row on each of its parts' respawns. */
export const claimOnRespawn = claim.extend({
  split_group_id: id.nullable(),
  split_part_number: z.number().int().nullable(),
});
export type ClaimOnRespawn = z.infer<typeof claimOnRespawn>;

const splitClaim = z.object({
  split_group_id: id,
  split_part_number: z.number().int().min(1).max(2),
  respawn_id: id,
  hour_start: hourStart,
  hour_end: hourEnd,
});
export type SplitClaim = z.infer<typeof splitClaim>;

/** A claim as the calls answer it, with the names of what it points to. */
export const claimRow = claimOnRespawn.extend({
  split_claims: z
    .array(splitClaim)
    .optional()
    .describe('Every part of a split claim, on each of its rows; missing otherwise'),
  respawn_name: z.string(),
  respawn_image: z.string(),
  respawn_image_url: z.string(),
  category_id: id.nullable(),
  category_name: z.string().nullable(),
});
export type ClaimRow = z.infer<typeof claimRow>;

/** With the dates that it covers: one, or those of its whole event. */
const onDates = { first_date: date, last_date: date };
export const claimOnDates = claimRow.extend(onDates);
export type ClaimOnDates = z.infer<typeof claimOnDates>;

/** A member's own claim that the board does not list: it is of another event than the active one, or of none. */
export const ownClaim = claim.extend({ ...onDates, event_name: z.string().nullable() });
export type OwnClaim = z.infer<typeof ownClaim>;

/** Claims of one submission: more than a year of dates, each with a secondary claim. */
const MAX_CLAIMS_IN_SUBMISSION = 800;

/** Characters of an Idempotency-Key. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** Ids begin at 1, hours at 0: the rules refuse these, with the sentence for the kind of claim that lacks them. */
const NO_RESPAWN = 0;
const NO_HOUR = -1;

export const claimInput = z.object({
  respawn_id: id.catch(NO_RESPAWN),
  character_name: name('character.nameRequired'),
  hour_start: hourStart.optional().catch(NO_HOUR),
  hour_end: requestedHourEnd.nullish(),
  date: dateOr('claim.datesRequired').nullish(),
  event_id: id.nullish(),
  is_secondary_claim: flagInput.default(0),
  secondary_priority: z.number().int().nullish(),
  is_split_claim: flagInput.default(0),
  split_parts: z.array(splitPart).max(2, code('split.twoParts')).nullish(),
  voucher_duration: z.number().nullish(),
});
export type ClaimInput = z.infer<typeof claimInput>;

export const submission = z.object({
  claims: z
    .array(claimInput, code('claim.fieldsRequired'))
    .min(1, code('claim.datesRequired'))
    .max(MAX_CLAIMS_IN_SUBMISSION, code('claim.tooMany')),
  member_type: memberTypeName.nullish(),
  access_key: z.string().max(MAX_SECRET_LENGTH).nullish(),
  admin_submission: z.boolean().nullish(),
});
export type Submission = z.infer<typeof submission>;

/** Without a date, the claim keeps its own. */
export const claimMove = z.object({
  respawn_id: z.number(code('claim.selectRespawn')).int(code('claim.selectRespawn')),
  date: dateOr('claim.datesRequired').optional(),
  seen: z
    .object({
      respawn_id: id,
      date: date.nullable(),
      hour_start: hourStart.optional(),
      hour_end: hourEnd.optional(),
      character_name: name('character.nameRequired').optional(),
    })
    .describe('The claim as the caller read it: one that was changed since is not changed')
    .nullish(),
});

/** New hours of a claim, perhaps elsewhere or for another character; the rules judge the hours, with a sentence for each way to be wrong. */
export const claimEdit = claimMove.partial().extend({
  character_name: claimCharacter.shape.character_name.optional(),
  member_type: claimCharacter.shape.member_type.optional(),
  hour_start: z.number(code('times.invalid')),
  hour_end: z.number(code('times.invalid')),
});
export type ClaimEdit = z.infer<typeof claimEdit>;

/** The caller's access key where no key is in a header, and the part of a split claim. */
export const claimActor = z.object({
  access_key: z.string().max(MAX_SECRET_LENGTH).nullish(),
  part_number: z
    .number(code('split.whichPart'))
    .int(code('split.whichPart'))
    .min(1, code('split.whichPart'))
    .max(2, code('split.whichPart'))
    .nullish(),
});

/** Answer of the check which claims a character already has on a date. */
export const characterClaims = z.object({
  hasClaimsForDate: z.boolean(),
  claimsForDate: z.array(
    z.object({ respawn_name: z.string(), hour_start: hourStart, hour_end: hourEnd }),
  ),
});
export type CharacterClaims = z.infer<typeof characterClaims>;

/** A character's claims within some dates, in order, with only the dates within. */
export const characterDates = z.array(characterClaims.shape.claimsForDate.element.extend(onDates));
export type CharacterDates = z.infer<typeof characterDates>;

/** Dates from the first to the last, both included: at most as many as the longest event has. */
export const fewDates = z
  .object({ from: date, to: date })
  // A check of the whole runs beside those of its fields, also where they refused.
  .refine(
    ({ from, to }) =>
      !date.safeParse(from).success || (from <= to && to < addDays(from, MAX_EVENT_DAYS)),
    { path: ['to'] },
  );
