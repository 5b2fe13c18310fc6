import { z } from 'zod';
import type { RegisterError } from '../../../shared/schemas/discord.ts';
import { endlessWaitAfter } from '../../db/back-off.ts';
import type { Tx } from '../../db/database.ts';
import type { Sending } from '../outbound/post.ts';
import type { StoredApp } from './app.ts';
import type { LinkedRecipient } from './direct-recipients.ts';
import type { DirectMessage } from './direct-text.ts';
import { callDiscord, type DiscordAnswer } from './discord-api.ts';

/* Calls about direct messages, and the back-off after failed ones: Discord is one receiver. */

/** Direct messages under way: Discord limits calls. */
export const MAX_RUNNING = 5;

/** Discord's codes: the user accepts no direct messages, or shares no server with the app. */
const CLOSED: readonly (number | null)[] = [50007, 50278];
/** Discord's code: too many channels were opened at once. */
const OPENED_TOO_FAST = 40003;
/** Discord's codes: the channel was deleted, or belongs to another app. */
const LOST_CHANNEL: readonly (number | null)[] = [10003, 50001];

export interface SentMessage {
  channel_id: string;
  message_id: string;
}

/** The outcome of sending a message. */
type Sent =
  | ({ type: 'sent' } & SentMessage)
  /** The user accepts no direct messages. */
  | { type: 'closed' }
  | { type: 'again'; reason: RegisterError; after_s: number | null }
  | { type: 'refused'; status: number | null };

export const NO_MENTIONS = { allowed_mentions: { parse: [] } };

export const pathOf = ({ channel_id, message_id }: SentMessage): string =>
  `/channels/${channel_id}/messages/${message_id}`;

/** A channel or message of Discord's. */
const created = z.object({ id: z.string().regex(/^\d{1,20}$/) });

/** The verdict on a call that failed. */
export function failureOf(
  answer: Extract<DiscordAnswer, { ok: false }>,
): Exclude<Sent, { type: 'sent' }> {
  const { status, code, after_s, reason } = answer;
  if (CLOSED.includes(code)) return { type: 'closed' };
  if (code === OPENED_TOO_FAST) return { type: 'again', reason: 'tooMany', after_s };
  if (reason === 'botToken' || reason === 'tooMany' || reason === 'unreachable')
    return { type: 'again', reason, after_s };
  return { type: 'refused', status };
}

interface Sendable {
  app: Pick<StoredApp, 'bot_token'>;
  to: Pick<LinkedRecipient, 'discord_user_id' | 'discord_channel_id'>;
  message: DirectMessage;
  /** Discord creates a message once, if the same is sent again within minutes. */
  nonce: string;
  signal?: AbortSignal;
}

export async function sendMessage(
  ctx: Sending,
  { app: { bot_token }, to, message, nonce, signal }: Sendable,
): Promise<Sent> {
  const call = (path: string, body: object) =>
    callDiscord(ctx, { method: 'POST', path, bot_token, body, ...(signal ? { signal } : {}) });
  let channel_id = to.discord_channel_id;
  for (;;) {
    const isKnown = channel_id !== null;
    if (channel_id === null) {
      const opened = await call('/users/@me/channels', { recipient_id: to.discord_user_id });
      if (!opened.ok) return failureOf(opened);
      channel_id = created.safeParse(opened.body).data?.id ?? null;
      if (channel_id === null) return { type: 'refused', status: null };
    }
    const body = { ...message, ...NO_MENTIONS, nonce, enforce_nonce: true };
    const sent = await call(`/channels/${channel_id}/messages`, body);
    if (sent.ok) {
      const { data } = created.safeParse(sent.body);
      return data
        ? { type: 'sent', channel_id, message_id: data.id }
        : { type: 'refused', status: null };
    }
    if (!isKnown || !LOST_CHANNEL.includes(sent.code)) return failureOf(sent);
    channel_id = null;
  }
}

/** A pause for all messages. */
export function backOff(
  { failures }: StoredApp,
  { reason, after_s }: Extract<Sent, { type: 'again' }>,
  now: Date,
) {
  const seconds = after_s ?? endlessWaitAfter(failures + 1);
  return {
    message_error: reason,
    // Discord is up where it asks for a pause.
    failures: reason === 'tooMany' ? failures : failures + 1,
    backoff_until: new Date(now.getTime() + Math.max(1, seconds) * 1_000).toISOString(),
  };
}

/** Not of an app that was saved meanwhile. */
export const sameApp = (tx: Tx, { saved_at }: StoredApp) =>
  tx.updateTable('discord_app').where('saved_at', '=', saved_at);
