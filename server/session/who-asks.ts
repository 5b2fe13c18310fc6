import { DomainError } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import type { Caller } from './callers.ts';
import { hashToken } from './hash-token.ts';
import { adminOfToken, memberOfKey, storedForm } from './queries.ts';

/** What somebody shows: an admin's token counts before a member's key. */
export interface Credentials {
  token: string | null;
  key: string | null;
}

/** Who a credential stands for; a refused one makes a visitor who knows why. */
export async function whoAsks(ctx: Context, { token, key }: Credentials): Promise<Caller> {
  if (token === null && key !== null) return memberOrVisitor(ctx, key);
  return orRefused(async () => (token === null ? { role: 'visitor' } : adminOfToken(ctx.db, token, ctx.now())));
}

async function orRefused(look: () => Promise<Caller>): Promise<Caller> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof DomainError) return { role: 'visitor', refused: error };
    throw error;
  }
}

interface Remembered {
  epoch: string;
  clock: number;
  members: Map<string, Caller>;
}
const remembered = new WeakMap<Context, Remembered>();

/**
 * Members are remembered until the clock moves: whatever ends a key moves it. So the refresh of an unchanged
 * board, many a second in a large guild, asks the database nothing.
 */
async function memberOrVisitor(ctx: Context, key: string): Promise<Caller> {
  const { epoch } = ctx.bus;
  const clock = ctx.bus.clock();
  let cache = remembered.get(ctx);
  if (cache?.clock !== clock || cache.epoch !== epoch) {
    cache = { epoch, clock, members: new Map() };
    remembered.set(ctx, cache);
  }
  // Or one key would be remembered in as many ways as it can be typed.
  const key_hash = hashToken(storedForm(key));
  const known = cache.members.get(key_hash);
  if (known) return known;
  const caller = await orRefused(() => memberOfKey(ctx.db, key));
  if (caller.role === 'member') cache.members.set(key_hash, caller);
  return caller;
}
