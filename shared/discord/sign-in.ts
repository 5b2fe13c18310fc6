/** Why Discord's callback was refused, as the page's address says it. `server`: the user is not in the guild's Discord server. */
export const SIGN_IN_REFUSALS = [
  'state',
  'denied',
  'server',
  'expired',
  'tooMany',
  'failed',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];
