import { randomBytes } from 'node:crypto';

/** As Standard Webhooks asks: 24 to 64 random bytes. */
const SECRET_BYTES = 32;

/** What a webhook's messages are signed with: `whsec_` and random bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
