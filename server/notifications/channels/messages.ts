import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { WEBHOOK_SECRET } from '../../../shared/credentials.ts';
import {
  type DiscordMessage,
  discordMessage,
  discordTest,
  MAX_EMBEDS,
  type SayInDiscord,
} from '../../../shared/discord/message.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { PublicEvent, PublicEventType } from '../../../shared/schemas/domain-events.ts';
import { type ServerSaveContext, serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Reading } from '../../db/database.ts';
import { sentencesIn } from '../../http/errors.ts';
import { MAX_READ_BYTES, type OutboundMessage } from '../outbound/post.ts';
import { GATHER_MS, type StoredChannel } from './channel.ts';
import { eventsForPeople, type PendingEvent, pendingAfter } from './events.ts';

export interface NextMessage {
  id: string;
  type: PublicEventType;
  /** Of its last event: the channel's place once the message is delivered. */
  last_event_id: number;
  /** Whether it tells several events, which can also be sent one by one. */
  has_several: boolean;
  /** null: its events need not be sent */
  message: OutboundMessage | null;
}

/** A rotated secret also signs for this long. */
export const OLD_SECRET_MS = 24 * 3_600_000;

const messageId = (channel: StoredChannel, { id }: PendingEvent): string =>
  `msg_${id}_${channel.id}`;

/**
 * @param single_until up to this event, a message tells one event only
 * @returns null when no event is pending, or Discord's are still gathered
 */
export function nextMessage(
  ctx: Reading,
  channel: StoredChannel,
  single_until = 0,
): Promise<NextMessage | null> {
  if (channel.kind === 'webhook') return nextForWebhook(ctx, channel);
  return nextForDiscord(ctx, channel, single_until);
}

export function testMessage(ctx: Reading, channel: StoredChannel): OutboundMessage {
  if (channel.kind === 'discord') return discordTestRequest(ctx, channel);
  const event = { type: 'test', timestamp: ctx.now().toISOString(), data: {} };
  return signedMessage(ctx, channel, { id: `msg_test_${randomUUID()}`, event });
}

async function nextForWebhook(ctx: Reading, channel: StoredChannel): Promise<NextMessage | null> {
  const [next] = await pendingAfter(ctx.db, channel, 1);
  if (!next) return null;
  const id = messageId(channel, next);
  return {
    id,
    type: next.type,
    last_event_id: next.id,
    has_several: false,
    message: signedMessage(ctx, channel, { id, event: next.event }),
  };
}

async function nextForDiscord(
  ctx: Reading,
  channel: StoredChannel,
  single_until: number,
): Promise<NextMessage | null> {
  const most = channel.last_event_id < single_until ? 1 : MAX_EMBEDS;
  const events = await pendingAfter(ctx.db, channel, most);
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) return null;
  if (events.length < most && isGathering(first.at, ctx.now())) return null;
  const visible = eventsForPeople(channel, events);
  const message = visible.length === 0 ? null : discordRequest(ctx, visible, channel);
  return {
    id: messageId(channel, first),
    type: visible[0]?.type ?? first.type,
    last_event_id: last.id,
    has_several: visible.length > 1,
    message,
  };
}

/** Not for an event in the future, which a clock that has jumped back since reported. */
function isGathering(at: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(at);
  return age >= 0 && age < GATHER_MS.discord;
}

type Recipient = Pick<StoredChannel, 'url' | 'language'>;

/** At most MOST_EMBEDS events. */
export function discordRequest(
  ctx: ServerSaveContext,
  events: readonly PublicEvent[],
  to: Recipient,
): OutboundMessage {
  return discordBody(
    to,
    discordMessage(events, { say: sayIn(to.language), clock: serverSaveClock(ctx) }),
  );
}

export function discordTestRequest({ now }: ServerSaveContext, to: Recipient): OutboundMessage {
  return discordBody(to, discordTest({ say: sayIn(to.language), now: now() }));
}

function sayIn(language: Language): SayInDiscord {
  const say = sentencesIn(language);
  return (key, params = {}) => say(key, params);
}

const discordBody = ({ url }: Recipient, message: DiscordMessage): OutboundMessage => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(message),
  // To read which refusal it is; with the faults of ten changes it is long.
  kept_bytes: MAX_READ_BYTES,
});

export const newSecret = (): string =>
  WEBHOOK_SECRET.prefix + randomBytes(WEBHOOK_SECRET.bytes).toString('base64');

interface WebhookEvent {
  type: string;
  timestamp: string;
  data: unknown;
}

function signedMessage(
  ctx: Reading,
  channel: StoredChannel,
  { id, event }: { id: string; event: WebhookEvent },
): OutboundMessage {
  const now = ctx.now();
  return webhookRequest(event, { id, url: channel.url, secrets: validSecrets(channel, now), now });
}

/** The newest first. */
function validSecrets(
  { secret, old_secret, old_secret_until }: StoredChannel,
  now: Date,
): string[] {
  const left = Date.parse(old_secret_until ?? '') - now.getTime();
  // More than a day is left only if the clock has jumped back since.
  const isValid = left > 0 && left <= OLD_SECRET_MS;
  return [secret, isValid ? old_secret : null].filter((each) => each !== null);
}

interface Signing {
  /** Stays the same over all attempts, so that the receiver recognizes a duplicate. */
  id: string;
  url: string;
  /** All valid ones, the newest first: `whsec_` and base64. */
  secrets: readonly string[];
  /** Time of the attempt. */
  now: Date;
}

/** A message as Standard Webhooks says, with one signature for each valid secret. */
export function webhookRequest(
  { type, timestamp, data }: WebhookEvent,
  { id, url, secrets, now }: Signing,
): OutboundMessage {
  const body = JSON.stringify({ type, timestamp, data });
  const sent_at = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => `v1,${signature(secret, `${id}.${sent_at}.${body}`)}`);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(sent_at),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

const signature = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(WEBHOOK_SECRET.prefix.length), 'base64'))
    .update(content)
    .digest('base64');
