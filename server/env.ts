import { z } from 'zod';
import { DEFAULT_HORIZON_DAYS } from '../shared/rules/claim-time.ts';
import { ADMIN_NAME, tidyName } from '../shared/rules/names.ts';
import { isTimeZone } from '../shared/rules/server-save.ts';
import { characterCheck } from '../shared/schemas/character.ts';
import { boardVisibility } from '../shared/schemas/config.ts';
import { MAX_SECRET_LENGTH, MAX_USERNAME_LENGTH, MIN_PASSWORD_LENGTH } from '../shared/schemas/session.ts';

const wholeNumber = (min: number, max: number): z.ZodType<number, unknown> => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.string().trim().regex(/^\d+$/, message).transform(Number).pipe(z.number().min(min, message).max(max, message));
};

/** A hundred years: longer is for ever, which is said by 0. */
const MOST_DAYS = 36_500;

/** The settings; the README's table says the same in words. */
const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database')
    .optional(),
  ADMIN_USERNAME: z
    .string()
    .transform(tidyName)
    .pipe(
      z
        .string()
        .min(1, 'must not be empty')
        .max(MAX_USERNAME_LENGTH, `must have at most ${MAX_USERNAME_LENGTH} characters`)
        .regex(ADMIN_NAME, 'must have Latin letters, digits and common punctuation'),
    )
    .default('admin'),
  ADMIN_PASSWORD: z
    .string()
    .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
    // A longer one could be set, and never typed.
    .max(MAX_SECRET_LENGTH, `must have at most ${MAX_SECRET_LENGTH} characters`)
    .optional(),
  BOARD_VISIBILITY: z.enum(boardVisibility.options, 'must be members or public').default('members'),
  SS_TIME_ZONE: z.string().refine(isTimeZone, 'must be a time zone such as America/Los_Angeles').default('America/Los_Angeles'),
  SS_HOUR: wholeNumber(0, 23).default(1),
  HORIZON_DAYS: wholeNumber(1, 366).default(DEFAULT_HORIZON_DAYS),
  CHARACTER_CHECK: z.enum(characterCheck.options, 'must be tibiadata or manual').default('tibiadata'),
  CHARACTER_API_URL: z
    .url({ protocol: /^https?$/, error: 'must look like https://api.tibiadata.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://api.tibiadata.com'),
  CHARACTER_CHECK_SECONDS: wholeNumber(1, 3600).default(60),
  GUILD_NAME: z.string().transform(tidyName).pipe(z.string().min(1, 'must not be empty')).optional(),
  TRUST_PROXY: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must look like https://board.example' })
    .refine(
      (url) => new URL(url).pathname === '/' && !/[?#@]/.test(url),
      'must be an address without a path, such as https://board.example',
    )
    .transform((url) => new URL(url).origin)
    .optional(),
  ALLOW_PRIVATE_DESTINATIONS: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,200}$/, 'must have 16 to 200 characters and no spaces')
    .optional(),
  ARCHIVE_AFTER_DAYS: wholeNumber(0, MOST_DAYS).default(0),
  ACTIVITY_KEPT_DAYS: wholeNumber(0, MOST_DAYS).default(0),
  UNDO_KEPT_DAYS: wholeNumber(0, MOST_DAYS).default(90),
  BACKUP_HOURS: wholeNumber(0, 8_784).default(24),
  BACKUPS_KEPT: wholeNumber(0, 1_000).default(7),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug'], 'must be silent, error, warn, info or debug').default('info'),
});
export type Env = z.infer<typeof settings>;

export interface Settings {
  env: Env;
}

/**
 * Reads the settings from environment variables; an empty one counts as not set.
 * @throws Error with one line that names the first bad setting
 */
export function readEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = settings.safeParse(set);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0]);
  const secret = name === 'ADMIN_PASSWORD' || name === 'DATABASE_URL' || name === 'METRICS_TOKEN';
  throw new Error(`${name} ${issue?.message}${secret ? '' : ` (it is ${JSON.stringify(set[name])})`}`);
}
