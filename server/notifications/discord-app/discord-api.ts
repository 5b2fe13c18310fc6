import { z } from 'zod';
import type { RegisterError } from '../../../shared/schemas/discord.ts';
import type { Settings } from '../../env.ts';
import type { Answer, OutboundMethod, Post } from '../outbound/post.ts';

/** What calling Discord needs. */
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
  signal?: AbortSignal;
}

export type DiscordAnswer =
  | { ok: true; body: string }
  | {
      ok: false;
      reason: RegisterError;
      /** Null: no answer came. */
      status: number | null;
      /** Discord's own number of the error, such as 50007: the user accepts no direct messages. */
      code: number | null;
      answer: Answer;
    };

const refusal = z.object({ code: z.number().int() });

/** Calls Discord's API once. Never throws. */
export async function callDiscord(
  { env, post }: DiscordCaller,
  { method, path, bot_token, body, signal }: DiscordCall,
): Promise<DiscordAnswer> {
  const answer = await post({
    url: env.DISCORD_API_URL + path,
    method,
    headers: { 'content-type': 'application/json', ...(bot_token === null ? {} : { authorization: `Bot ${bot_token}` }) },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  if (!answer.ok) return { ok: false, reason: 'unreachable', status: null, code: null, answer };
  const { status, body: text } = answer;
  if (status >= 200 && status < 300) return { ok: true, body: text };
  return { ok: false, reason: REASONS[status] ?? (status >= 500 ? 'unreachable' : 'refused'), status, code: codeIn(text), answer };
}

const REASONS: Readonly<Record<number, RegisterError>> = { 401: 'botToken', 403: 'notInServer', 404: 'unknownApplication', 429: 'tooMany' };

function codeIn(text: string): number | null {
  try {
    return refusal.safeParse(JSON.parse(text)).data?.code ?? null;
  } catch {
    return null;
  }
}
