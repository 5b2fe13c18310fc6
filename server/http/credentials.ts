import type { Request } from 'express';
import type { Credentials } from '../session/who-asks.ts';

/** What a request shows of who makes it: an admin's bearer token, a member's access key, or nothing. */
export function credentialsOf(req: Request): Credentials {
  const [, token] = /^Bearer (\S+)$/i.exec(req.get('authorization') ?? '') ?? [];
  return { token: token ?? null, key: req.get('x-access-key') || null };
}
