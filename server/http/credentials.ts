import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../auth/who-asks.ts';

/** The credentials in a request's headers: an admin's bearer token, a member's access key, or neither. */
export function credentialsOf({ headers }: Pick<IncomingMessage, 'headers'>): Omit<Credentials, 'body_key'> {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const key = headers['x-access-key'];
  return { token: token ?? null, key: typeof key === 'string' && key !== '' ? key : null };
}

/** The access key in a body. An admin submission is always made with the bearer token, whatever key comes with it. */
export function bodyKeyOf(body: unknown): string | null {
  if (!(body instanceof Object) || !('access_key' in body) || ('admin_submission' in body && body.admin_submission)) return null;
  return typeof body.access_key === 'string' && body.access_key !== '' ? body.access_key : null;
}
