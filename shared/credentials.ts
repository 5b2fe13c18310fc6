/**
 * The shapes of all credentials: the server makes them by these, and `secrets.ts` keeps them out of logs and reports by these.
 */

/** Letters and digits that can't be mistaken for one another: no 0 O 1 I L. */
export const READABLE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** K7QM-2F9A-XW3C: 59 bits. */
export const ACCESS_KEY = { groups: 3, groupLength: 4 } as const;

/** CLAIM-7KQ2M9XA. The prefix tells it from other words in a character's comment. */
export const VERIFICATION_CODE = { prefix: 'CLAIM-', length: 8 } as const;

/** Characters of a code that links a Discord user to a character, and how many minutes it is valid. */
export const LINK_CODE_LENGTH = 8;
export const LINK_CODE_MINUTES = 10;

/** Sessions, invitations, verifications and calendars are proved by so many random bytes in base64url. */
export const TOKEN_BYTES = 32;

/** Signs a webhook's messages, in Standard Webhooks' format: a prefix and 24 to 64 random bytes in base64. */
export const WEBHOOK_SECRET = { prefix: 'whsec_', bytes: 32 } as const;
