import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../session/who-asks.ts';

/** What a request shows of who makes it: an admin's bearer token, a member's access key, or nothing. */
export function credentialsOf({ headers }: Pick<IncomingMessage, 'headers'>): Credentials {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const key = headers['x-access-key'];
  return { token: token ?? null, key: typeof key === 'string' && key !== '' ? key : null };
}
