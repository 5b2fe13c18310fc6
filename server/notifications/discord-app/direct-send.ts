import { createHash } from 'node:crypto';
import { z } from 'zod';
import { escapeName } from '../../../shared/discord/escape.ts';
import { DomainError, existing } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { DirectMessageTest, RegisterError } from '../../../shared/schemas/discord.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Member } from '../../http/caller.ts';
import { sentencesIn } from '../../http/errors.ts';
import type { Job, OutsideKind, StoreOutcome } from '../../jobs/job-kind.ts';
import { addJob, addMissingJob, notificationsPausedAt } from '../../jobs/job-store.ts';
import type { SenderContext } from '../outbound/post.ts';
import { type DirectRecipient, findRecipient } from '../push/direct-recipients.ts';
import {
  DIRECT_JOB,
  type DirectNotice,
  type Notice,
  notice,
  promptOf,
  subjectOf,
} from '../push/notice.ts';
import { directChoices, preferencesOf } from '../push/preferences.ts';
import { earliestTime } from '../push/schedule.ts';
import { MAX_TESTS, pushTests, refresh } from '../push/send.ts';
import { backoffEnd } from '../push/subscriptions.ts';
import type { Delivering } from '../push/web-push.ts';
import { findApp, type StoredApp } from './app.ts';
import { EDIT_JOB } from './direct-messages.ts';
import { type DirectMessage, endedMessage, messageOf } from './direct-text.ts';
import { callDiscord, type DiscordAnswer, type DiscordCaller } from './discord-api.ts';
import { languageOfUser } from './links.ts';

/* Sends notices as direct messages with buttons, and edits them when their question is answered or expires. */

/** Direct messages under way: Discord limits calls, and is one receiver. */
const MAX_RUNNING = 5;
const TIMEOUT_S = 60;
/** Back off this long after each failure in a row, in seconds; then always for the last. */
const BACKOFF_S = [15, 60, 300] as const;
/** Try again this long after the user accepted no direct messages, in milliseconds: they may have changed their settings. */
const CLOSED_MS = 24 * 3_600_000;

/** Discord's codes: the user accepts no direct messages, or shares no server with the app. */
const CLOSED: readonly (number | null)[] = [50007, 50278];
/** Discord's code: too many channels were opened at once. */
const OPENED_TOO_FAST = 40003;
/** Discord's codes: the channel was deleted, or belongs to another app. */
const LOST_CHANNEL: readonly (number | null)[] = [10003, 50001];

/** The outcome of sending a message. */
type Sent =
  | { of: 'sent'; channel_id: string; message_id: string }
  /** The user accepts no direct messages. */
  | { of: 'closed' }
  | { of: 'again'; reason: RegisterError; after_s: number | null }
  | { of: 'refused'; status: number | null };

interface Sending extends DiscordCaller {
  db: Db | Tx;
}

/** A channel or message of Discord's. */
const created = z.object({ id: z.string().regex(/^\d{1,20}$/) });

/** The verdict on a call that failed. */
function failureOf(answer: Extract<DiscordAnswer, { ok: false }>): Exclude<Sent, { of: 'sent' }> {
  const { status, code, after_s } = answer;
  if (CLOSED.includes(code)) return { of: 'closed' };
  if (code === OPENED_TOO_FAST) return { of: 'again', reason: 'tooMany', after_s };
  if (
    answer.reason === 'botToken' ||
    answer.reason === 'tooMany' ||
    answer.reason === 'unreachable'
  )
    return { of: 'again', reason: answer.reason, after_s };
  return { of: 'refused', status };
}

/** @param nonce Discord creates a message once, if the same is sent again within minutes */
async function sendMessage(
  ctx: DiscordCaller,
  { bot_token }: Pick<StoredApp, 'bot_token'>,
  to: Pick<DirectRecipient, 'discord_user_id' | 'discord_channel_id'>,
  message: DirectMessage,
  { nonce, signal }: { nonce: string; signal?: AbortSignal },
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
      if (channel_id === null) return { of: 'refused', status: null };
    }
    const sent = await call(`/channels/${channel_id}/messages`, {
      ...message,
      ...NO_MENTIONS,
      nonce,
      enforce_nonce: true,
    });
    if (sent.ok) {
      const { data } = created.safeParse(sent.body);
      return data
        ? { of: 'sent', channel_id, message_id: data.id }
        : { of: 'refused', status: null };
    }
    if (!isKnown || !LOST_CHANNEL.includes(sent.code)) return failureOf(sent);
    channel_id = null;
  }
}

