import { DomainError } from '../../shared/errors.ts';
import {
  pushEndpoint,
  pushKey,
  pushPreferences,
  pushPreferencesChange,
  pushSubscribed,
  pushSubscriptionInput,
  pushTestAnswer,
  pushTestInput,
} from '../../shared/schemas/push.ts';
import { credentialsOf } from '../http/credentials.ts';
import { type Call, memberInBody, noAnswer, type Route, route } from '../http/route.ts';
import type { Member } from '../session/callers.ts';
import { changePreferences, preferencesOf } from './preferences.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import { sendTest } from './try-out.ts';

type PushCall = Pick<Call<unknown, unknown, unknown, 'open'>, 'ctx' | 'req' | 'caller'>;

/**
 * Whose notices are meant: the member's whose key is in the body, or else in a header.
 * @returns also the key, which is looked up again in the write
 */
async function memberOf(call: PushCall, in_body?: string | null): Promise<{ member: Member; key: string }> {
  const key = in_body ?? credentialsOf(call.req).key;
  if (key) return { member: await memberInBody(call, key), key };
  if (call.caller.role === 'admin') throw new DomainError('push.noCharacter');
  throw call.caller.refused ?? new DomainError('session.required');
}

export const pushRoutes: Route[] = [
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
      access: 'open',
      summary: "Have a browser sent the member's notices: what PushSubscription.toJSON() gives; again to say that it still wants them",
      body: pushSubscriptionInput,
      answer: pushSubscribed,
      status: 201,
    },
    async (call) => {
      const { key } = await call.ctx.writes.admit(() => memberOf(call, call.body.access_key));
      return subscribe(call.ctx, key, call.body);
    },
  ),
  route(
    {
      method: 'delete',
      path: '/push/subscriptions',
      access: 'open',
      summary: "Have a browser sent the member's notices no more",
      body: pushEndpoint,
      answer: noAnswer,
    },
    async (call) => {
      const { key } = await call.ctx.writes.admit(() => memberOf(call, call.body.access_key));
      await unsubscribe(call.ctx, key, call.body.endpoint);
    },
  ),
  route(
    {
      method: 'post',
      path: '/push/test',
      access: 'open',
      summary: "Send a notice at once, to one of the member's browsers or to all, five times in five minutes; to how many it went",
      body: pushTestInput,
      answer: pushTestAnswer,
    },
    async (call) => {
      const { member } = await memberOf(call, call.body.access_key);
      return sendTest(call.ctx, member, call.body.endpoint ?? null);
    },
  ),
  route(
    {
      method: 'get',
      path: '/push/preferences',
      access: 'open',
      summary: 'What the member is told of, and when not; all, at any time, for whoever never said',
      answer: pushPreferences,
    },
    async (call) => {
      const { character_key } = (await memberOf(call)).member;
      return (await preferencesOf(call.ctx.env, call.ctx.db, [character_key]))(character_key);
    },
  ),
  route(
    {
      method: 'put',
      path: '/push/preferences',
      access: 'open',
      summary: 'Change what the member is told of: only the fields that are sent; quiet hours by the own clock, which may pass midnight',
      body: pushPreferencesChange,
      answer: pushPreferences,
    },
    async (call) => {
      const { key } = await call.ctx.writes.admit(() => memberOf(call, call.body.access_key));
      return changePreferences(call.ctx, key, call.body);
    },
  ),
];
