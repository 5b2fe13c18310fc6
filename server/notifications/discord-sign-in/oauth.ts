import { z } from 'zod';
import type { SignInRefusal } from '../../../shared/discord/sign-in.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { SignInError } from '../../../shared/schemas/discord.ts';
import type { Env } from '../../env.ts';
import { languageOf } from '../discord-app/commands.ts';
import type { DiscordContext } from '../discord-app/context.ts';
import type { DiscordUser } from '../discord-app/links.ts';
import { jsonOf, MAX_READ_BYTES } from '../outbound/post.ts';
import type { SignInApp } from './setup.ts';

/** Discord's page on which the member agrees. */
export function authorizeUrl(
  env: Env,
  { application_id, guild_id, redirect_url }: SignInApp,
  state: string,
): string {
  const url = new URL(env.DISCORD_AUTHORIZE_URL);
  url.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: application_id,
      scope: guild_id === null ? 'identify' : 'identify guilds.members.read',
      redirect_uri: redirect_url,
      state,
    }),
  );
  return url.href;
}

type Outcome =
  | { ok: true; user: DiscordUser }
  | {
      ok: false;
      refusal: SignInRefusal;
      /** Shown in the set-up; null: the app is not at fault. */
      error: SignInError | null;
    };

const tokenAnswer = z.object({ access_token: z.string() });
const userAnswer = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string(),
  global_name: z.string().nullish(),
  locale: z.string().optional(),
});

/** The Discord user behind a code. Discord's token is used here and kept nowhere. Never throws. */
export async function userOfCode(
  ctx: DiscordContext,
  app: SignInApp,
  code: string,
): Promise<Outcome> {
  const exchanged = await call(ctx, {
    method: 'POST',
    path: '/oauth2/token',
    authorization: `Basic ${Buffer.from(`${app.application_id}:${app.client_secret}`).toString('base64')}`,
    form: { grant_type: 'authorization_code', code, redirect_uri: app.redirect_url },
  });
  // Discord answers 400 to a code that was used, has expired or is invented.
  if (exchanged.status === 400) return { ok: false, refusal: 'expired', error: null };
  const token = tokenAnswer.safeParse(exchanged.body);
  if (!token.success) return failed(exchanged.status === 401 ? 'clientSecret' : errorOf(exchanged));
  const authorization = `Bearer ${token.data.access_token}`;
  const answer = await call(ctx, { path: '/users/@me', authorization });
  const user = userAnswer.safeParse(answer.body);
  if (!user.success) return failed(errorOf(answer));
  if (app.guild_id !== null) {
    const path = `/users/@me/guilds/${app.guild_id}/member`;
    const member = await call(ctx, { path, authorization });
    if (member.status === 404) return { ok: false, refusal: 'server', error: null };
    if (member.status !== 200) return failed(errorOf(member));
  }
  const { id, username, global_name, locale } = user.data;
  const language: Language | null = languageOf(locale, undefined);
  return { ok: true, user: { id, name: global_name ?? username, language } };
}

const failed = (error: SignInError): Outcome => ({ ok: false, refusal: 'failed', error });

function errorOf({ status }: Answered): SignInError {
  if (status === 429) return 'tooMany';
  return status === null || status >= 500 ? 'unreachable' : 'refused';
}

interface Answered {
  /** null: no answer came. */
  status: number | null;
  body: unknown;
}

async function call(
  { env, post }: DiscordContext,
  {
    method = 'GET',
    path,
    authorization,
    form,
  }: {
    method?: 'GET' | 'POST';
    path: string;
    authorization: string;
    form?: Record<string, string>;
  },
): Promise<Answered> {
  const answer = await post({
    url: env.DISCORD_API_URL + path,
    method,
    headers: {
      authorization,
      accept: 'application/json',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: form ? String(new URLSearchParams(form)) : '',
    kept_bytes: MAX_READ_BYTES,
  });
  if (!answer.ok) return { status: null, body: null };
  return { status: answer.status, body: jsonOf(answer.body) };
}