const NO_MENTIONS = { allowed_mentions: { parse: [] } };

/** Longest nonce that Discord takes, in characters. */
const MAX_NONCE = 25;
const nonceOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, MAX_NONCE);

type Ctx = SenderContext;

const CALLS_DISCORD = {
  runs: 'outside',
  notifies: true,
  max_running: MAX_RUNNING,
  timeout_s: TIMEOUT_S,
  finishes: true,
  unseen: true,
} as const;

/** Sends a notice, if it still holds and the member still wants it. */
export const sendDirect: OutsideKind<DirectNotice, Ctx> = {
  ...DIRECT_JOB,
  ...CALLS_DISCORD,
  run: async (ctx, job, { signal }) => {
    const [app, to] = [
      await findApp(ctx.db),
      await findRecipient(ctx.db, Number.parseInt(job.key, 10)),
    ];
    if (!app || !to) return undefined;
    const chosen = (await preferencesOf(ctx.env, ctx.db, [to.character_key]))(to.character_key);
    const wanted = directChoices(chosen);
    const earliest = earliestTime(job.payload, wanted, ctx.now());
    if (!earliest) return undefined;
    if (isClosed(to, ctx.now())) return giveUp(ctx);
    const at = latest(earliest.toISOString(), backoffEnd(app, ctx.now()));
    if (at > ctx.now().toISOString()) return sendLater(ctx, job, at);
    const current = await refresh(ctx.db, job.payload);
    if (!current) return undefined;
    const language = await languageOfUser(ctx.db, to.discord_user_id);
    const message = await messageOf(ctx, language, wanted, current);
    const nonce = job.payload.nonce ?? nonceOf(job.key, job.due_at.toISOString(), current.until);
    const earlier = await findMessage(ctx.db, to, current);
    const sent = await sendMessage(ctx, app, to, message, { nonce, signal });
    // This server stops: the next one sends it.
    if (sent.of !== 'sent') signal.throwIfAborted();
    if (sent.of === 'sent' && earlier && earlier.message_id !== sent.message_id)
      await removeMessage(ctx, app, earlier);
    return outcomeOf(ctx, app, to, sent, {
      job: { ...job, payload: { ...job.payload, nonce } },
      current,
      language,
    });
  },
};

const isClosed = ({ discord_closed_at }: DirectRecipient, now: Date): boolean =>
  discord_closed_at !== null && now.getTime() - Date.parse(discord_closed_at) < CLOSED_MS;

const latest = (one: string, other: string | null): string =>
  other !== null && other > one ? other : one;

function giveUp({ metrics }: Pick<Ctx, 'metrics'>): undefined {
  metrics.deliveries.inc({ kind: 'direct', outcome: 'given_up' });
}

/** Adds the job again in the transaction that ends it, unless its moment has passed by then. */
function sendLater(
  ctx: Pick<Ctx, 'metrics'>,
  { key, payload }: Pick<Job<DirectNotice>, 'key' | 'payload'>,
  at: string,
): StoreOutcome | undefined {
  if (at >= payload.until) return giveUp(ctx);
  return ({ tx, changes }) =>
    addMissingJob({ tx, changes }, DIRECT_JOB, { key, due_at: new Date(at), payload });
}

interface StoredMessage {
  id: number;
  channel_id: string;
  message_id: string;
}

/** The message that asks the same. */
async function findMessage(
  db: Db,
  { access_key_id }: DirectRecipient,
  current: Notice,
): Promise<StoredMessage | undefined> {
  const about = promptOf(current);
  if (about === null) return undefined;
  return db
    .selectFrom('direct_messages')
    .select(['id', 'channel_id', 'message_id'])
    .where('access_key_id', '=', access_key_id)
    .where('about', '=', about)
    .where('subject', '=', subjectOf(current))
    .executeTakeFirst();
}

const pathOf = ({
  channel_id,
  message_id,
}: Pick<StoredMessage, 'channel_id' | 'message_id'>): string =>
  `/channels/${channel_id}/messages/${message_id}`;

/** Removes a message that a later one replaces; best effort: its buttons do the same. */
const removeMessage = (
  ctx: DiscordCaller,
  { bot_token }: StoredApp,
  message: StoredMessage,
): Promise<unknown> =>
  callDiscord(ctx, { method: 'DELETE', path: pathOf(message), bot_token, body: null });

