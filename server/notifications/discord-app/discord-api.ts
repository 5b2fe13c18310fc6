import { z } from 'zod';
import type { RegisterError } from '../../../shared/schemas/discord.ts';
import {
  jsonOf,
  MAX_READ_BYTES,
  type OutboundMethod,
  retryAfter,
  type Sending,
} from '../outbound/post.ts';

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
  | {
      ok: true;
      /** The answer's JSON; null if it has none. */
      body: unknown;
    }
  | {
      ok: false;
      reason: RegisterError;
      /** Null: no answer came. */
      status: number | null;
      /** Discord's own number of the error; null: it named none. */
      code: number | null;
      /** The pause that Discord asked for, in seconds; null: none. */
      after_s: number | null;
    };

/** Calls Discord's API once. Never throws. */
export async function callDiscord(
  { env, post, now }: Sending,
  call: DiscordCall,
): Promise<DiscordAnswer> {
  const { method, path, bot_token, body, signal } = call;
  const answer = await post({
    url: env.DISCORD_API_URL + path,
    method,
    headers: {
      'content-type': 'application/json',
      ...(bot_token === null ? {} : { authorization: `Bot ${bot_token}` }),
    },
    body: JSON.stringify(body ?? {}),
    kept_bytes: MAX_READ_BYTES,
    ...(signal ? { signal } : {}),
  });
  if (!answer.ok)
    return { ok: false, reason: 'unreachable', status: null, code: null, after_s: null };
  const { status } = answer;
  if (status >= 200 && status < 300) return { ok: true, body: jsonOf(answer.body) };
  const reason = REASONS[status] ?? (status >= 500 ? 'unreachable' : 'refused');
  return {
    ok: false,
    reason,
    status,
    code: refusal.safeParse(jsonOf(answer.body)).data?.code ?? null,
    after_s: retryAfter(answer, now()),
  };
}

const refusal = z.object({ code: z.number().int() });

const REASONS: Readonly<Record<number, RegisterError>> = {
  401: 'botToken',
  403: 'notInServer',
  404: 'unknownApplication',
  429: 'tooMany',
};
