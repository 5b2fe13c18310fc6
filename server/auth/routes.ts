import { accessKeyForm } from '../../shared/rules/access-keys.ts';
import { adminAnswer, keyAnswer, keyLogin, login, loginAnswer } from '../../shared/schemas/session.ts';
import type { Reading } from '../db/open.ts';
import { addressOf } from '../http/limits/address.ts';
import { noAnswer, routeFor } from '../http/router.ts';
import type { Writing } from '../jobs/writing.ts';
import type { SignInAuthenticator } from './authenticate.ts';
import type { PasswordGuard } from './check-password.ts';
import { signInAdmin, signOutAdmin } from './operations.ts';
import { hasGeneratedPassword } from './queries.ts';

const route = routeFor<Reading & Writing & { passwords: PasswordGuard; authenticator: SignInAuthenticator }>();

export const sessionRoutes = [
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
        const member = await ctx.authenticator.authenticateKey(body.accessKey, addressOf(call.req, ctx.env));
        const user = { characterName: member.character_name, memberType: member.member_type };
        return { type: 'user' as const, token: accessKeyForm(body.accessKey), user };
      }
      const { token, username, role } = await signInAdmin(ctx, { ...body, address: addressOf(call.req, ctx.env) });
      return { type: 'admin' as const, token, user: { username, role } };
    },
  ),
  route(
    { method: 'post', path: '/logout', access: 'dashboard', summary: "End the admin's token", answer: noAnswer },
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
    async ({ ctx, req, body }) => {
      const member = await ctx.authenticator.authenticateKey(body.accessKey, addressOf(req, ctx.env));
      return { valid: true as const, characterName: member.character_name, memberType: member.member_type };
    },
  ),
  route(
    { method: 'get', path: '/admin/verify', access: 'dashboard', summary: 'Whether the token holds, and whose it is', answer: adminAnswer },
    async ({ ctx, caller: { admin_id, username, admin_role } }) => ({
      admin: username,
      role: admin_role,
      has_generated_password: await hasGeneratedPassword(ctx.db, admin_id),
    }),
  ),
];
