import { z } from 'zod';

/** The steps of the first-run checklist, in its order. Whether one is done follows from the guild's data. */
export const SETUP_STEPS = [
  'public_address',
  'guild_name',
  'members',
  'event',
  'rules',
  'spots',
  'discord',
  'second_owner',
  'backup',
  'password',
] as const;
const setupStep = z.enum(SETUP_STEPS);
export type SetupStep = z.infer<typeof setupStep>;

/** The admins' shared decisions about the checklist. */
export const setup = z.object({
  skipped: z.array(setupStep),
  is_dismissed: z.boolean(),
});
export type Setup = z.infer<typeof setup>;

/** Changes only the given steps, so two admins do not overwrite each other. */
export const setupChange = z.object({
  skip: z.array(setupStep).max(SETUP_STEPS.length).optional(),
  resume: z.array(setupStep).max(SETUP_STEPS.length).optional(),
  is_dismissed: z.boolean().optional(),
});
export type SetupChange = z.infer<typeof setupChange>;
