import { z } from 'zod';
import { ADMIN_NAME } from '../rules/names.ts';
import { code, id, name, timestamp } from './fields.ts';
import { adminRole, MAX_SECRET_LENGTH, MIN_PASSWORD_LENGTH } from './session.ts';

/** Admins, not counting open invitations. */
export const MAX_ADMINS = 200;
/** Open invitations at the same time. */
export const MAX_INVITATIONS = 20;
/** How long an invitation is valid, in days. */
export const INVITATION_DAYS = 7;

export const adminAccount = z.object({
  id,
  username: z.string(),
  role: adminRole,
  created_at: timestamp,
});
export type AdminAccount = z.infer<typeof adminAccount>;

const invitation = z.object({
  id,
  username: z.string(),
  role: adminRole,
  created_by_username: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
});
export type Invitation = z.infer<typeof invitation>;

export const adminList = z.object({
  admins: z.array(adminAccount),
  invitations: z.array(invitation),
});
export type AdminList = z.infer<typeof adminList>;

export const roleInput = z.object({ role: adminRole });
/** New names only: admins with older names keep them. */
const newUsername = name('admin.nameRequired').pipe(
  z.string().regex(ADMIN_NAME, code('admin.nameInvalid')),
);
export const invitationInput = z.object({ username: newUsername, role: adminRole });
export type InvitationInput = z.infer<typeof invitationInput>;
/** The token is shown this once; the link is made of it. */
export const newInvitation = invitation.extend({ token: z.string() });
export type NewInvitation = z.infer<typeof newInvitation>;

const token = z
  .string(code('invitation.notFound'))
  .min(1, code('invitation.notFound'))
  .max(MAX_SECRET_LENGTH, code('invitation.notFound'));
const newPassword = z
  .string(code('admin.passwordLength'))
  .min(MIN_PASSWORD_LENGTH, code('admin.passwordLength'))
  .max(MAX_SECRET_LENGTH, code('admin.passwordLength'));

export const invitationToken = z.object({ token });
/** To whom a link is addressed. */
export const invitationShown = invitation.pick({ username: true, role: true, expires_at: true });
export type InvitationShown = z.infer<typeof invitationShown>;
export const invitationAccepted = z.object({ token, password: newPassword });

export const ownPassword = z.object({
  current_password: z
    .string(code('admin.wrongPassword'))
    .min(1, code('admin.wrongPassword'))
    .max(MAX_SECRET_LENGTH, code('admin.wrongPassword')),
  new_password: newPassword,
});
