import { z } from 'zod';
import { MAX_EVENT_DAYS } from '../rules/event-period.ts';
import { nameKey, tidyName } from '../rules/names.ts';
import {
  code,
  date,
  duration,
  flag,
  flagInput,
  HEX_COLOR,
  hexColor,
  MAX_NAME_LENGTH,
  MAX_TYPED_LENGTH,
  name,
} from './fields.ts';

/** Hours of a member type's budget for a day. */
export const MAX_HOURS_PER_DAY = 24;
/** Hours of a member type's budget for an event: every hour of the longest event. */
export const MAX_HOURS_PER_EVENT = MAX_EVENT_DAYS * MAX_HOURS_PER_DAY;

export const memberType = z.object({
  member_type: z.string(),
  voucher_duration_hours: duration,
  can_submit: flag,
  earliest_submission_date: date,
  allow_secondary_claims: flag,
  background_color: hexColor,
  /** 1 for member, elite and vice, which cannot be deleted. */
  is_system: flag,
  guild_ranks: z.array(z.string()),
  /** Whole hours that its members may have on a date, and in an event; null: as many as they like. */
  max_hours_per_day: z.number().int().min(1).max(MAX_HOURS_PER_DAY).nullable(),
  max_hours_per_event: z.number().int().min(1).max(MAX_HOURS_PER_EVENT).nullable(),
});
export type MemberType = z.infer<typeof memberType>;

const voucher = z
  .number(code('memberType.durationOutOfRange'))
  .int(code('memberType.durationOutOfRange'))
  .min(1, code('memberType.durationOutOfRange'))
  .max(24, code('memberType.durationOutOfRange'));
const budget = (most: number) =>
  z
    .number(code('memberType.budgetOutOfRange'))
    .int(code('memberType.budgetOutOfRange'))
    .min(1, code('memberType.budgetOutOfRange'))
    .max(most, code('memberType.budgetOutOfRange'))
    .nullable();
const color = z
  .string(code('memberType.colorInvalid'))
  .max('#rrggbb'.length, code('memberType.colorInvalid'))
  .regex(HEX_COLOR, code('memberType.colorInvalid'));
const rank = z
  .string()
  .max(MAX_TYPED_LENGTH)
  .transform(tidyName)
  .pipe(z.string().min(1).max(MAX_NAME_LENGTH));
/** Ranks as the game writes them, each once; compared without case. */
const guildRanks = z
  .array(rank)
  .max(50)
  .transform((ranks) => [...new Map(ranks.map((each) => [nameKey(each), each])).values()]);

/** A type is known by its name in a path, where browsers take these for "here" and "one up". */
const isPathSegment = (typed: string): boolean => typed !== '.' && typed !== '..';

/** A member type that is named by another request: it need not exist (any more). */
export const memberTypeName = z.string().trim().max(MAX_NAME_LENGTH);
export const memberTypeInPath = z.string().max(MAX_NAME_LENGTH);

/** Only the name is needed; what is left out gets the defaults of the specification's section 3. */
export const memberTypeInput = z.object({
  member_type: name('memberType.nameRequired').refine(isPathSegment),
  voucher_duration_hours: voucher.optional(),
  can_submit: flagInput.optional(),
  /** Without it today. */
  earliest_submission_date: date.optional(),
  allow_secondary_claims: flagInput.optional(),
  background_color: color.optional(),
  guild_ranks: guildRanks.optional(),
  max_hours_per_day: budget(MAX_HOURS_PER_DAY).optional(),
  max_hours_per_event: budget(MAX_HOURS_PER_EVENT).optional(),
});
export type MemberTypeInput = z.input<typeof memberTypeInput>;

/** Only the fields it carries are changed; the name is what keys and claims know it by, and stays. */
export const memberTypeChange = memberTypeInput.omit({ member_type: true });
export type MemberTypeChange = z.input<typeof memberTypeChange>;

/** Whole hours; also for a type that no longer exists (section 3 of the specification). */
export const DEFAULT_VOUCHER_HOURS = 4;
export const DEFAULT_MEMBER_TYPE = 'member';
