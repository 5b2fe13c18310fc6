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
import type { Writing } from '../../db/unit-of-work.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { changePreferences, preferencesOf, type QuietHoursHook } from './preferences.ts';
import { sendTest } from './send.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import { type Delivering, vapidKeys } from './web-push.ts';

const route = routeFor<Writing & Delivering>();

export const pushRoutes = (quietHours: QuietHoursHook) => [
  route(
    {
      method: 'get',
      path: '/push/key',
      access: 'reader',
      summary:
        'Read the applicationServerKey that a browser needs to subscribe to push notifications',
      answer: pushKey,
    },
    async ({ ctx }) => ({ public_key: (await vapidKeys(ctx)()).public_key }),
  ),
  route(
    {
      method: 'post',
      path: '/push/subscriptions',
      access: 'member',
      summary:
        "Subscribe a browser to the member's notifications with PushSubscription.toJSON(); repeat it to renew",
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
      summary: "Unsubscribe a browser from the member's notifications",
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
      summary:
        "Send a test notification to one of the member's browsers or all, at most five times in five minutes; returns their number",
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
      summary: "Read the member's notification preferences and quiet hours",
      answer: pushPreferences,
    },
    async ({ ctx, caller: { character_key } }) =>
      (await preferencesOf(ctx.env, ctx.db, [character_key]))(character_key),
  ),
  route(
    {
      method: 'put',
      path: '/push/preferences',
      access: 'member',
      summary:
        "Change the given notification preferences; quiet hours are in the member's time zone and may pass midnight",
      body: pushPreferencesChange,
      answer: pushPreferences,
    },
    ({ ctx, caller, body }) => changePreferences(ctx, quietHours, caller.access_key, body),
  ),
];
