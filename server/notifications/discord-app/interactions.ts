import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { escapeName } from '../../../shared/discord/escape.ts';
import { errors } from '../../../shared/error-codes.ts';
import { DomainError, existing } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { onBehalfOf } from '../../db/write-queue.ts';
import { refusalText, refusedInput, sentencesIn, toDomainError } from '../../http/errors.ts';
import { deleteOld } from '../../jobs/job-kind.ts';
import { noteFirstInteraction } from './app.ts';
import * as claims from './claim-answers.ts';
import { languageOf } from './commands.ts';
import type { DiscordContext } from './context.ts';
import { readPressed } from './custom-ids.ts';
import { callDiscord } from './discord-api.ts';
import { type DiscordUser, languageOfUser, redeemCode, unlinkUser } from './links.ts';
import { discordMemory, type KnownApp } from './memory.ts';
import type { Message } from './message-parts.ts';
import * as own from './own-answers.ts';
import {
  isSignedByDiscord,
  MAX_SIGNATURE_AGE_S,
  type SignatureHeaders,
  signedHeaders,
} from './signature.ts';
import { suggest } from './suggestions.ts';
import { beginTurn, type CommandRequest, done } from './turn.ts';

/** Commands and buttons of one Discord user in 10 s. */
const COMMANDS_IN_WINDOW = 10;
/** Autocompletions of one Discord user in 10 s: more than keystrokes; further ones suggest nothing. */
export const SUGGESTIONS_IN_WINDOW = 50;
/** Discord waits 3 s for the first answer. */
const DEFER_AFTER_MS = 1_500;

/** Characters of an interaction's token; Discord's have about 200. */
const MAX_TOKEN_LENGTH = 1_000;
/** An answer that overtakes its acknowledgement is refused with 404; retry after this long, in milliseconds. */
const RETRY_LATE_MS = 1_000;

/** Visible to its reader only. */
const EPHEMERAL = 64;
/** Discord's types of interactions and of their answers. */
const PING = 1;
const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
const PONG = 1;
const MESSAGE = 4;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const UPDATE = 7;
const CHOICES = 8;

const user = z.object({
  id: z.string().max(20),
  username: z.string(),
  global_name: z.string().nullish(),
});
const option = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().optional(),
});

/** The fields of an interaction that we read. Discord adds others at any time. */
const interactionShape = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  application_id: z.string(),
  type: z.number().int(),
  /** Authorizes a later answer for 15 minutes. */
  token: z.string().min(1).max(MAX_TOKEN_LENGTH),
  guild_id: z.string().optional(),
  locale: z.string().optional(),
  guild_locale: z.string().optional(),
  /** In a server; `user` in a direct message. */
  member: z.object({ user }).optional(),
  user: user.optional(),
  /** The message of a pressed button. */
  message: z.object({ id: z.string().max(20) }).optional(),
  data: z
    .object({
      name: z.string().optional(),
      options: z.array(option).optional(),
      custom_id: z.string().optional(),
      values: z.array(z.string()).optional(),
    })
    .default({}),
});
type Interaction = z.infer<typeof interactionShape>;

export interface InteractionAnswer {
  type: number;
  data?: object;
}

/**
 * Answers a signed interaction.
 * @param readBody called only if the headers may sign it
 * @throws DomainError discord.notSetUp, discord.badSignature, request.malformed, discord.answeredAlready
 */
export async function answerInteraction(
  ctx: DiscordContext,
  headers: SignatureHeaders,
  readBody: () => Promise<Buffer>,
): Promise<InteractionAnswer> {
  const app = existing(await discordMemory(ctx).findApp(), 'discord.notSetUp');
  const signed = signedHeaders(headers, ctx.now());
  if (!signed) throw new DomainError('discord.badSignature');
  const body = await readBody();
  if (!isSignedByDiscord(app.key, signed, body)) throw new DomainError('discord.badSignature');
  const interaction = parse(body);
  if (interaction.type === PING) {
    noteInteraction(ctx, app);
    return { type: PONG };
  }
  const { id, username, global_name } = interaction.member?.user ?? interaction.user ?? {};
  if (
    id === undefined ||
    username === undefined ||
    interaction.application_id !== app.application_id
  )
    throw new DomainError('request.malformed');
  const by = {
    id,
    name: global_name ?? username,
    language: languageOf(interaction.locale, interaction.guild_locale),
  };
  const received = { app, interaction, by };
  if (interaction.type === AUTOCOMPLETE)
    return { type: CHOICES, data: { choices: await choicesFor(ctx, received) } };
  const language = by.language ?? (await languageOfUser(ctx.db, id));
  discordMemory(ctx).languages.set(id, language);
  // Never gone: an answer may follow after Discord's request has ended.
  return onBehalfOf({ name: `discord ${id}`, gone: () => false }, () =>
    answerInTime(ctx, received, language),
  );
}

/** An interaction whose signature is valid. */
interface Received {
  app: KnownApp;
  interaction: Interaction;
  by: DiscordUser;
}

