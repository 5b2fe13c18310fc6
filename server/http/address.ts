import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { isIPv6 } from 'node:net';
import type { Request } from 'express';
import type * as rateLimit from 'express-rate-limit';
import type { Context } from '../context.ts';

const load = createRequire(import.meta.url);

/** Where a request comes from, as limits count it. Of IPv6 one person has as many as they like, so it is the network that counts. */
export function addressOf({ ip = '' }: Pick<Request, 'ip'>): string {
  if (!isIPv6(ip)) return ip;
  // Loaded for the first of them: it takes longer than all else of this folder.
  const { ipKeyGenerator }: typeof rateLimit = load('express-rate-limit');
  return ipKeyGenerator(ip);
}

const keys = new WeakMap<Context, string>();

/** The address under the database's own key: it tells addresses apart, for all servers and for good, and tells nobody which they are. */
export async function hashOfAddress(ctx: Context, req: Pick<Request, 'ip'>): Promise<string> {
  let key = keys.get(ctx);
  if (key === undefined) {
    const secret = await ctx.db.selectFrom('secrets').select('value').where('name', '=', 'address').executeTakeFirstOrThrow();
    key = secret.value;
    keys.set(ctx, key);
  }
  return createHmac('sha256', key).update(addressOf(req)).digest('base64url');
}
