import { z } from 'zod';
import { tidyName } from '../rules/names.ts';
import { type NumericSetting, perSetting, SETTINGS } from '../settings.ts';
import { characterCheck } from './character.ts';
import { date, duration, flag, flagInput, MAX_NAME_LENGTH, timestamp } from './fields.ts';

export const boardVisibility = z.enum(['members', 'public']);

const number = (name: NumericSetting) =>
  z.number().int().min(SETTINGS[name].min).max(SETTINGS[name].max);

export const config = z.object({
  ...perSetting(() => flag, number),
  /** Claims can be read by members, or by everyone. */
  board_visibility: boardVisibility,
  ss_time_zone: z.string(),
  ss_hour: z.number().int().min(0).max(23),
  voucher_duration_hours: duration,
  /** How many days ahead members may claim while no event is active. */
  horizon_days: z.number().int().min(1).max(366),
  character_check: characterCheck,
  /** Only members of this guild can verify; null: every character can. */
  guild_name: z.string().nullable(),
  /** Members can connect their characters to Discord. */
  has_discord_app: flag,
  /** Members can sign in with Discord. */
  has_discord_sign_in: flag,
  /** After a restore nothing is sent until an owner resumes notifications. */
  notifications_paused: flag,
  /** The guild is an invented one, to look around in. */
  is_demo: flag,
});
export type Config = z.infer<typeof config>;

/** Flags that a feature sets; 0 without the feature. */
export const CONFIG_FLAGS = [
  'has_discord_app',
  'has_discord_sign_in',
] as const satisfies (keyof Config)[];
export type ConfigFlag = (typeof CONFIG_FLAGS)[number];

/** Only the given fields are changed. Settings that are not here come from the environment. */
export const configChange = z.object({
  ...perSetting(
    () => flagInput.optional(),
    (name) => number(name).optional(),
  ),
  /** Empty or null: every character can verify. */
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
