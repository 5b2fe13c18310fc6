import {
  pushEndpoint,
  pushKey,
  pushSubscribed,
  pushSubscriptionInput,
  pushTestAnswer,
  pushTestInput,
} from '../../../shared/schemas/push.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import type { Sending } from '../outbound/post.ts';
import { sendTest } from './medium.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import { vapidKeys } from './web-push.ts';

const route = routeFor<Sending>();

export const pushRoutes = [
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
];
