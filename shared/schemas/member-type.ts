import { z } from 'zod';
import { date, duration, flag, hexColor } from './fields.ts';

export const memberType = z.object({
  member_type: z.string(),
  voucher_duration_hours: duration,
  can_submit: flag,
  earliest_submission_date: date,
  allow_secondary_claims: flag,
  background_color: hexColor,
  /** 1 for member, elite and vice, which cannot be deleted. */
  is_system: flag,
  /** The guild ranks that earn the type. */
  guild_ranks: z.array(z.string()),
});
export type MemberType = z.infer<typeof memberType>;

/** Whole hours; also for a type that no longer exists (section 3 of the specification). */
export const DEFAULT_VOUCHER_HOURS = 4;
export const DEFAULT_MEMBER_TYPE = 'member';
