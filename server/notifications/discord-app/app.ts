import { DomainError, existing } from '../../../shared/errors.ts';
import type { DiscordApp, DiscordAppInput, DiscordSetup } from '../../../shared/schemas/discord.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { readConfig } from '../../board/records/guild.ts';
import type { Db, Reading, Tx } from '../../db/database.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import type { Sending } from '../outbound/post.ts';
import { COMMANDS } from './commands.ts';
import { callDiscord } from './discord-api.ts';
import { publicKeyOf } from './signature.ts';

const INTERACTIONS_PATH = '/api/discord/interactions';

export interface StoredApp extends DiscordApp {
  bot_token: string;
  /** Failures in a row of direct messages, and until when no further attempt is made. */
  failures: number;
  backoff_until: string | null;
}

/** The columns that owners see. */
const VISIBLE = [
  'application_id',
  'public_key',
  'guild_id',
  'saved_at',
  'registered_at',
  'register_error',
  'first_interaction_at',
  'message_error',
] as const;

/** The guild's Discord app; null: none was set up. */
export async function findApp(db: Db | Tx): Promise<StoredApp | null> {
  const columns = [...VISIBLE, 'bot_token', 'failures', 'backoff_until'] as const;
  return (await db.selectFrom('discord_app').select(columns).executeTakeFirst()) ?? null;
}

/** The set-up as owners see it, without the bot token. */
export async function readDiscordSetup({ db, env }: Reading): Promise<DiscordSetup> {
  const app = (await db.selectFrom('discord_app').select(VISIBLE).executeTakeFirst()) ?? null;
  const endpoint_url = env.PUBLIC_URL ? env.PUBLIC_URL + INTERACTIONS_PATH : null;
  return { endpoint_url, invite_url: app && inviteUrl(app.application_id), app };
}

/** Adds the app to a server: its commands, and a bot that can send direct messages. */
function inviteUrl(client_id: string): string {
  return `https://discord.com/oauth2/authorize?${new URLSearchParams({ client_id, scope: 'applications.commands bot', permissions: '0' })}`;
}

/**
 * Stores the app and registers its commands. A refusal by Discord is stored with the app, which stays saved.
 * @throws DomainError discord.botTokenRequired without one, the first time or for another application; discord.publicKey if it is no Ed25519 key; discord.appChanged if another owner saved it meanwhile
 */
