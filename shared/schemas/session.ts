import { z } from 'zod';
import { ADMIN_ROLES } from '../rules/roles.ts';
import { code } from './fields.ts';

/** The shortest password of an admin, in characters (section 9 of the specification). */
export const MIN_PASSWORD_LENGTH = 6;
/** Characters of a password or key; longer ones are refused before they are hashed. */
export const MAX_SECRET_LENGTH = 200;
/** The longest name of an admin, in characters. */
export const MAX_USERNAME_LENGTH = 60;

const secret = (missing: 'session.credentialsRequired' | 'session.keyRequired'): z.ZodString =>
  z.string(code(missing)).trim().min(1, code(missing)).max(MAX_SECRET_LENGTH);

const adminLogin = z.object({
  username: secret('session.credentialsRequired'),
  password: z
    .string(code('session.credentialsRequired'))
    .min(1, code('session.credentialsRequired'))
    .max(MAX_SECRET_LENGTH),
});
export const keyLogin = z.object({ accessKey: secret('session.keyRequired') });

export const login = z.union([keyLogin, adminLogin], {
  error: ({ input }) =>
    input instanceof Object && 'accessKey' in input
      ? 'session.keyRequired'
      : 'session.credentialsRequired',
});

const member = z.object({ characterName: z.string(), memberType: z.string() });

/** Of `rules/roles.ts`. */
export const adminRole = z.enum(ADMIN_ROLES);

export const loginAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('admin'),
    token: z.string(),
    user: z.object({ username: z.string(), role: adminRole }),
  }),
  z.object({ type: z.literal('user'), token: z.string(), user: member }),
]);
export type LoginAnswer = z.infer<typeof loginAnswer>;

export const keyAnswer = member.extend({ valid: z.literal(true) });
export type KeyAnswer = z.infer<typeof keyAnswer>;

/** `admin` is the username, as the dashboard's title shows it. Whether they still use the password of the first start, its page says. */
export const adminAnswer = z.object({
  admin: z.string(),
  role: adminRole,
  has_generated_password: z.boolean(),
});
export type AdminAnswer = z.infer<typeof adminAnswer>;
