import { createHmac } from 'node:crypto';
import type { Request } from 'express';
import type { Context } from '../context.ts';
import { address } from './throttle.ts';

const keys = new WeakMap<Context, string>();

/** Where a request comes from, under the database's own key: it tells addresses apart, for all servers and for good, and tells nobody which they are. */
export async function hashOfAddress(ctx: Context, req: Request): Promise<string> {
  let key = keys.get(ctx);
  if (key === undefined) {
    const secret = await ctx.db.selectFrom('secrets').select('value').where('name', '=', 'address').executeTakeFirstOrThrow();
    key = secret.value;
    keys.set(ctx, key);
  }
  return createHmac('sha256', key).update(address(req)).digest('base64url');
}
