import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { escapeName } from '../../../shared/discord/escape.ts';
import { existing } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { DirectMessageTest } from '../../../shared/schemas/discord.ts';
import type { Tx } from '../../db/database.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Member } from '../../http/caller.ts';
import { sentencesIn } from '../../http/errors.ts';
import { addJob } from '../../jobs/job-store.ts';
import { backoffEnd, type Medium, NEVER } from '../notices/medium.ts';
import { type Notice, notice, promptOf, subjectOf } from '../notices/notice.ts';
import { admitTest, refresh } from '../notices/send.ts';
import type { Sending } from '../outbound/post.ts';
import { findApp, type StoredApp } from './app.ts';
import {
  backOff,
  MAX_RUNNING,
  pathOf,
  type SentMessage,
  sameApp,
  sendMessage,
} from './direct-calls.ts';
import { EDIT_JOB } from './direct-messages.ts';
import { findRecipient, type LinkedRecipient, linkedRecipients } from './direct-recipients.ts';
import { messageOf } from './direct-text.ts';
import { callDiscord } from './discord-api.ts';
import { languageOfUser } from './links.ts';

/** Try again this long after the user accepted no direct messages, in milliseconds: they may have changed their settings. */
const CLOSED_MS = 24 * 3_600_000;

/** With the nonce of its first attempt, so that Discord creates the message once, even if the answer to that was lost. */
const directNotice = z.intersection(notice, z.object({ nonce: z.string().optional() }));

interface DirectRecipient extends LinkedRecipient {
  app: StoredApp;
}

/** Direct messages with buttons, to the Discord user of a member's character. */
export const directMedium: Medium<DirectRecipient, z.infer<typeof directNotice>> = {
  name: 'direct',
  job: { kind: 'direct.send', payload: directNotice },
  limits: { max_running: MAX_RUNNING },
  choices: (chosen) => ({
    ...chosen,
    hold_offered: chosen.direct_hold_offered,
    hunt_begins: chosen.direct_hunt_begins,
    confirm_now: chosen.direct_confirm_now,
    claim_changed: chosen.direct_claim_changed,
  }),
  characterKeys: (after) =>
    sql`select character_key from access_keys where discord_user_id is not null and character_key > ${after}`,
  recipientsOf: linkedRecipients,
  find: async ({ db }, id) => {
    const app = await findApp(db);
    const to = app && (await findRecipient(db, id));
    return to && { ...to, app };
  },
  pausedUntil: (to, now) => (isClosed(to, now) ? NEVER : backoffEnd(to.app, now)),
  deliver: async (ctx, { to, job, current, wanted, signal }) => {
    const { app } = to;
    const language = await languageOfUser(ctx.db, to.discord_user_id);
    const message = await messageOf(ctx, { language, wanted, notice: current });
    const nonce = job.payload.nonce ?? nonceOf(job.key, job.due_at.toISOString(), current.until);
    const earlier = await findMessage(ctx, to, current);
    const sent = await sendMessage(ctx, { app, to, message, nonce, signal });
    if (sent.type === 'sent') {
      // A later message replaces it. Best effort: its buttons do the same.
      if (earlier && earlier.message_id !== sent.message_id)
        await callDiscord(ctx, {
          method: 'DELETE',
          path: pathOf(earlier),
          bot_token: app.bot_token,
          body: null,
        });
      return {
        outcome: 'delivered',
        store: (unit) => storeMessage(unit, to, { sent, current, language }),
      };
    }
    signal.throwIfAborted();
    if (sent.type === 'closed')
      return { outcome: 'given_up', store: ({ tx, at }) => storeClosed(tx, to, at) };
    if (sent.type === 'refused') {
      // One member's: the app needs no repair.
      ctx.log.warn({ status: sent.status }, 'Discord refused a direct message');
      return { outcome: 'given_up' };
    }
    const failure = backOff(app, sent, ctx.now());
    return {
      outcome: 'failed',
      retry: { at: failure.backoff_until, payload: { ...job.payload, nonce } },
      store: async ({ tx }) => void (await sameApp(tx, app).set(failure).execute()),
    };
  },
};

/** Longest nonce that Discord takes, in characters. */
const MAX_NONCE = 25;
const nonceOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, MAX_NONCE);

const isClosed = ({ discord_closed_at }: LinkedRecipient, now: Date): boolean =>
  discord_closed_at !== null && now.getTime() - Date.parse(discord_closed_at) < CLOSED_MS;

