import type { AdminRole } from '../../shared/rules/roles.ts';
import type { ConfigAnswer } from '../../shared/schemas/config.ts';
import type { AdminAnswer, KeyAnswer, LoginAnswer } from '../../shared/schemas/session.ts';
import {
  ApiError,
  anonymous,
  isSessionCode,
  networkFailed,
  request,
  requestBare,
  requestDataOrBody,
  textIn,
} from './request.ts';

/** The calls that a visitor's first load has: the guild's settings, and sessions. */

export const getConfig = (): Promise<ConfigAnswer> => requestBare('/config');
/** The specification's admins have no roles: an answer without one means full access. The server still checks each call. */
const roleIn = ({ role = 'admin' }: { role?: AdminRole }): AdminRole => role;
export async function loginAdmin(username: string, password: string): Promise<LoginAnswer> {
  const answer = await request<LoginAnswer>('/login', {
    method: 'POST',
    body: { username, password },
    as: anonymous,
  });
  return answer.type === 'admin'
    ? { ...answer, user: { ...answer.user, role: roleIn(answer.user) } }
    : answer;
}
export const loginWithKey = (accessKey: string): Promise<LoginAnswer> =>
  request('/login', { method: 'POST', body: { accessKey }, as: anonymous });
/** @throws ApiError `session.*` if the key is refused, also by an answer of 200; network.failed if the answer says neither */
export async function validateKey(accessKey: string): Promise<KeyAnswer> {
  const answer = await requestDataOrBody<Omit<KeyAnswer, 'valid'> & { valid: boolean }>(
    '/validate-access-key',
    {
      method: 'POST',
      body: { accessKey },
      as: anonymous,
    },
  );
  const { valid, characterName, memberType, code } = answer;
  if (valid === false) {
    const text = textIn(answer);
    if (isSessionCode(code)) throw new ApiError(200, code, {}, text);
    throw new ApiError(200, 'session.invalidKey', {}, text, { responseText: text });
  }
  if (valid !== true || typeof characterName !== 'string' || typeof memberType !== 'string')
    throw networkFailed();
  return { valid, characterName, memberType };
}
export async function verifyAdmin(token: string, signal?: AbortSignal): Promise<AdminAnswer> {
  const options = { as: { admin_token: token }, ...(signal && { signal }) };
  const answer = await request<AdminAnswer>(`/admin/verify?at=${Date.now()}`, options);
  return { ...answer, role: roleIn(answer) };
}
export const logoutAdmin = (token: string): Promise<void> =>
  request('/logout', { method: 'POST', as: { admin_token: token } });
