import { randomBytes } from 'node:crypto';
import { TOKEN_BYTES } from '../../../shared/credentials.ts';
import type { SignInRefusal } from '../../../shared/discord/sign-in.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { DiscordSignIn } from '../../../shared/schemas/discord.ts';
import { hashToken, memberOfKey } from '../../auth/sessions.ts';
import type { Tx } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import { createTries } from '../../http/rate-limits.ts';
import type { DiscordContext } from '../discord-app/context.ts';
import { charactersOf, type DiscordUser, linkMember } from '../discord-app/links.ts';
import { userOfCode } from './oauth.ts';
import { findSignIn, noteSignIn } from './setup.ts';
import { browserOf, judgeState, STATE_MS } from './state.ts';

/** Above this many callbacks of an address in 10 minutes, refuse those without a valid state. */
export const CALLBACKS_IN_WINDOW = 20;
/** Sign-ins of one Discord user in 10 minutes. */
const SIGN_INS_IN_WINDOW = 20;
/** Codes that are exchanged with Discord at the same time. */
const MAX_EXCHANGES = 100;
/** Addresses, states and Discord users that are counted at the same time, each. */
const MAX_COUNTED = 10_000;
/** Seconds until a ticket expires: the page redeems it at once. */
export const TICKET_S = 60;
/** Minutes until a token that connects a character expires: a verification takes that long. */
export const CONNECT_MINUTES = 30;
/** Tickets and tokens that are stored; above it, the oldest are deleted. */
const MAX_SIGN_IN_TOKENS = 10_000;

const signInMemory = defineMemory(({ now }: DiscordContext) => {
  const tries = () =>
    createTries({ window_ms: STATE_MS, most: MAX_COUNTED, now: () => now().getTime() });
  return { callbacks: tries(), states: tries(), users: tries(), exchanges: 0 };
});

/** Discord's callback. Missing values are empty. */
export interface Callback {
  /** The header of the request. */
  cookies: string;
  address: string;
  state: string;
  code: string;
  error: string;
}

/** @returns the fragment of the sign-in page: a ticket, or why there is none */
export async function answerCallback(ctx: DiscordContext, callback: Callback): Promise<string> {
  const outcome = await ticketOf(ctx, callback);
  return 'ticket' in outcome ? `discord=${outcome.ticket}` : refusedSignIn(outcome.refusal);
}

export const refusedSignIn = (refusal: SignInRefusal): string => `discord-error=${refusal}`;

type Ticket = { ticket: string } | { refusal: SignInRefusal };

async function ticketOf(ctx: DiscordContext, callback: Callback): Promise<Ticket> {
  const { cookies, address, state, code, error } = callback;
  const memory = signInMemory(ctx);
  const { tries } = memory.callbacks.count(address);
  const verdict = await judgeState(ctx, cookies, state);
  // A whole guild may share an address: only callbacks without a valid state are refused for the count.
  if (verdict !== 'valid' && tries > CALLBACKS_IN_WINDOW) return { refusal: 'tooMany' };
  if (verdict !== 'valid') return { refusal: verdict === 'expired' ? 'expired' : 'state' };
  const state_hash = hashToken(state);
  if (memory.states.count(state_hash).tries > 1) return { refusal: 'expired' };
  if (error !== '') return { refusal: error === 'access_denied' ? 'denied' : 'failed' };
  const app = await findSignIn(ctx);
  if (!app || code === '' || memory.exchanges >= MAX_EXCHANGES) return { refusal: 'failed' };
  memory.exchanges += 1;
  const outcome = await userOfCode(ctx, app, code).finally(() => {
    memory.exchanges -= 1;
  });
  if (outcome.ok || outcome.error !== null)
    await noteSignIn(ctx, app, outcome.ok ? null : outcome.error);
  if (!outcome.ok) return { refusal: outcome.refusal };
  if (memory.users.count(outcome.user.id).tries > SIGN_INS_IN_WINDOW) return { refusal: 'tooMany' };
  const ticket = await ctx.writes.transaction((tx) =>
    storeToken(ctx, tx, {
      kind: 'ticket',
      user: outcome.user,
      state_hash,
      browser: browserOf(ctx, cookies),
    }),
  );
  return ticket === null ? { refusal: 'expired' } : { ticket };
}