/** The message that asks the same. */
async function findMessage(
  { db }: Sending,
  to: LinkedRecipient,
  current: Notice,
): Promise<SentMessage | undefined> {
  const about = promptOf(current);
  if (about === null) return undefined;
  return db
    .selectFrom('direct_messages')
    .select(['channel_id', 'message_id'])
    .where('access_key_id', '=', to.id)
    .where('about', '=', about)
    .where('subject', '=', subjectOf(current))
    .executeTakeFirst();
}

/** A message arrived. A pause that Discord asked for meanwhile stays. */
async function storeArrival(
  tx: Tx,
  { app, ...to }: DirectRecipient,
  { channel_id, at }: { channel_id: string; at: Date },
): Promise<void> {
  if (app.message_error !== null || app.failures > 0)
    await sameApp(tx, app)
      .set({ message_error: null, failures: 0, backoff_until: null })
      .where(({ or, eb }) =>
        or([eb('backoff_until', 'is', null), eb('backoff_until', '<=', at.toISOString())]),
      )
      .execute();
  if (to.discord_channel_id === channel_id && to.discord_closed_at === null) return;
  const reached = { discord_channel_id: channel_id, discord_closed_at: null };
  await linkTo(tx, to).set(reached).execute();
}

async function storeClosed(tx: Tx, to: LinkedRecipient, at: Date): Promise<void> {
  await linkTo(tx, to).set({ discord_closed_at: at.toISOString() }).execute();
}

/** Not of a user who was linked meanwhile. */
const linkTo = (tx: Tx, { id, discord_user_id }: LinkedRecipient) =>
  tx.updateTable('access_keys').where('id', '=', id).where('discord_user_id', '=', discord_user_id);

interface SentNotice {
  sent: SentMessage;
  current: Notice;
  language: Language;
}

/** Stores that a message arrived, and one that asks something, to edit it later. */
async function storeMessage(
  unit: Unit,
  to: DirectRecipient,
  { sent: { channel_id, message_id }, current, language }: SentNotice,
): Promise<void> {
  const { tx, at } = unit;
  await storeArrival(unit.tx, to, { channel_id, at: unit.at });
  const about = promptOf(current);
  if (about === null) return;
  // Not for a user who was linked meanwhile.
  if ((await findRecipient(tx, to.id))?.discord_user_id !== to.discord_user_id) return;
  const values = {
    channel_id,
    message_id,
    language,
    notice: JSON.stringify(current),
    until: current.until,
  };
  const { id } = await tx
    .insertInto('direct_messages')
    .values({ access_key_id: to.id, about, subject: subjectOf(current), ...values })
    .onConflict((conflict) =>
      conflict.columns(['access_key_id', 'about', 'subject']).doUpdateSet(values),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  // The question was answered while the message was sent, so nothing else edits the message.
  if (!(await refresh(tx, current)))
    await addJob(unit, EDIT_JOB, { key: String(id), due_at: at, payload: null });
}

/**
 * Sends the member a test message at once, regardless of preferences.
 * @throws DomainError discord.notSetUp, discord.notLinked, notifications.paused, request.tooManyTries
 */
export async function sendDirectTest(
  ctx: Sending,
  { access_key_id, character_key, character_name }: Member,
): Promise<DirectMessageTest> {
  const app = existing(await findApp(ctx.db), 'discord.notSetUp');
  const to = existing(await findRecipient(ctx.db, access_key_id), 'discord.notLinked');
  const tries = await admitTest(ctx, `discord ${character_key}`);
  const say = sentencesIn(await languageOfUser(ctx.db, to.discord_user_id));
  const content = say('discordApp.direct.test', { name: escapeName(character_name) });
  const nonce = nonceOf(character_key, ctx.now().toISOString(), String(tries));
  const sent = await sendMessage(ctx, { app, to, message: { content, components: [] }, nonce });
  const at = ctx.now();
  if (sent.type === 'sent')
    await ctx.writes.transaction((tx) =>
      storeArrival(tx, { ...to, app }, { channel_id: sent.channel_id, at }),
    );
  if (sent.type === 'closed') await ctx.writes.transaction((tx) => storeClosed(tx, to, at));
  return { outcome: sent.type === 'sent' || sent.type === 'closed' ? sent.type : 'failed' };
}
