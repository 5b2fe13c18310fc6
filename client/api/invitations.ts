import type { InvitationShown } from '../../shared/schemas/admin.ts';
import type { LoginAnswer } from '../../shared/schemas/session.ts';
import { request } from './request.ts';

/** Whoever opens an invitation is nobody yet. */
const nobody = { access_key: null, admin_token: null };

/** Whom a link invites, as what. @throws ApiError invitation.notFound for one that is used, withdrawn or over */
export const lookAtInvitation = (token: string, signal: AbortSignal): Promise<InvitationShown> =>
  request('/invitations/look', { method: 'POST', body: { token }, as: nobody, signal });
/** @throws ApiError invitation.notFound, admin.nameExists or admin.tooMany */
export const acceptInvitation = (token: string, password: string): Promise<LoginAnswer> =>
  request('/invitations/accept', { method: 'POST', body: { token, password }, as: nobody });