export async function saveApp(
  ctx: Sending,
  admin: Admin,
  input: DiscordAppInput,
): Promise<DiscordSetup> {
  assertPublicKey(input.public_key);
  const earlier = await write(ctx, async (unit) => {
    const { tx } = unit;
    const before = await findApp(tx);
    const { application_id, public_key, guild_id = null, based_on } = input;
    if (based_on !== undefined && based_on !== (before?.saved_at ?? null))
      throw new DomainError('discord.appChanged');
    const isSameApp = before?.application_id === application_id;
    const bot_token = input.bot_token ?? (isSameApp ? before.bot_token : undefined);
    if (bot_token === undefined) throw new DomainError('discord.botTokenRequired');
    const isSameKey = isSameApp && before.public_key === public_key;
    const values = {
      application_id,
      public_key,
      guild_id,
      bot_token,
      saved_at: unit.at.toISOString(),
      registered_at: null,
      register_error: null,
      message_error: null,
      failures: 0,
      backoff_until: null,
      first_interaction_at: isSameKey ? before.first_interaction_at : null,
    };
    await tx
      .insertInto('discord_app')
      .values({ id: 1, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
    if (!isSameApp) {
      await forgetChannels(tx);
      await forgetClientSecret(tx);
    }
    await showWhetherSetUp(unit);
    await logActivity(unit, admin, {
      action: 'discord_app_saved',
      details: { application_id },
    });
    return before;
  });
  if (earlier && commandsPath(earlier) !== commandsPath({ guild_id: null, ...input }))
    await removeCommands(ctx, earlier);
  return sendCommands(ctx);
}

/** Channels of direct messages are a bot's own, and whether it may send them. */
/** It belongs to the app, as the sign-ins that it began do. */
async function forgetClientSecret(tx: Tx): Promise<void> {
  await tx.deleteFrom('discord_sign_in').execute();
  await tx.deleteFrom('discord_sign_in_tokens').execute();
}

async function forgetChannels(tx: Tx): Promise<void> {
  const channels = tx
    .updateTable('access_keys')
    .set({ discord_channel_id: null, discord_closed_at: null });
  await channels.where('discord_user_id', 'is not', null).execute();
}

/** Members' pages offer to connect Discord while there is an app, and each server reads the app again (`memory.ts`). */
async function showWhetherSetUp({ ctx, tx, changes }: Unit): Promise<void> {
  changes.put({ kind: 'config', record: await readConfig(ctx, tx) });
}

function assertPublicKey(public_key: string): void {
  try {
    publicKeyOf(public_key);
  } catch {
    throw new DomainError('discord.publicKey');
  }
}

/** Commands are registered for one server, or for all. */
const commandsPath = ({
  application_id,
  guild_id,
}: {
  application_id: string;
  guild_id?: string | null | undefined;
}): string => `/applications/${application_id}${guild_id ? `/guilds/${guild_id}` : ''}/commands`;

/** Takes the commands off a server that the app leaves; best effort, since its token may be no longer valid. */
const removeCommands = (ctx: Sending, app: StoredApp): Promise<unknown> =>
  callDiscord(ctx, { method: 'PUT', path: commandsPath(app), bot_token: app.bot_token, body: [] });

/**
 * Registers the commands with Discord again.
 * @throws DomainError discord.notSetUp
 */
export async function registerCommands(ctx: Sending, admin: Admin): Promise<DiscordSetup> {
  // A write of its own: the admin is authorized again before Discord is called.
  await write(ctx, async (unit) => {
    const app = existing(await findApp(unit.tx), 'discord.notSetUp');
    await logActivity(unit, admin, {
      action: 'discord_commands_sent',
      details: { application_id: app.application_id },
    });
  });
  return sendCommands(ctx);
}

/** Sends the commands to Discord: for one server, where they are visible at once, or else for all. */
async function sendCommands(ctx: Sending): Promise<DiscordSetup> {
  const app = existing(await findApp(ctx.db), 'discord.notSetUp');
  const answer = await callDiscord(ctx, {
    method: 'PUT',
    path: commandsPath(app),
    bot_token: app.bot_token,
    body: COMMANDS,
  });
  // Commands that Discord has already stay registered.
  const outcome = answer.ok
    ? { registered_at: ctx.now().toISOString(), register_error: null }
    : { register_error: answer.reason };
  // Not of an app that was saved meanwhile. No watcher sees it.
  await ctx.writes.transaction(async (tx) => {
    await tx.updateTable('discord_app').set(outcome).where('saved_at', '=', app.saved_at).execute();
  });
  return readDiscordSetup(ctx);
}

/**
 * Removes the app. Links of members stay, for an app that is set up again.
 * @throws DomainError discord.notSetUp
 */
export async function removeApp(ctx: Sending, admin: Admin): Promise<void> {
  const removed = await write(ctx, async (unit) => {
    const app = existing(await findApp(unit.tx), 'discord.notSetUp');
    await unit.tx.deleteFrom('discord_app').execute();
    await forgetClientSecret(unit.tx);
    await showWhetherSetUp(unit);
    await logActivity(unit, admin, {
      action: 'discord_app_removed',
      details: { application_id: app.application_id },
    });
    return app;
  });
  await removeCommands(ctx, removed);
}

export async function noteFirstInteraction(
  ctx: Writing,
  { saved_at }: Pick<DiscordApp, 'saved_at'>,
): Promise<void> {
  await ctx.writes.transaction(async (tx) => {
    const first = tx
      .updateTable('discord_app')
      .set({ first_interaction_at: ctx.now().toISOString() });
    await first
      .where('saved_at', '=', saved_at)
      .where('first_interaction_at', 'is', null)
      .execute();
  });
}