/** Answers from memory; only the first one of a user whose language is not ours reads which to answer in. */
async function choicesFor(
  ctx: DiscordContext,
  { app, interaction, by }: Received,
): Promise<object[]> {
  const { tries } = discordMemory(ctx).suggestions.count(by.id);
  if (tries > SUGGESTIONS_IN_WINDOW || isOtherServer(app, interaction)) return [];
  let language = by.language ?? discordMemory(ctx).languages.get(by.id);
  if (language === undefined) {
    language = await languageOfUser(ctx.db, by.id);
    discordMemory(ctx).languages.set(by.id, language);
  }
  return suggest(ctx, { by, language, options: interaction.data.options ?? [] });
}

/** A direct message has no server. */
const isOtherServer = ({ guild_id }: KnownApp, interaction: Interaction): boolean =>
  guild_id !== null && interaction.guild_id !== undefined && interaction.guild_id !== guild_id;

function parse(body: Buffer): Interaction {
  try {
    return interactionShape.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new DomainError('request.malformed');
  }
}

/** Notes it beside the answer: Discord waits 3 s, and the write queue may take longer. After a failure the next one is noted. */
function noteInteraction(ctx: DiscordContext, app: KnownApp): void {
  if (app.first_interaction_at !== null) return;
  const noted = noteFirstInteraction(ctx, app).then(() => discordMemory(ctx).forgetApp());
  noted.catch((error: unknown) =>
    ctx.log.error({ err: error }, 'noting the first Discord interaction failed'),
  );
}

/** Answers before Discord stops waiting: if it takes longer, acknowledges now and sends the answer later. */
async function answerInTime(
  ctx: DiscordContext,
  received: Received,
  language: Language,
): Promise<InteractionAnswer> {
  noteInteraction(ctx, received.app);
  const answer = answerUser(ctx, received, language);
  const stop = new AbortController();
  const first = await Promise.race([
    answer,
    setTimeout(DEFER_AFTER_MS, null, { signal: stop.signal }).catch(() => null),
  ]);
  stop.abort();
  if (first) return first;
  void sendLater(ctx, received, answer);
  return received.interaction.type === COMPONENT
    ? { type: DEFERRED_UPDATE }
    : { type: DEFERRED_MESSAGE, data: { flags: EPHEMERAL } };
}

/** Sends an answer after its acknowledgement. The path has the interaction's token, a secret: it is in no log. */
async function sendLater(
  ctx: DiscordContext,
  { app: { application_id }, interaction: { token, type } }: Received,
  answer: Promise<InteractionAnswer>,
): Promise<void> {
  try {
    const { type: kind, data } = await answer;
    const webhook = `/webhooks/${application_id}/${encodeURIComponent(token)}`;
    // A refused button gets a message of its own; an edit takes no flags.
    const isNew = type === COMPONENT && kind === MESSAGE;
    const call = isNew
      ? ({ method: 'POST', path: webhook, body: data } as const)
      : ({
          method: 'PATCH',
          path: `${webhook}/messages/@original`,
          body: { ...data, flags: undefined },
        } as const);
    let sent = await callDiscord(ctx, { ...call, bot_token: null });
    if (!sent.ok && sent.status === 404) {
      await setTimeout(RETRY_LATE_MS, undefined, { ref: false });
      sent = await callDiscord(ctx, { ...call, bot_token: null });
    }
    if (!sent.ok)
      ctx.log.warn(
        { reason: sent.reason },
        'a late answer to a Discord interaction was not delivered',
      );
  } catch (error) {
    ctx.log.error({ err: error }, 'answering a Discord interaction failed');
  }
}

/** Any error as a refusal in the product's words; a failure is logged. */
function refusalOf(ctx: DiscordContext, error: unknown): DomainError {
  const refusal = error instanceof z.ZodError ? refusedInput(error.issues) : toDomainError(error);
  if (refusal.code === 'server.failed')
    ctx.log.error({ err: error }, 'a Discord interaction failed');
  return refusal;
}

/** Answers refusals as messages, too: Discord does not show an error's status. */
async function answerUser(
  ctx: DiscordContext,
  { app, interaction, by }: Received,
  language: Language,
): Promise<InteractionAnswer> {
  // A pressed button replaces its message; a new message shows the same to a command.
  const type = interaction.type === COMPONENT ? UPDATE : MESSAGE;
  const reply = (message: Message): InteractionAnswer => ({
    type,
    data: { ...message, flags: EPHEMERAL, allowed_mentions: { parse: [] } },
  });
  try {
    if (isOtherServer(app, interaction)) throw new DomainError('discord.otherServer');
    discordMemory(ctx).commands.admit(by.id, COMMANDS_IN_WINDOW);
    await acceptOnce(ctx, interaction.id, by);
    const options = interaction.data.options ?? [];
    const command = {
      ctx,
      user: by,
      language,
      option: (name: string) => String(options.find((each) => each.name === name)?.value ?? ''),
    };
    if (interaction.type !== COMPONENT) return reply(await run(command, interaction));
    const message = await press(command, interaction.data);
    if (!message.components?.length && interaction.message)
      await forgetMessage(ctx, interaction.message.id);
    return reply(message);
  } catch (error) {
    const refusal = refusalOf(ctx, error);
    if (refusal.code === 'discord.answeredAlready') throw refusal;
    const text = refusalText(refusal, language);
    // A refused button leaves its message as it is, unless its moment has passed.
    if (type === UPDATE && errors[refusal.code].class !== 'passed')
      return {
        type: MESSAGE,
        data: { content: text, flags: EPHEMERAL, allowed_mentions: { parse: [] } },
      };
    return reply(done(text));
  }
}

