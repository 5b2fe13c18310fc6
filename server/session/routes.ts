import type { RequestHandler } from 'express';
import { DomainError } from '../../shared/errors.ts';
import { adminAnswer, keyAnswer, keyLogin, login, loginAnswer } from '../../shared/schemas/session.ts';
import { type Member, memberOfKey } from '../http/credentials.ts';
import { type Call, noAnswer, type Route, route } from '../http/route.ts';
import { throttleKeys } from '../http/throttle.ts';
import { signInAdmin, signOutAdmin } from './operations.ts';

/** The routes of one server: its throttle counts that server's wrong keys. */
export function sessionRoutes(): Route[] {
  const throttle = throttleKeys();

  return [
    route(
      {
        method: 'post',
        path: '/login',
        access: 'open',
        summary: 'Sign in as an admin or with an access key',
        body: login,
        answer: loginAnswer,
      },
      async (call) => {
        const { ctx, body } = call;
        if ('accessKey' in body) {
          const member = await memberOrThrottled(call, throttle, body.accessKey);
          const user = { characterName: member.character_name, memberType: member.member_type };
          return { type: 'user' as const, token: body.accessKey, user };
        }
        const { token, username } = await signInAdmin(ctx, body.username, body.password);
        return { type: 'admin' as const, token, user: { username } };
      },
    ),
    route(
      { method: 'post', path: '/logout', access: 'admin', summary: "End the admin's token", answer: noAnswer },
      async ({ ctx, caller }) => signOutAdmin(ctx, caller),
    ),
    route(
      {
        method: 'post',
        path: '/validate-access-key',
        access: 'open',
        summary: 'Whose access key this is',
        body: keyLogin,
        answer: keyAnswer,
      },
      async (call) => {
        const member = await memberOrThrottled(call, throttle, call.body.accessKey);
        return { valid: true as const, characterName: member.character_name, memberType: member.member_type };
      },
    ),
    route(
      { method: 'get', path: '/admin/verify', access: 'admin', summary: 'Whether the token holds, and whose it is', answer: adminAnswer },
      async ({ caller }) => ({ admin: caller.username }),
    ),
  ];
}

/** Only a wrong key is counted, and after it was looked up: right ones always pass, however many guess beside them. */
async function memberOrThrottled<B>(
  { ctx, req, res }: Pick<Call<unknown, unknown, B, 'open'>, 'ctx' | 'req' | 'res'>,
  throttle: RequestHandler,
  key: string,
): Promise<Member> {
  try {
    return await memberOfKey(ctx.db, key);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'session.invalidKey') throw error;
    await new Promise<void>((resolve, reject) => {
      void throttle(req, res, (refusal?: unknown) => (refusal ? reject(refusal) : resolve()));
    });
    throw error;
  }
}
