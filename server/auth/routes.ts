import type { Request } from 'express';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { accessKeyForm } from '../../shared/rules/access-keys.ts';
import {
  adminAccount,
  adminList,
  invitationAccepted,
  invitationInput,
  invitationShown,
  invitationToken,
  newInvitation,
  ownPassword,
  roleInput,
} from '../../shared/schemas/admin.ts';
import { idInPath } from '../../shared/schemas/fields.ts';
import {
  adminAnswer,
  keyAnswer,
  keyLogin,
  login,
  loginAnswer,
} from '../../shared/schemas/session.ts';
import { addressOf } from '../http/client-address.ts';
import { noAnswer, type RouterContext, routeFor } from '../http/router.ts';
import {
  acceptInvitation,
  changeOwnPassword,
  invitationOf,
  invite,
  listAdmins,
  openInvitations,
  removeAdmin,
  setRole,
  withdrawInvitation,
} from './admins.ts';
import type { SignInAuthenticator } from './authenticate.ts';
import type { PasswordGuard } from './passwords.ts';
import { hasGeneratedPassword, signInAdmin, signOutAdmin } from './sessions.ts';
import { reportSignIn, type SignInContext } from './signed-in.ts';

const route = routeFor<
  SignInContext & { passwords: PasswordGuard; authenticator: SignInAuthenticator }
>();

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
        const member = await ctx.authenticator.authenticateKey(
          body.accessKey,
          addressOf(call.req, ctx.env),
        );
        await reportSignIn(ctx, [member.character_key]);
        const user = { characterName: member.character_name, memberType: member.member_type };
        return { type: 'user' as const, token: accessKeyForm(body.accessKey), user };
      }
      const { token, username, role } = await signInAdmin(ctx, {
        ...body,
        address: addressOf(call.req, ctx.env),
      });
      return { type: 'admin' as const, token, user: { username, role } };
    },
  ),
  route(
    {
      method: 'post',
      path: '/logout',
      access: 'dashboard',
      summary: "Sign out: the admin's token ends",
      answer: noAnswer,
    },
    async ({ ctx, caller }) => signOutAdmin(ctx, caller),
  ),
  route(
    {
      method: 'post',
      path: '/validate-access-key',
      access: 'open',
      summary: 'Check an access key and read its character',
      body: keyLogin,
      answer: keyAnswer,
    },
    async ({ ctx, req, body }) => {
      const member = await ctx.authenticator.authenticateKey(
        body.accessKey,
        addressOf(req, ctx.env),
      );
      return {
        valid: true as const,
        characterName: member.character_name,
        memberType: member.member_type,
      };
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/verify',
      access: 'dashboard',
      summary: "Check the admin's token and read its account",
      answer: adminAnswer,
    },
    async ({ ctx, caller: { admin_id, username, admin_role } }) => ({
      admin: username,
      role: admin_role,
      has_generated_password: await hasGeneratedPassword(ctx.db, admin_id),
    }),
  ),
];

const params = z.object({ id: idInPath });

/** Links that lead nowhere are counted as wrong keys are. */
async function counted<T>(
  { ctx: { authenticator, env }, req }: { ctx: RouterContext; req: Request },
  look: () => Promise<T>,
): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invitation.notFound')
      await authenticator.countWrongToken(addressOf(req, env));
    throw error;
  }
}

export const adminRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/admins',
      access: 'admins',
      summary: 'List admins with their roles, and open invitations',
      answer: adminList,
    },
    async ({ ctx }) => ({
      admins: await listAdmins(ctx.db),
      invitations: await openInvitations(ctx.db, ctx.now()),
    }),
  ),
  route(
    {
      method: 'put',
      path: '/admin/admins/:id',
      access: 'admins',
      summary: "Change an admin's role, in all sessions at once; the last owner can't be changed",
      params,
      body: roleInput,
      answer: adminAccount.pick({ id: true, username: true, role: true }),
    },
    ({ ctx, caller, params, body }) => setRole(ctx, caller, { ...params, ...body }),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/admins/:id',
      access: 'admins',
      summary: "Remove an admin and end all sessions; the last owner can't be removed",
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params }) => removeAdmin(ctx, caller, params.id),
  ),
  route(
    {
      method: 'post',
      path: '/admin/invitations',
      access: 'admins',
      summary:
        'Invite an admin; the token is returned only here and works once within seven days, at /invite#{token}',
      body: invitationInput,
      answer: newInvitation,
      status: 201,
    },
    ({ ctx, caller, body }) => invite(ctx, caller, body),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/invitations/:id',
      access: 'admins',
      summary: 'Withdraw an invitation; its link stops working',
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params }) => withdrawInvitation(ctx, caller, params.id),
  ),
  route(
    {
      method: 'post',
      path: '/invitations/look',
      access: 'open',
      summary: 'Read the name and role of an invitation',
      body: invitationToken,
      answer: invitationShown,
    },
    (call) => counted(call, () => invitationOf(call.ctx.db, call.body.token, call.ctx.now())),
  ),
  route(
    {
      method: 'post',
      path: '/invitations/accept',
      access: 'open',
      summary: 'Accept an invitation with a password and sign in',
      body: invitationAccepted,
      answer: loginAnswer,
    },
    async (call) => {
      const { token, username, role } = await counted(call, () =>
        acceptInvitation(call.ctx, { ...call.body, address: addressOf(call.req, call.ctx.env) }),
      );
      return { type: 'admin' as const, token, user: { username, role } };
    },
  ),
  route(
    {
      method: 'put',
      path: '/admin/password',
      access: 'dashboard',
      summary: "Change the admin's own password; all their sessions end, this one included",
      body: ownPassword,
      answer: noAnswer,
    },
    ({ ctx, caller, body, req }) =>
      changeOwnPassword(ctx, caller, { ...body, address: addressOf(req, ctx.env) }),
  ),
];
