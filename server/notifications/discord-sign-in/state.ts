import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { DiscordContext } from '../discord-app/context.ts';

/*
 * The `state` of a sign-in is signed for this browser's cookie, so beginning one stores nothing. All tabs share the cookie: one can
 * begin while another one is at Discord.
 */

/** How long a member may stay on Discord's page, in milliseconds. */
export const STATE_MS = 10 * 60_000;
/** Servers that share a database may differ by this much, in milliseconds. */
const CLOCK_TOLERANCE_MS = 5_000;
const RANDOM_BYTES = 16;
/** So many bytes in base64url. */
const RANDOM = '[\\w-]{22}';
const STATE = new RegExp(`^(${RANDOM})\\.([\\da-z]{1,12})\\.([\\w-]{43})$`);

type StateContext = Pick<DiscordContext, 'env' | 'now' | 'hashAddress'>;

const random = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

const isSecure = ({ env }: StateContext): boolean => env.PUBLIC_URL?.startsWith('https:') ?? false;

/** With the prefix, no other site of the same domain can set it. Browsers accept that over https only. */
const cookieName = (ctx: StateContext): string =>
  isSecure(ctx) ? '__Host-discord-sign-in' : 'discord-sign-in';

/** The browser that began a sign-in, by its cookie. @param cookies the header of the request */
export function browserOf(ctx: StateContext, cookies: string): string | null {
  const cookie = new RegExp(`(?:^|;\\s*)${cookieName(ctx)}=(${RANDOM})(?:;|$)`);
  return cookie.exec(cookies)?.[1] ?? null;
}

/** Signed with the database's key, as all servers have it; no address begins like this. */
const signatureOf = ({ hashAddress }: StateContext, ...parts: string[]): Promise<string> =>
  hashAddress(`discord sign-in ${parts.join('.')}`);

export interface BegunState {
  state: string;
  /** For the browser to keep; no script reads it. */
  cookie: { name: string; value: string; isSecure: boolean };
}

/** Makes a state for a browser. */
export async function beginState(ctx: StateContext, cookies: string): Promise<BegunState> {
  const browser = browserOf(ctx, cookies) ?? random();
  const nonce = random();
  const issued = ctx.now().getTime().toString(36);
  const signature = await signatureOf(ctx, browser, nonce, issued);
  return {
    state: `${nonce}.${issued}.${signature}`,
    cookie: { name: cookieName(ctx), value: browser, isSecure: isSecure(ctx) },
  };
}

/** Whether a state was made for this browser; `expired`: more than ten minutes ago. */
export async function judgeState(
  ctx: StateContext,
  cookies: string,
  state: string,
): Promise<'valid' | 'expired' | 'wrong'> {
  const browser = browserOf(ctx, cookies);
  const [, nonce, issued, signature] = STATE.exec(state) ?? [];
  if (browser === null || nonce === undefined || issued === undefined || signature === undefined)
    return 'wrong';
  const right = Buffer.from(await signatureOf(ctx, browser, nonce, issued));
  const given = Buffer.from(signature);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'wrong';
  const age_ms = ctx.now().getTime() - Number.parseInt(issued, 36);
  return age_ms <= STATE_MS && age_ms >= -CLOCK_TOLERANCE_MS ? 'valid' : 'expired';
}