interface SentNotice {
  job: Pick<Job<DirectNotice>, 'key' | 'payload'>;
  current: Notice;
  language: Language;
}

function outcomeOf(
  ctx: Ctx,
  app: StoredApp,
  to: DirectRecipient,
  sent: Sent,
  notice: SentNotice,
): StoreOutcome | undefined {
  const count = (outcome: 'delivered' | 'failed' | 'given_up'): void =>
    ctx.metrics.deliveries.inc({ kind: 'direct', outcome });
  switch (sent.of) {
    case 'sent':
      count('delivered');
      return async (unit) => {
        const { tx, changes } = unit;
        await storeArrival(tx, app, to, sent.channel_id, ctx.now());
        await storeMessage(tx, to, sent, notice);
        // The question was answered while the message was sent, so nothing else edits the message.
        const id = (await refresh(tx, notice.current)) ? undefined : (await idOf(tx, sent))?.id;
        if (id !== undefined)
          await addJob({ tx, changes }, EDIT_JOB, {
            key: String(id),
            due_at: ctx.now(),
            payload: null,
          });
      };
    case 'closed':
      count('given_up');
      return ({ tx }) => storeClosed(tx, to, ctx.now());
    case 'refused':
      count('given_up');
      ctx.log.warn({ status: sent.status }, 'Discord refused a direct message');
      // One member's: the app needs no repair.
      return undefined;
    default: {
      count('failed');
      const failure = backOff(app, sent, ctx.now());
      const again = sendLater(ctx, notice.job, failure.backoff_until);
      return async (unit) => {
        await storeFailure(unit.tx, app, failure);
        await again?.(unit);
      };
    }
  }
}

/** A pause for all messages: Discord is one receiver. */
function backOff(
  { failures }: StoredApp,
  { reason, after_s }: Extract<Sent, { of: 'again' }>,
  now: Date,
) {
  const own = BACKOFF_S[Math.min(failures, BACKOFF_S.length - 1)] ?? 0;
  const seconds = after_s ?? own;
  return {
    message_error: reason,
    // Discord is up where it asks for a pause.
    failures: reason === 'tooMany' ? failures : failures + 1,
    backoff_until: new Date(now.getTime() + Math.max(1, seconds) * 1_000).toISOString(),
  };
}

/** Not of an app that was saved meanwhile. */
const sameApp = (tx: Tx, { saved_at }: StoredApp) =>
  tx.updateTable('discord_app').where('saved_at', '=', saved_at);

async function storeFailure(
  tx: Tx,
  app: StoredApp,
  failure: ReturnType<typeof backOff>,
): Promise<void> {
  await sameApp(tx, app).set(failure).execute();
}

/** A message arrived. A pause that Discord asked for meanwhile stays. */
async function storeArrival(
  tx: Tx,
  app: StoredApp,
  to: DirectRecipient,
  discord_channel_id: string,
  now: Date,
): Promise<void> {
  if (app.message_error !== null || app.failures > 0)
    await sameApp(tx, app)
      .set({ message_error: null, failures: 0, backoff_until: null })
      .where(({ or, eb }) =>
        or([eb('backoff_until', 'is', null), eb('backoff_until', '<=', now.toISOString())]),
      )
      .execute();
  if (to.discord_channel_id === discord_channel_id && to.discord_closed_at === null) return;
  await linkTo(tx, to).set({ discord_channel_id, discord_closed_at: null }).execute();
}

async function storeClosed(tx: Tx, to: DirectRecipient, now: Date): Promise<void> {
  await linkTo(tx, to).set({ discord_closed_at: now.toISOString() }).execute();
}

/** Not of a user who was linked meanwhile. */
const linkTo = (tx: Tx, { access_key_id, discord_user_id }: DirectRecipient) =>
  tx
    .updateTable('access_keys')
    .where('id', '=', access_key_id)
    .where('discord_user_id', '=', discord_user_id);

/** Stores a message that asks something, to edit it later. */
async function storeMessage(
  tx: Tx,
  { access_key_id, discord_user_id }: DirectRecipient,
  { channel_id, message_id }: Extract<Sent, { of: 'sent' }>,
  { current, language }: SentNotice,
): Promise<void> {
  const about = promptOf(current);
  // Not for a user who was linked meanwhile.
  if (
    about === null ||
    (await findRecipient(tx, access_key_id))?.discord_user_id !== discord_user_id
  )
    return;
  const values = {
    channel_id,
    message_id,
    language,
    notice: JSON.stringify(current),
    until: current.until,
  };
  await tx
    .insertInto('direct_messages')
    .values({ access_key_id, about, subject: subjectOf(current), ...values })
    .onConflict((conflict) =>
      conflict.columns(['access_key_id', 'about', 'subject']).doUpdateSet(values),
    )
    .execute();
}

