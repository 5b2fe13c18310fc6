import type { AccessKey, AccessKeyInput } from '../../shared/schemas/access-key.ts';
import type { ActivityPage } from '../../shared/schemas/activity.ts';
import type { Category } from '../../shared/schemas/category.ts';
import type { CharacterClaims, ClaimRow, Submission } from '../../shared/schemas/claim.ts';
import type { ConfigAnswer } from '../../shared/schemas/config.ts';
import type { Event, EventChange, EventInput } from '../../shared/schemas/event.ts';
import type { MemberType } from '../../shared/schemas/member-type.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import type { AdminAnswer, KeyAnswer, LoginAnswer } from '../../shared/schemas/session.ts';
import { request, requestBare } from './request.ts';

/** Every call of the API that the client makes, typed by the shapes that the server validates with. */

const inPath = encodeURIComponent;

export const getConfig = (): Promise<ConfigAnswer> => requestBare('/config');
export const getCategories = (): Promise<Category[]> => request('/categories');
export const getMemberTypes = (): Promise<MemberType[]> => request('/member-types');
export const getActiveEvent = (): Promise<Event> => request('/events/active');
export const getRespawnClaims = (respawn_id: number, date: string, signal?: AbortSignal): Promise<ClaimRow[]> =>
  request(`/respawns/${respawn_id}/claims/${date}`, signal ? { signal } : {});
export const getCharacterClaims = (
  character_name: string,
  date: string,
  respawn_id: number | null,
  signal?: AbortSignal,
): Promise<CharacterClaims> =>
  request(
    `/claims/check-character-claims/${inPath(character_name)}?date=${date}${respawn_id ? `&respawnId=${respawn_id}` : ''}`,
    signal ? { signal } : {},
  );

/** `idempotency_key`: the same for every try of one submission, so that a repeated one is stored once. */
export const postClaims = (submission: Submission, idempotency_key: string): Promise<ClaimRow[]> =>
  request('/claims', { method: 'POST', body: submission, headers: { 'Idempotency-Key': idempotency_key } });
export const deleteClaim = (id: number): Promise<void> => request(`/admin/claims/${id}`, { method: 'DELETE' });

const nobody = { access_key: null, admin_token: null };
export const loginAdmin = (username: string, password: string): Promise<LoginAnswer> =>
  request('/login', { method: 'POST', body: { username, password }, as: nobody });
export const loginWithKey = (accessKey: string): Promise<LoginAnswer> =>
  request('/login', { method: 'POST', body: { accessKey }, as: nobody });
export const validateKey = (accessKey: string): Promise<KeyAnswer> =>
  request('/validate-access-key', { method: 'POST', body: { accessKey }, as: nobody });
export const verifyAdmin = (token: string): Promise<AdminAnswer> =>
  request(`/admin/verify?at=${Date.now()}`, { as: { admin_token: token } });
export const logoutAdmin = (token: string): Promise<void> => request('/logout', { method: 'POST', as: { admin_token: token } });

export const getEvents = (): Promise<Event[]> => request(`/events?at=${Date.now()}`);
export const createEvent = (input: EventInput): Promise<Event> => request('/events', { method: 'POST', body: input });
export const updateEvent = (id: number, change: EventChange): Promise<Event> => request(`/events/${id}`, { method: 'PUT', body: change });
export const deleteEvent = (id: number): Promise<void> => request(`/events/${id}`, { method: 'DELETE' });
export const setEventActive = (id: number, active: boolean): Promise<Event> =>
  request(`/events/${id}/${active ? 'activate' : 'deactivate'}`, { method: 'POST' });

export const getAccessKeys = (): Promise<AccessKey[]> => request(`/admin/access-keys?at=${Date.now()}`);
export const createAccessKey = (input: AccessKeyInput): Promise<AccessKey> =>
  request('/admin/access-keys', { method: 'POST', body: input });
export const setKeyRevoked = (id: number, revoked: boolean): Promise<AccessKey> =>
  request(`/admin/access-keys/${id}/${revoked ? 'revoke' : 'enable'}`, { method: 'PUT' });
export const setKeyMemberType = (id: number, memberType: string): Promise<AccessKey> =>
  request(`/admin/access-keys/${id}/member-type`, { method: 'PUT', body: { memberType } });
export const deleteAccessKey = (id: number): Promise<void> => request(`/admin/access-keys/${id}`, { method: 'DELETE' });

export const getAdminRespawns = (): Promise<Respawn[]> => request(`/admin/respawns?at=${Date.now()}`);
export const getActivityLog = (): Promise<ActivityPage> => request(`/admin/activity-log?limit=100&page=1&at=${Date.now()}`);
