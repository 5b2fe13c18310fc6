import type { Request, Response } from 'express';
import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import {
  discordConnect,
  discordConnected,
  discordSignIn,
  discordSignInInput,
  discordSignInSetup,
  discordTicket,
} from '../../../shared/schemas/discord.ts';
import { reportSignIn, type SignInContext } from '../../auth/signed-in.ts';
import { addressOf } from '../../http/client-address.ts';
import { noAnswer, type RouterContext, routeFor, SENT } from '../../http/router.ts';
import type { DiscordContext } from '../discord-app/context.ts';
import { authorizeUrl } from './oauth.ts';
import { findSignIn, readSignInSetup, removeSignIn, saveSignIn } from './setup.ts';
import { answerCallback, connectCharacter, refusedSignIn, signInWithTicket } from './sign-in.ts';
import { beginState, STATE_MS } from './state.ts';

const route = routeFor<DiscordContext & SignInContext>();

/** Characters of a value of the callback; Discord's have less than 200. Anything else counts as empty. */
const MAX_VALUE_LENGTH = 500;
const value = z.string().max(MAX_VALUE_LENGTH).default('').catch('');

/** A callback takes no address, so it leads nowhere else. A fragment is sent to no server, and in no log. */
const loginPage = (fragment: string): string => `/login#${fragment}`;

const redirect = (res: Response, to: string): void =>
  res.set('Cache-Control', 'no-store').redirect(302, to);

/** Tokens that were guessed are counted as wrong keys are. */
async function counted<T>(
  { ctx, req }: { ctx: RouterContext; req: Request },
  look: () => Promise<T>,
): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (
      error instanceof DomainError &&
      (error.code === 'discord.signInExpired' || error.code === 'discord.connectExpired')
    )
      await ctx.authenticator.countWrongToken(addressOf(req, ctx.env));
    throw error;
  }
}

export const discordSignInRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/discord/sign-in',
      access: 'system',
      summary: 'Read the setup of signing in with Discord, without its client secret',
      answer: discordSignInSetup,
    },
    ({ ctx }) => readSignInSetup(ctx),
  ),
  route(
    {
      method: 'put',
      path: '/admin/discord/sign-in',
      access: 'system',
      summary:
        "Save the Discord app's client secret: members can sign in with Discord from then on",
      body: discordSignInInput,
      answer: discordSignInSetup,
    },
    ({ ctx, caller, body }) => saveSignIn(ctx, caller, body),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/discord/sign-in',
      access: 'system',
      summary: 'Remove the client secret: members can no longer sign in with Discord',
      answer: noAnswer,
    },
    ({ ctx, caller }) => removeSignIn(ctx, caller),
  ),
  route(
    {
      method: 'get',
      path: '/discord/sign-in',
      access: 'open',
      summary: "Go to Discord's page to sign in; for browsers, which are redirected",
      answer: noAnswer,
    },
    async ({ ctx, req, res }) => {
      const app = await findSignIn(ctx);
      if (app) {
        const { state, cookie } = await beginState(ctx, req.get('cookie') ?? '');
        const { name, value, isSecure } = cookie;
        const shape = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: STATE_MS } as const;
        res.cookie(name, value, { ...shape, secure: isSecure });
        redirect(res, authorizeUrl(ctx.env, app, state));
      } else redirect(res, loginPage(refusedSignIn('failed')));
      return SENT;
    },
  ),
  route(
    {
      method: 'get',
      path: '/discord/callback',
      access: 'open',
      summary:
        'Come back from Discord; browsers are redirected to /login with a ticket, or the reason',
      query: z.object({ state: value, code: value, error: value }),
      answer: noAnswer,
    },
    async ({ ctx, req, res, query }) => {
      const cookies = req.get('cookie') ?? '';
      const callback = { ...query, cookies, address: addressOf(req, ctx.env) };
      redirect(res, loginPage(await answerCallback(ctx, callback)));
      return SENT;
    },
  ),
  route(
    {
      method: 'post',
      path: '/discord/sign-in',
      access: 'open',
      summary:
        'Redeem a ticket of the callback, once and within 60 s, for the keys of the Discord user',
      body: discordTicket,
      answer: discordSignIn,
    },
    (call) =>
      counted(call, async () => {
        const cookies = call.req.get('cookie') ?? '';
        const { ctx, body } = call;
        const signedIn = await signInWithTicket(ctx, { ticket: body.ticket, cookies });
        await reportSignIn(
          ctx,
          signedIn.characters.map(({ characterName }) => nameKey(characterName)),
        );
        return signedIn;
      }),
  ),
  route(
    {
      method: 'post',
      path: '/discord/connect',
      access: 'member',
      summary: "Connect the member's character to the Discord user who signed in without one",
      body: discordConnect,
      answer: discordConnected,
    },
    (call) =>
      counted(call, () =>
        connectCharacter(call.ctx, {
          connect_token: call.body.connect_token,
          access_key: call.caller.access_key,
        }),
      ),
  ),
];