async function run(
  request: CommandRequest,
  { type, data: { name } }: Interaction,
): Promise<Message> {
  const { ctx, user: by, language, option } = request;
  const say = sentencesIn(language);
  if (type !== COMMAND) throw new DomainError('discord.unknownCommand');
  switch (name) {
    case 'link':
      return {
        content: say('discordApp.linked', {
          name: escapeName(
            await redeemCode(ctx, by, {
              typed: option('code'),
              wrongCodes: discordMemory(ctx).wrongCodes,
            }),
          ),
        }),
      };
    case 'unlink':
      return {
        content: say('discordApp.unlinked', {
          names: new Intl.ListFormat(language).format(
            (await unlinkUser(ctx, by)).map((name) => escapeName(name)),
          ),
        }),
      };
    case 'claim':
      return claims.claimCommand(await beginTurn(request));
    case 'spot':
      return claims.spotCommand(await beginTurn(request));
    case 'free':
      return claims.freeCommand(await beginTurn(request));
    case 'mine':
      return own.mineCommand(await beginTurn(request));
    case 'wait':
      return claims.waitCommand(await beginTurn(request));
    default:
      throw new DomainError('discord.unknownCommand');
  }
}

/** A pressed button or a choice in a select. @throws DomainError discord.buttonExpired */
async function press(
  request: CommandRequest,
  { custom_id = '', values = [] }: Interaction['data'],
): Promise<Message> {
  const pressed = readPressed(custom_id, values);
  if (!pressed) throw new DomainError('discord.buttonExpired');
  const turn = await beginTurn(request);
  switch (pressed.action) {
    case 'claim':
      return claims.claimHere(turn, pressed);
    case 'start':
      return claims.startChosen(turn, pressed);
    case 'length':
    case 'pick':
      return claims.claimChosen(turn, pressed);
    case 'join':
      return claims.joinMessage(turn, pressed);
    case 'join-hours':
      return claims.joinChosen(turn, pressed);
    case 'which-claim':
      return claims.claimMeant(turn, pressed);
    case 'which-spot':
      return claims.spotMeant(turn, pressed);
    case 'which-wait':
      return claims.waitMeant(turn, pressed);
    case 'take':
      return own.takeHours(turn, pressed);
    case 'decline':
      return own.declineHours(turn, pressed);
    case 'here':
      return own.confirmHere(turn, pressed);
    case 'release':
      return own.askRelease(turn, pressed);
    case 'release!':
      return own.release(turn, pressed);
    case 'accept':
      return own.acceptOffered(turn, pressed);
    case 'refuse':
      return own.refuseOffered(turn, pressed);
    case 'withdraw':
      return own.withdrawOffer(turn, pressed);
    case 'leave':
      return own.askLeave(turn, pressed);
    case 'leave!':
      return own.leave(turn, pressed);
    case 'keep':
      return own.mineCommand(turn);
  }
}

/**
 * Stores the interaction's id, so that a replayed request changes nothing, and the user's language, if it is one of ours, for direct messages.
 * @throws DomainError discord.answeredAlready
 */
async function acceptOnce({ writes, now }: Writing, id: string, by: DiscordUser): Promise<void> {
  const at = now().toISOString();
  await writes.transaction(async (tx) => {
    const inserted = await tx
      .insertInto('discord_interactions')
      .values({ id, at })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 0n) throw new DomainError('discord.answeredAlready');
    const { language } = by;
    if (language === null) return;
    await tx
      .updateTable('access_keys')
      .set({ discord_language: language })
      .where('discord_user_id', '=', by.id)
      .where((key) =>
        key.or([key('discord_language', 'is', null), key('discord_language', '!=', language)]),
      )
      .execute();
  });
}

/** A direct message that shows its button's answer is not edited later. */
const forgetMessage = ({ writes }: Writing, message_id: string): Promise<unknown> =>
  writes.transaction((tx) =>
    tx.deleteFrom('direct_messages').where('message_id', '=', message_id).execute(),
  );

/** Deletes ids of interactions whose signature is too old to be accepted again; some later, for clocks that differ. */
export const forgetInteractions = deleteOld({
  kind: 'discord.forget',
  table: 'discord_interactions',
  column: 'at',
  key: 'id',
  kept_days: (4 * MAX_SIGNATURE_AGE_S) / 86_400,
});
