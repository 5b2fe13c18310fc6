import { z } from 'zod';
import { isTimeZone } from '../shared/rules/server-save.ts';
import { boardVisibility } from '../shared/schemas/config.ts';
import { MIN_PASSWORD_LENGTH } from '../shared/schemas/session.ts';

const wholeNumber = (min: number, max: number): z.ZodType<number, unknown> =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be a whole number from ${min} to ${max}`)
    .max(max, `must be a whole number from ${min} to ${max}`);

/** The settings; the README's table says the same in words. */
const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database')
    .optional(),
  ADMIN_USERNAME: z.string().trim().min(1, 'must not be empty').default('admin'),
  ADMIN_PASSWORD: z.string().min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`).optional(),
  BOARD_VISIBILITY: z.enum(boardVisibility.options, 'must be members or public').default('members'),
  SS_TIME_ZONE: z.string().refine(isTimeZone, 'must be a time zone such as America/Los_Angeles').default('America/Los_Angeles'),
  SS_HOUR: wholeNumber(0, 23).default(1),
  TRUST_PROXY: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug'], 'must be silent, error, warn, info or debug').default('info'),
});
export type Env = z.infer<typeof settings>;

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
  const secret = name === 'ADMIN_PASSWORD' || name === 'DATABASE_URL';
  throw new Error(`${name} ${issue?.message}${secret ? '' : ` (it is "${set[name]}")`}`);
}