const idOf = (tx: Tx, { message_id }: Extract<Sent, { of: 'sent' }>) =>
  tx
    .selectFrom('direct_messages')
    .select('id')
    .where('message_id', '=', message_id)
    .executeTakeFirst();

/** Edits a message: its question is answered or over, or has another deadline. */
export const editDirect: OutsideKind<null, Ctx> = {
  ...EDIT_JOB,
  ...CALLS_DISCORD,
  run: async (ctx, { key }, { signal }) => {
    const row = await ctx.db
      .selectFrom('direct_messages')
      .selectAll()
      .where('id', '=', Number(key))
      .executeTakeFirst();
    if (!row) return undefined;
    const forget: StoreOutcome = async ({ tx }) =>
      void (await tx.deleteFrom('direct_messages').where('id', '=', row.id).execute());
    const [app, to] = [await findApp(ctx.db), await findRecipient(ctx.db, row.access_key_id)];
    const question = notice.safeParse(JSON.parse(row.notice)).data;
    if (!app || !to || !question) return forget;
    // Until the row is deleted by its age.
    const editAt =
      (at: string): StoreOutcome =>
      ({ tx, changes }) =>
        addMissingJob({ tx, changes }, EDIT_JOB, { key, due_at: new Date(at), payload: null });
    const backoff = backoffEnd(app, ctx.now());
    if (backoff !== null && backoff > ctx.now().toISOString()) return editAt(backoff);
    const wanted = (await preferencesOf(ctx.env, ctx.db, [to.character_key]))(to.character_key);
    const current = await refresh(ctx.db, question);
    const message = current
      ? await messageOf(ctx, row.language, wanted, current)
      : await endedMessage(ctx, row.language, wanted, question);
    const body = { ...message, ...NO_MENTIONS };
    const edited = await callDiscord(ctx, {
      method: 'PATCH',
      path: pathOf(row),
      bot_token: app.bot_token,
      body,
      signal,
    });
    if (edited.ok) {
      if (!current) return forget;
      const values = { notice: JSON.stringify(current), until: current.until };
      return async ({ tx }) =>
        void (await tx
          .updateTable('direct_messages')
          .set(values)
          .where('id', '=', row.id)
          .execute());
    }
    signal.throwIfAborted();
    const failed = failureOf(edited);
    // The user deleted the message, or closed the channel.
    if (failed.of !== 'again') return forget;
    const failure = backOff(app, failed, ctx.now());
    const again = editAt(failure.backoff_until);
    return async (unit) => {
      await storeFailure(unit.tx, app, failure);
      await again(unit);
    };
  },
};

/**
 * Sends the member a test message at once, regardless of preferences.
 * @throws DomainError discord.notSetUp, discord.notLinked, notifications.paused, request.tooManyTries
 */
export async function sendDirectTest(
  ctx: Sending & Delivering,
  { access_key_id, character_key, character_name }: Member,
): Promise<DirectMessageTest> {
  const app = existing(await findApp(ctx.db), 'discord.notSetUp');
  const to = existing(await findRecipient(ctx.db, access_key_id), 'discord.notLinked');
  if (await notificationsPausedAt(ctx.db)) throw new DomainError('notifications.paused');
  const tries = pushTests(ctx).admit(`discord ${character_key}`, MAX_TESTS);
  const say = sentencesIn(await languageOfUser(ctx.db, to.discord_user_id));
  const content = say('discordApp.direct.test', { name: escapeName(character_name) });
  const nonce = nonceOf(character_key, ctx.now().toISOString(), String(tries));
  const sent = await sendMessage(ctx, app, to, { content, components: [] }, { nonce });
  if (sent.of === 'sent')
    await ctx.writes.transaction((tx) => storeArrival(tx, app, to, sent.channel_id, ctx.now()));
  if (sent.of === 'closed') await ctx.writes.transaction((tx) => storeClosed(tx, to, ctx.now()));
  return { outcome: sent.of === 'sent' || sent.of === 'closed' ? sent.of : 'failed' };
}
