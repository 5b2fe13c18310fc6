import { ECDH } from 'node:crypto';
import { DomainError } from '../../../shared/errors.ts';
import { MAX_SUBSCRIPTIONS, type PushSubscribed, type PushSubscriptionInput } from '../../../shared/schemas/push.ts';
import { memberOfKey } from '../../auth/queries.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import { assertAllowedUrl } from '../outbound/judge-url.ts';

const LATEST = Date.UTC(9999, 11, 31);

type Ctx = Pick<Writing, 'env' | 'now' | 'writes' | 'outbox'>;

/**
 * Has a browser sent a character's notices from now on, or notes that it still wants them. The oldest of too many goes.
 * Nothing that anybody else sees, so no clock moves and nobody is told.
 * @throws DomainError push.endpoint, push.keys; session.* for a key that does not hold
 */
export async function subscribe(ctx: Ctx, key: string, input: PushSubscriptionInput): Promise<PushSubscribed> {
  assertAllowedEndpoint(ctx.env, input.endpoint);
  const { p256dh, auth } = input.keys;
  assertPoint(p256dh);
  const now = ctx.now().toISOString();
  return ctx.writes.transaction(async (tx) => {
    await lockClock(tx);
    const { character_key, access_key_id } = await memberOfKey(tx, key);
    const known = tx.selectFrom('push_subscriptions').select('id').where('character_key', '=', character_key);
    const was_known = (await known.where('endpoint', '=', input.endpoint).executeTakeFirst()) !== undefined;
    const expires_at = expiryOf(input);
    const as = { access_key_id, p256dh, auth, language: input.language, renewed_at: now, expires_at, failures: 0, rests_until: null };
    await tx
      .insertInto('push_subscriptions')
      .values({ character_key, endpoint: input.endpoint, ...as })
      .onConflict((conflict) => conflict.columns(['character_key', 'endpoint']).doUpdateSet(as))
      .execute();
    await forgetTooMany(tx, character_key);
    await ctx.outbox.updateSubscribedTypes(tx);
    return { was_known };
  });
}

/**
 * @throws DomainError push.notFound; session.* for a key that does not hold
 */
export async function unsubscribe(ctx: Ctx, key: string, endpoint: string): Promise<void> {
  await ctx.writes.transaction(async (tx) => {
    await lockClock(tx);
    const { character_key } = await memberOfKey(tx, key);
    const gone = await tx
      .deleteFrom('push_subscriptions')
      .where('character_key', '=', character_key)
      .where('endpoint', '=', endpoint)
      .executeTakeFirst();
    if (gone.numDeletedRows === 0n) throw new DomainError('push.notFound');
    await ctx.outbox.updateSubscribedTypes(tx);
  });
}

/**
 * Every write asks the clock's row whether anybody is to be told anything: what comes and what goes at the same moment must see
 * each other. To be called first, and `outbox.updateSubscribedTypes` last, by whatever makes or takes away subscriptions.
 */
export async function lockClock(tx: Tx): Promise<void> {
  await tx
    .updateTable('clock')
    .set(({ ref }) => ({ heard: ref('heard') }))
    .execute();
}

async function forgetTooMany(tx: Tx, character_key: string): Promise<void> {
  const newest = tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('character_key', '=', character_key)
    .orderBy('renewed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SUBSCRIPTIONS);
  await tx.deleteFrom('push_subscriptions').where('character_key', '=', character_key).where('id', 'not in', newest).execute();
}

/** Past the year 9999 times are not written so that they can be compared: that is never. */
function expiryOf({ expirationTime: at }: PushSubscriptionInput): string | null {
  return typeof at === 'number' && at <= LATEST ? new Date(at).toISOString() : null;
}

/** What a host may be written with: others are read otherwise by whatever writes for whom a message is signed. */
const HOST = /^(\[[\da-f:]+\]|[a-z\d._-]+)$/;
/** It knows nothing of our keys: nothing could be sent there. */
const FORMER_SERVICE = /^android\.googleapis\.com$/;

/** Where a name leads to is judged when it is connected to. */
function assertAllowedEndpoint(env: Ctx['env'], endpoint: string): void {
  try {
    assertAllowedUrl(env, endpoint, 'push');
  } catch (error) {
    throw error instanceof DomainError ? new DomainError('push.endpoint') : error;
  }
  const { hostname } = new URL(endpoint);
  if (!HOST.test(hostname) || FORMER_SERVICE.test(hostname)) throw new DomainError('push.endpoint');
}

/** Nothing can be encrypted for what is no point of the curve. */
function assertPoint(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
  } catch {
    throw new DomainError('push.keys');
  }
}
