import { z } from 'zod';
import {
  directMessageTest,
  discordAppInput,
  discordLinkState,
  discordSetup,
  linkCode,
} from '../../../shared/schemas/discord.ts';
import { MAX_SECRET_LENGTH } from '../../../shared/schemas/session.ts';

import { createBytesReader } from '../../http/request-body.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { readDiscordSetup, registerCommands, removeApp, saveApp } from './app.ts';
import type { DiscordContext } from './context.ts';
import { sendDirectTest } from './direct-medium.ts';
import { answerInteraction } from './interactions.ts';
import { createLinkCode, linkOf, unlink } from './links.ts';

const route = routeFor<DiscordContext>();

/* Anybody can call the endpoint of interactions. */

/** Bytes of an interaction; Discord's have a few thousand. */
const MAX_INTERACTION_BYTES = 65_536;
/** Interactions whose bodies are arriving, from all connections. One more ends the oldest: Discord sends a body at once. */
const MAX_INTERACTION_BODIES = 100;
/** Time for the body of an interaction, in milliseconds: as long as Discord waits for the answer. */
const INTERACTION_BODY_MS = 3_000;

const readBody = createBytesReader({
  bytes: MAX_INTERACTION_BYTES,
  under_way: MAX_INTERACTION_BODIES,
  ms: INTERACTION_BODY_MS,
});

/** The key where none is in a header. */
const actor = z.object({ access_key: z.string().max(MAX_SECRET_LENGTH).nullish() });

export const discordAppRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/discord',
      access: 'system',
      summary: "Read the setup of the guild's Discord app, without its bot token",
      answer: discordSetup,
    },
    ({ ctx }) => readDiscordSetup(ctx),
  ),
  route(
    {
      method: 'put',
      path: '/admin/discord',
      access: 'system',
      summary:
        'Save the Discord app and register its commands; a refusal by Discord is in the answer',
      body: discordAppInput,
      answer: discordSetup,
    },
    ({ ctx, caller, body }) => saveApp(ctx, caller, body),
  ),
  route(
    {
      method: 'post',
      path: '/admin/discord/register',
      access: 'system',
      summary: 'Register the commands with Discord again',
      answer: discordSetup,
    },
    ({ ctx, caller }) => registerCommands(ctx, caller),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/discord',
      access: 'system',
      summary: 'Remove the Discord app',
      answer: noAnswer,
    },
    ({ ctx, caller }) => removeApp(ctx, caller),
  ),
  route(
    {
      method: 'post',
      path: '/discord/link-code',
      access: 'member',
      summary: "Create a code that links the member's character to a Discord user with /link",
      body: actor,
      answer: linkCode,
      status: 201,
    },
    ({ ctx, caller }) => createLinkCode(ctx, caller.access_key),
  ),
  route(
    {
      method: 'get',
      path: '/discord/links',
      access: 'member',
      summary: "Read the Discord user of the member's character",
      answer: discordLinkState,
    },
    ({ ctx, caller }) => linkOf(ctx.db, caller),
  ),
  route(
    {
      method: 'delete',
      path: '/discord/links',
      access: 'member',
      summary: "Unlink the member's character from Discord",
      body: actor,
      answer: noAnswer,
    },
    ({ ctx, caller }) => unlink(ctx, caller.access_key),
  ),
  route(
    {
      method: 'post',
      path: '/discord/test',
      access: 'member',
      summary: 'Send the member a direct message at once, five times in five minutes',
      body: actor,
      answer: directMessageTest,
    },
    ({ ctx, caller }) => sendDirectTest(ctx, caller),
  ),
  route(
    {
      method: 'post',
      path: '/discord/interactions',
      access: 'open',
      summary: 'Receive a signed interaction from Discord',
      // Read as bytes, because the signature covers them.
      answer: z.looseObject({ type: z.number().int() }),
      bare: true,
    },
    async ({ ctx, req, res }) => {
      const headers = {
        signature: req.get('x-signature-ed25519'),
        timestamp: req.get('x-signature-timestamp'),
      };
      return { ...(await answerInteraction(ctx, headers, () => readBody(req, res))) };
    },
  ),
];
