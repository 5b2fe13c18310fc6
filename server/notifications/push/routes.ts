import {
  pushEndpoint,
  pushKey,
  pushPreferences,
  pushPreferencesChange,
  pushSubscribed,
  pushSubscriptionInput,
  pushTestAnswer,
  pushTestInput,
} from '../../../shared/schemas/push.ts';
import type { Reader } from '../../db/database.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Settings } from '../../env.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { changePreferences, preferencesOf, type QuietHoursHook } from './preferences.ts';
import { sendTest, type TestSending } from './send.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';

const route = routeFor<Reader & Writer & Settings & TestSending>();

export const pushRoutes = (quietHours: QuietHoursHook) => [
  route(
    {
      method: 'get',
      path: '/push/key',
      access: 'reader',
      summary: 'What a browser needs to be sent notices: the key as applicationServerKey',
      answer: pushKey,
    },
    async ({ ctx }) => ({ public_key: (await ctx.vapid()).public_key }),
  ),
  route(
    {
      method: 'post',
      path: '/push/subscriptions',
      access: 'member',
      summary: "Have a browser sent the member's notices: what PushSubscription.toJSON() gives; again to say that it still wants them",
      body: pushSubscriptionInput,
      answer: pushSubscribed,
      status: 201,
    },
    ({ ctx, caller, body }) => subscribe(ctx, caller.access_key, body),
  ),
  route(
    {
      method: 'delete',
      path: '/push/subscriptions',
      access: 'member',
      summary: "Have a browser sent the member's notices no more",
      body: pushEndpoint,
      answer: noAnswer,
    },
    ({ ctx, caller, body }) => unsubscribe(ctx, caller.access_key, body.endpoint),
  ),
  route(
    {
      method: 'post',
      path: '/push/test',
      access: 'member',
      summary: "Send a notice at once, to one of the member's browsers or to all, five times in five minutes; to how many it went",
      body: pushTestInput,
      answer: pushTestAnswer,
    },
    ({ ctx, caller, body }) => sendTest(ctx, caller, body.endpoint ?? null),
  ),
  route(
    {
      method: 'get',
      path: '/push/preferences',
      access: 'member',
      summary: 'What the member is told of, and when not; all, at any time, for whoever never said',
      answer: pushPreferences,
    },
    async ({ ctx, caller: { character_key } }) => (await preferencesOf(ctx.env, ctx.db, [character_key]))(character_key),
  ),
  route(
    {
      method: 'put',
      path: '/push/preferences',
      access: 'member',
      summary: 'Change what the member is told of: only the fields that are sent; quiet hours by the own clock, which may pass midnight',
      body: pushPreferencesChange,
      answer: pushPreferences,
    },
    ({ ctx, caller, body }) => changePreferences(ctx, quietHours, caller.access_key, body),
  ),
];
