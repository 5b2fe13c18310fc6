import { z } from 'zod';
import { tidyName } from '../rules/names.ts';
import { characterCheck } from './character.ts';
import { date, duration, flag, flagInput, MAX_NAME_LENGTH, timestamp } from './fields.ts';

export const boardVisibility = z.enum(['members', 'public']);

/** The longest that a guild may let hours be held, in minutes. */
export const LONGEST_HOLD_MINUTES = 60;
const holdMinutes = z.number().int().min(1).max(LONGEST_HOLD_MINUTES);
const graceMinutes = z.number().int().min(0).max(60);

export const config = z.object({
  submission_enabled: flag,
  /** Whether members wait in line for hours that are taken. */
  waits_enabled: flag,
  /** Whether members give back what is left of their claims. */
  release_enabled: flag,
  /** Whether holders have to say that they came. */
  confirm_enabled: flag,
  /** How long hours are held for whoever is next in line, in minutes. */
  hold_minutes: holdMinutes,
  /** How long after a claim's start its holder may say so, in minutes. */
  grace_minutes: graceMinutes,
  /** Who may read claims: whoever holds a key, or anybody. */
  board_visibility: boardVisibility,
  ss_time_zone: z.string(),
  ss_hour: z.number().int().min(0).max(23),
  voucher_duration_hours: duration,
  /** How many days ahead may be claimed while no event is active. */
  horizon_days: z.number().int().min(1).max(366),
  character_check: characterCheck,
  /** Only this guild's members can verify; null: anybody. */
  guild_name: z.string().nullable(),
});
export type Config = z.infer<typeof config>;

/** What the settings are unless an admin says otherwise. */
export const DEFAULT_WAIT_SETTINGS = {
  waits_enabled: 1,
  release_enabled: 0,
  confirm_enabled: 0,
  hold_minutes: 10,
  grace_minutes: 10,
} as const;

/** Only the fields it carries are changed; the other settings are the environment's. */
export const configChange = z.object({
  submission_enabled: flagInput.optional(),
  waits_enabled: flagInput.optional(),
  release_enabled: flagInput.optional(),
  confirm_enabled: flagInput.optional(),
  hold_minutes: holdMinutes.optional(),
  grace_minutes: graceMinutes.optional(),
  /** Empty or null: anybody may verify a character. */
  guild_name: z.string().max(MAX_NAME_LENGTH).transform(tidyName).nullish(),
});
export type ConfigChange = z.input<typeof configChange>;

export const configAnswer = config.extend({
  /** The server's time: a wrong clock on a member's computer must not shift the SS hour. */
  server_time: timestamp,
  /** First and last date of the active event. */
  start_date: date.nullable(),
  end_date: date.nullable(),
});
export type ConfigAnswer = z.infer<typeof configAnswer>;