interface NewToken {
  kind: 'ticket' | 'connect';
  user: DiscordUser;
  state_hash: string | null;
  /** The cookie of the browser that may redeem it; null: every browser. */
  browser: string | null;
}

/** Without the browser's cookie, a page could be led to redeem the ticket of another person's sign-in. */
const boundHash = (token: string, browser: string | null): string =>
  hashToken(browser === null ? token : `${token}.${browser}`);

const VALID_MS = { ticket: TICKET_S * 1_000, connect: CONNECT_MINUTES * 60_000 } as const;

/** @returns the token; null: this state has led to one already, perhaps on another server */
async function storeToken(
  { now }: Pick<Writing, 'now'>,
  tx: Tx,
  { kind, user, state_hash, browser }: NewToken,
): Promise<string | null> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('discord_sign_in_tokens')
    .values({
      token_hash: boundHash(token, browser),
      kind,
      state_hash,
      discord_user_id: user.id,
      discord_name: user.name,
      discord_language: user.language,
      expires_at: new Date(now().getTime() + VALID_MS[kind]).toISOString(),
    })
    .onConflict((conflict) => conflict.column('state_hash').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return null;
  await deleteOldest(tx);
  return token;
}

async function deleteOldest(tx: Tx): Promise<void> {
  const { n } = await tx
    .selectFrom('discord_sign_in_tokens')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (n <= MAX_SIGN_IN_TOKENS) return;
  const oldest = tx
    .selectFrom('discord_sign_in_tokens')
    .select('token_hash')
    .orderBy('expires_at')
    .limit(n - MAX_SIGN_IN_TOKENS);
  await tx.deleteFrom('discord_sign_in_tokens').where('token_hash', 'in', oldest).execute();
}

/** Uses a token up. @returns its Discord user; null: it is unknown, expired or used */
async function redeem(
  { now }: Pick<Writing, 'now'>,
  tx: Tx,
  { kind, token_hash }: { kind: NewToken['kind']; token_hash: string },
): Promise<DiscordUser | null> {
  const at = now().toISOString();
  const row = await tx
    .updateTable('discord_sign_in_tokens')
    .set({ used_at: at })
    .where('token_hash', '=', token_hash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning(['discord_user_id as id', 'discord_name as name', 'discord_language as language'])
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Redeems the callback's ticket, in the browser that began the sign-in. No watcher sees it.
 * @param cookies the header of the request
 * @returns the characters that the Discord user has connected; without any, a token that connects one
 * @throws DomainError discord.signInExpired
 */
export async function signInWithTicket(
  ctx: DiscordContext,
  { ticket, cookies }: { ticket: string; cookies: string },
): Promise<DiscordSignIn> {
  const browser = browserOf(ctx, cookies);
  if (browser === null) throw new DomainError('discord.signInExpired');
  const token_hash = boundHash(ticket, browser);
  const known = await ctx.db
    .selectFrom('discord_sign_in_tokens')
    .select('kind')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  // Guessed tickets don't take turns in the write queue.
  if (!known) throw new DomainError('discord.signInExpired');
  return ctx.writes.transaction(async (tx) => {
    const user = await redeem(ctx, tx, { kind: 'ticket', token_hash });
    if (!user) throw new DomainError('discord.signInExpired');
    const linked = await charactersOf(tx, user.id);
    const connect_token =
      linked.length > 0
        ? null
        : await storeToken(ctx, tx, { kind: 'connect', user, state_hash: null, browser: null });
    const characters = linked.map(({ character_name, member_type, access_key }) => ({
      characterName: character_name,
      memberType: member_type,
      accessKey: access_key,
    }));
    return { discord_name: user.name, characters, connect_token };
  });
}

/**
 * Links the Discord user of a token to the member's character, and uses the token up.
 * @throws DomainError discord.connectExpired; discord.tooManyLinks; session.* for an invalid key
 */
export async function connectCharacter(
  ctx: Writing,
  { connect_token, access_key }: { connect_token: string; access_key: string },
): Promise<{ discord_name: string }> {
  return write(ctx, async (unit) => {
    const member = await memberOfKey(unit.tx, access_key);
    const user = await redeem(ctx, unit.tx, {
      kind: 'connect',
      token_hash: boundHash(connect_token, null),
    });
    if (!user) throw new DomainError('discord.connectExpired');
    await linkMember(unit, user, member);
    return { discord_name: user.name };
  });
}
