import { DomainError, existing } from '../../../shared/errors.ts';
import type {
  DiscordSignInInput,
  DiscordSignInSetup,
  SignInError,
} from '../../../shared/schemas/discord.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { readConfig } from '../../board/records/guild.ts';
import type { Db, Reading, Tx } from '../../db/database.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Env } from '../../env.ts';
import type { Admin } from '../../http/caller.ts';

const CALLBACK_PATH = '/api/discord/callback';

/** Where Discord sends members back to; null without PUBLIC_URL. */
const redirectUrl = ({ PUBLIC_URL }: Env): string | null =>
  PUBLIC_URL === undefined ? null : PUBLIC_URL + CALLBACK_PATH;

/** The app that members sign in with. */
export interface SignInApp {
  application_id: string;
  client_secret: string;
  /** Only members of this Discord server may sign in; null: everyone. */
  guild_id: string | null;
  redirect_url: string;
}

/** The secret of the app that is set up now, and that app's server. */
const stored = (db: Db | Tx) =>
  db
    .selectFrom('discord_sign_in as sign_in')
    .innerJoin('discord_app', 'discord_app.application_id', 'sign_in.application_id')
    .select([
      'sign_in.application_id',
      'client_secret',
      'guild_id',
      'sign_in.saved_at',
      'first_sign_in_at',
      'error',
    ])
    .executeTakeFirst();

/** null: members cannot sign in with Discord. */
export async function findSignIn({
  db,
  env,
}: Pick<Reading, 'db' | 'env'>): Promise<SignInApp | null> {
  const redirect_url = redirectUrl(env);
  const found = await stored(db);
  if (!found || redirect_url === null) return null;
  const { application_id, client_secret, guild_id } = found;
  return { application_id, client_secret, guild_id, redirect_url };
}

/** The set-up as owners see it, without the client secret. */
export async function readSignInSetup({ db, env }: Reading): Promise<DiscordSignInSetup> {
  const found = await stored(db);
  const redirect_url = redirectUrl(env);
  if (!found) return { redirect_url, secret: null };
  const { saved_at, first_sign_in_at, error } = found;
  return { redirect_url, secret: { saved_at, first_sign_in_at, error } };
}

/**
 * Stores the client secret: from then on members can sign in with Discord.
 * @throws DomainError discord.notSetUp without an app
 */
export async function saveSignIn(
  ctx: Writing,
  admin: Admin,
  { client_secret }: DiscordSignInInput,
): Promise<DiscordSignInSetup> {
  await write(ctx, async (unit) => {
    const app = await unit.tx.selectFrom('discord_app').select('application_id').executeTakeFirst();
    const { application_id } = existing(app, 'discord.notSetUp');
    const values = {
      application_id,
      client_secret,
      saved_at: unit.at.toISOString(),
      first_sign_in_at: null,
      error: null,
    };
    await unit.tx
      .insertInto('discord_sign_in')
      .values({ id: 1, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
    await showWhetherOn(unit);
    await logActivity(unit, admin, {
      action: 'discord_sign_in_saved',
      details: { application_id },
    });
  });
  return readSignInSetup(ctx);
}

/**
 * Deletes the client secret. Sessions stay: keys are the authority.
 * @throws DomainError discord.signInOff
 */
export async function removeSignIn(ctx: Writing, admin: Admin): Promise<void> {
  await write(ctx, async (unit) => {
    const { tx } = unit;
    const removed = await tx
      .deleteFrom('discord_sign_in')
      .returning('application_id')
      .executeTakeFirst();
    if (!removed) throw new DomainError('discord.signInOff');
    await tx.deleteFrom('discord_sign_in_tokens').execute();
    await showWhetherOn(unit);
    await logActivity(unit, admin, { action: 'discord_sign_in_removed', details: removed });
  });
}

/** Pages show the button while it works. */
async function showWhetherOn({ ctx, tx, changes }: Unit): Promise<void> {
  changes.put({ kind: 'config', record: await readConfig(ctx, tx) });
}

/** Notes how the last sign-in went, for the set-up. No watcher sees it. */
export async function noteSignIn(
  ctx: Writing,
  { client_secret }: SignInApp,
  error: SignInError | null,
): Promise<void> {
  const now = await stored(ctx.db);
  if (!now || (now.error === error && (error !== null || now.first_sign_in_at !== null))) return;
  const first =
    error === null ? { first_sign_in_at: now.first_sign_in_at ?? ctx.now().toISOString() } : {};
  await ctx.writes.transaction((tx) =>
    tx
      .updateTable('discord_sign_in')
      .set({ error, ...first })
      .where('client_secret', '=', client_secret)
      .execute(),
  );
}
