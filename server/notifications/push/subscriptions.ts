import { ECDH } from 'node:crypto';
import type { Selectable } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import {
  MAX_SUBSCRIPTIONS,
  type PushSubscribed,
  type PushSubscriptionInput,
} from '../../../shared/schemas/push.ts';
import { memberOfKey } from '../../auth/sessions.ts';
import { endlessWaitAfter } from '../../db/back-off.ts';
import { type Db, inBatches, type Tx } from '../../db/database.ts';
import { lockClock, updateSubscribedTypes } from '../../db/domain-events.ts';
import type { PushSubscriptionsTable } from '../../db/schema.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { Env } from '../../env.ts';
import { assertAllowedUrl } from '../outbound/allowed-urls.ts';
import type { Verdict } from '../outbound/post.ts';

export type StoredSubscription = Selectable<PushSubscriptionsTable>;

/** ISO times past the year 9999 don't sort as text, so such an expiry is stored as none. */
const MAX_EXPIRY = Date.UTC(9999, 11, 31);

/**
 * Subscribes a browser, or renews its subscription. Above MAX_SUBSCRIPTIONS the character's oldest is deleted. The clock does not
 * advance: no watcher sees subscriptions.
 * @throws DomainError push.endpoint, push.keys; session.* for an invalid key
 */
export async function subscribe(
  ctx: Writing,
  key: string,
  input: PushSubscriptionInput,
): Promise<PushSubscribed> {
  assertAllowedEndpoint(ctx.env, input.endpoint);
  const { p256dh, auth } = input.keys;
  assertPublicKey(p256dh);
  const now = ctx.now().toISOString();
  return ctx.writes.transaction(async (tx) => {
    await lockClock(tx);
    const { character_key, access_key_id } = await memberOfKey(tx, key);
    const known = tx
      .selectFrom('push_subscriptions')
      .select('id')
      .where('character_key', '=', character_key);
    const was_known =
      (await known.where('endpoint', '=', input.endpoint).executeTakeFirst()) !== undefined;
    const expires_at = expiryOf(input);
    const as = {
      access_key_id,
      p256dh,
      auth,
      language: input.language,
      renewed_at: now,
      expires_at,
      failures: 0,
      backoff_until: null,
    };
    await tx
      .insertInto('push_subscriptions')
      .values({ character_key, endpoint: input.endpoint, ...as })
      .onConflict((conflict) => conflict.columns(['character_key', 'endpoint']).doUpdateSet(as))
      .execute();
    await deleteSurplus(tx, character_key);
    await updateSubscribedTypes(ctx, tx);
    return { was_known };
  });
}

/** @throws DomainError push.notFound; session.* for an invalid key */
export async function unsubscribe(ctx: Writing, key: string, endpoint: string): Promise<void> {
  await ctx.writes.transaction(async (tx) => {
    await lockClock(tx);
    const { character_key } = await memberOfKey(tx, key);
    const { numDeletedRows } = await tx
      .deleteFrom('push_subscriptions')
      .where('character_key', '=', character_key)
      .where('endpoint', '=', endpoint)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new DomainError('push.notFound');
    await updateSubscribedTypes(ctx, tx);
  });
}

/** Pending notices for it find that it is gone. */
export async function deleteSubscription(ctx: Writing, id: number): Promise<void> {
  await ctx.writes.transaction(async (tx) => {
    await lockClock(tx);
    await tx.deleteFrom('push_subscriptions').where('id', '=', id).execute();
    await updateSubscribedTypes(ctx, tx);
  });
}

async function deleteSurplus(tx: Tx, character_key: string): Promise<void> {
  const newest = tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('character_key', '=', character_key)
    .orderBy('renewed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SUBSCRIPTIONS);
  await tx
    .deleteFrom('push_subscriptions')
    .where('character_key', '=', character_key)
    .where('id', 'not in', newest)
    .execute();
}

function expiryOf({ expirationTime: at }: PushSubscriptionInput): string | null {
  return typeof at === 'number' && at <= MAX_EXPIRY ? new Date(at).toISOString() : null;
}

/** Other characters are parsed differently by the library that signs messages for the host. */
const HOST = /^(\[[\da-f:]+\]|[a-z\d._-]+)$/;
/** Google's former service does not know VAPID keys. */
const FORMER_SERVICE = /^android\.googleapis\.com$/;

function assertAllowedEndpoint(env: Env, endpoint: string): void {
  try {
    assertAllowedUrl(env, endpoint, 'push');
  } catch (error) {
    throw error instanceof DomainError ? new DomainError('push.endpoint') : error;
  }
  const { hostname } = new URL(endpoint);
  if (!HOST.test(hostname) || FORMER_SERVICE.test(hostname)) throw new DomainError('push.endpoint');
}

/** It must be a point of the curve, or nothing can be encrypted for the browser. */
function assertPublicKey(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
  } catch {
    throw new DomainError('push.keys');
  }
}

/** The push service's host. */
export const serviceOf = ({ endpoint }: Pick<StoredSubscription, 'endpoint'>): string =>
  new URL(endpoint).host;

/** Subscriptions whose key is not revoked and whose character is not banned. */
const valid = (db: Db | Tx) =>
  db
    .selectFrom('push_subscriptions')
    .innerJoin('access_keys', 'access_keys.id', 'push_subscriptions.access_key_id')
    .selectAll('push_subscriptions')
    .where('access_keys.is_revoked', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bans')
            .select('bans.created_at')
            .whereRef('bans.character_key', '=', 'push_subscriptions.character_key'),
        ),
      ),
    );

export async function subscriptionsOf(
  db: Db | Tx,
  character_keys: readonly string[],
): Promise<StoredSubscription[]> {
  const found: StoredSubscription[] = [];
  for (const batch of inBatches(character_keys)) {
    found.push(
      ...(await valid(db)
        .where('push_subscriptions.character_key', 'in', batch)
        .orderBy('push_subscriptions.id')
        .execute()),
    );
  }
  return found;
}

/** @returns null if it is gone or no longer valid */
export async function findSubscription(db: Db, id: number): Promise<StoredSubscription | null> {
  return (await valid(db).where('push_subscriptions.id', '=', id).executeTakeFirst()) ?? null;
}

/** Slower than the waits of an outage: there are thousands of browsers, and most of those that fail never come back. */
const WAITS_S: readonly number[] = [60, 300, 900, 3_600, 21_600];
/** Failures in a row after which a refusal by the push service deletes the subscription. */
const MAX_REFUSALS = 10;

type Failure = Pick<StoredSubscription, 'failures'> & { backoff_until: string };

/** @returns null: delete the subscription */
export function afterFailure(
  { failures }: StoredSubscription,
  { error, after_s }: Extract<Verdict, { type: 'again' }>,
  now: Date,
): Failure | null {
  // 408 and 429 ask for time.
  if (failures + 1 >= MAX_REFUSALS && /^HTTP 4(?!08|29)/.test(error)) return null;
  const seconds = Math.max(after_s ?? 0, endlessWaitAfter(failures + 1, WAITS_S));
  return {
    failures: failures + 1,
    backoff_until: new Date(now.getTime() + seconds * 1_000).toISOString(),
  };
}

export async function storeFailure(tx: Tx, id: number, failure: Failure): Promise<void> {
  await tx.updateTable('push_subscriptions').set(failure).where('id', '=', id).execute();
}

export async function storeSuccess(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('push_subscriptions')
    .set({ failures: 0, backoff_until: null })
    .where('id', '=', id)
    .execute();
}
