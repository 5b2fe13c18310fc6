import type { AdminRole } from '../../shared/rules/roles.ts';
import type { AdminAccount, AdminList, InvitationInput, NewInvitation } from '../../shared/schemas/admin.ts';
import { request } from './request.ts';

export const getAdmins = (signal: AbortSignal): Promise<AdminList> => request(`/admin/admins?at=${Date.now()}`, { signal });
export const setAdminRole = (id: number, role: AdminRole): Promise<Pick<AdminAccount, 'id' | 'username' | 'role'>> =>
  request(`/admin/admins/${id}`, { method: 'PUT', body: { role } });
export const removeAdmin = (id: number): Promise<void> => request(`/admin/admins/${id}`, { method: 'DELETE' });
/** The link is made of the token, which is told this once. */
export const inviteAdmin = (input: InvitationInput): Promise<NewInvitation> =>
  request('/admin/invitations', { method: 'POST', body: input });
export const withdrawInvitation = (id: number): Promise<void> => request(`/admin/invitations/${id}`, { method: 'DELETE' });
/** The server ends all sessions of the admin, this one too. */
export const changeOwnPassword = (current_password: string, new_password: string): Promise<void> =>
  request('/admin/password', { method: 'PUT', body: { current_password, new_password } });
