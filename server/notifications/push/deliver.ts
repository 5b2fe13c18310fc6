import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { PushPayload } from '../../../shared/schemas/push.ts';
import type { PushSubscriptionsTable } from '../../db/push-tables.ts';
import type { Env } from '../../env.ts';
import { readAnswer, type Verdict } from '../channels/read-answer.ts';
import type { Post } from '../outbound/post.ts';
import type { ReadVapid } from './vapid.ts';

export interface Delivering {
  env: Pick<Env, 'PUBLIC_URL'>;
  vapid: ReadVapid;
  post: Post;
  now: () => Date;
}

export type PushTarget = Pick<Selectable<PushSubscriptionsTable>, 'endpoint' | 'p256dh' | 'auth'>;

/** How a push service treats it. */
export interface Handling {
  /** How long it is worth anything, in seconds. */
  ttl_s: number;
  /** Whether it may wake a phone that sleeps. */
  is_urgent: boolean;
  signal?: AbortSignal;
}

/** A push service is quick or down, in milliseconds. */
const WITHIN_MS = 10_000;
/** Whom a push service may write to about what this server sends; one wants an address there, whatever it is. */
const NO_CONTACT = 'mailto:nobody@claimboard.example';
/** As long as a topic may be, in characters. */
const TOPIC_LENGTH = 32;

/** Encrypts a notice for one browser and hands it to that browser's push service. Never throws for what the other side does. */
export async function deliver(
  ctx: Delivering,
  { endpoint, p256dh, auth }: PushTarget,
  payload: PushPayload,
  as: Handling,
): Promise<Verdict> {
  const { generateRequestDetails } = (await import('web-push')).default;
  const { public_key: publicKey, private_key: privateKey } = await ctx.vapid();
  const { headers, body } = generateRequestDetails({ endpoint: new URL(endpoint).href, keys: { p256dh, auth } }, JSON.stringify(payload), {
    vapidDetails: { subject: contactOf(ctx.env), publicKey, privateKey },
    TTL: as.ttl_s,
    urgency: as.is_urgent ? 'high' : 'normal',
    // What waits at the push service under the same topic is replaced there, too.
    topic: createHash('sha256').update(payload.tag).digest('base64url').slice(0, TOPIC_LENGTH),
    contentEncoding: 'aes128gcm',
  });
  const late = AbortSignal.timeout(WITHIN_MS);
  const answer = await ctx.post({
    url: endpoint,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
    signal: as.signal ? AbortSignal.any([as.signal, late]) : late,
  });
  return readAnswer('webhook', answer, ctx.now());
}

const contactOf = ({ PUBLIC_URL: url }: Pick<Env, 'PUBLIC_URL'>): string => (url?.startsWith('https:') ? url : NO_CONTACT);
