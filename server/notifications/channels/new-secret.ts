import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET } from '../../../shared/credentials.ts';

/** What a webhook's messages are signed with. */
export const newSecret = (): string => WEBHOOK_SECRET.prefix + randomBytes(WEBHOOK_SECRET.bytes).toString('base64');
