import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import webPush from 'web-push';
import { z } from 'zod';
import type { PushPayload } from '../../../shared/schemas/push.ts';
import type { Db } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import { once } from '../../db/promises.ts';
import type { PushSubscriptionsTable } from '../../db/schema.ts';
import type { WriteQueue } from '../../db/write-queue.ts';
import type { Env } from '../../env.ts';
import { judgeAnswer, type Sending, type Verdict } from '../outbound/post.ts';

const storedKeys = z.object({ public_key: z.string(), private_key: z.string() });
/** In base64url. A browser that subscribed with other keys gets nothing more. */
export type VapidKeys = z.infer<typeof storedKeys>;

export type ReadVapid = () => Promise<VapidKeys>;

interface KeyStore {
  db: Db;
  writes: Pick<WriteQueue, 'transaction'>;
}

/** The keys are created when first needed, and are the same for all servers and forever. */
export const vapidKeys = defineMemory(
  (store: KeyStore): ReadVapid => once(() => readOrCreate(store)),
);

async function readOrCreate({ db, writes }: KeyStore): Promise<VapidKeys> {
  const found = await readKeys(db);
  if (found) return found;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const value = JSON.stringify({ public_key: publicKey, private_key: privateKey });
  // If another server stored keys meanwhile, its keys count.
  await writes.transaction((tx) =>
    tx
      .insertInto('secrets')
      .values({ name: 'vapid', value })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  const kept = await readKeys(db);
  if (!kept) throw new Error('the VAPID keys were not stored');
  return kept;
}

async function readKeys(db: Db): Promise<VapidKeys | null> {
  const secret = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', 'vapid')
    .executeTakeFirst();
  return secret ? storedKeys.parse(JSON.parse(secret.value)) : null;
}

/** A notification for one browser, and what its push service is asked for. */
interface PushMessage {
  to: Pick<Selectable<PushSubscriptionsTable>, 'endpoint' | 'p256dh' | 'auth'>;
  payload: PushPayload;
  /** How long to keep the message for a browser that is offline, in seconds. */
  ttl_s: number;
  /** Whether to wake a sleeping phone. */
  is_urgent: boolean;
  signal?: AbortSignal;
}

/** A push service answers fast or is down, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** For push services that insist on the operator's address. */
const NO_CONTACT = 'mailto:nobody@claimboard.example';
/** RFC 8030 allows a topic this long. */
const MAX_TOPIC_LENGTH = 32;

/** Encrypts a notification for one browser and posts it to the browser's push service. */
export async function deliver(
  ctx: Sending,
  { to: { endpoint, p256dh, auth }, payload, ttl_s, is_urgent, signal }: PushMessage,
): Promise<Verdict> {
  const { public_key: publicKey, private_key: privateKey } = await vapidKeys(ctx)();
  const subscription = { endpoint: new URL(endpoint).href, keys: { p256dh, auth } };
  const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(payload), {
    vapidDetails: { subject: contactOf(ctx.env), publicKey, privateKey },
    TTL: ttl_s,
    urgency: is_urgent ? 'high' : 'normal',
    // The push service replaces an undelivered message with the same topic.
    topic: createHash('sha256').update(payload.tag).digest('base64url').slice(0, MAX_TOPIC_LENGTH),
    contentEncoding: 'aes128gcm',
  });
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await ctx.post({
    url: endpoint,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  return judgeAnswer('webhook', answer, ctx.now());
}

const contactOf = ({ PUBLIC_URL: url }: Pick<Env, 'PUBLIC_URL'>): string =>
  url?.startsWith('https:') ? url : NO_CONTACT;
