import type { RegisterError } from '../../../shared/schemas/discord.ts';
import type { Settings } from '../../env.ts';
import type { OutboundMethod, Post } from '../outbound/post.ts';

/** The context of calls to Discord. */
export interface DiscordCaller extends Settings {
  post: Post;
}

export interface DiscordCall {
  method: OutboundMethod;
  /** Below DISCORD_API_URL. A path with an interaction's token is a secret. */
  path: string;
  /** null: the path's token is the authorization. */
  bot_token: string | null;
  body: unknown;
}

export type DiscordAnswer =
  | { ok: true }
  | {
      ok: false;
      reason: RegisterError;
      /** Null: no answer came. */
      status: number | null;
    };

/** Calls Discord's API once. Never throws. */
export async function callDiscord({ env, post }: DiscordCaller, { method, path, bot_token, body }: DiscordCall): Promise<DiscordAnswer> {
  const answer = await post({
    url: env.DISCORD_API_URL + path,
    method,
    headers: { 'content-type': 'application/json', ...(bot_token === null ? {} : { authorization: `Bot ${bot_token}` }) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) return { ok: false, reason: 'unreachable', status: null };
  const { status } = answer;
  if (status >= 200 && status < 300) return { ok: true };
  return { ok: false, reason: REASONS[status] ?? (status >= 500 ? 'unreachable' : 'refused'), status };
}

const REASONS: Readonly<Record<number, RegisterError>> = { 401: 'botToken', 403: 'notInServer', 404: 'unknownApplication', 429: 'tooMany' };
