import Cookies from 'js-cookie';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Profile, rememberProfile, saveLastUsed } from './saved-profiles.ts';
import { logoutAll, logoutCurrent, startSession, useSession } from './session-store.ts';

const profile = (characterName: string): Profile => ({
  characterName,
  memberType: 'member',
  accessKey: `KEY OF ${characterName}`,
  isVerified: true,
  createdAt: '',
});
const ARDEN = profile('Arden Vale');
const BRAM = profile('Old Bram');
const SABLE = profile('Sable Quinn');
const saved = (): string[] =>
  Object.keys(Cookies.get())
    .filter((name) => name.startsWith('access_key_'))
    .sort();
const here = (): string[] => useSession.getState().profiles.map(({ characterName }) => characterName);

/** What the server says of each key; without an answer it cannot be reached. */
function answering(answers: { [accessKey: string]: [number, object] }): void {
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
    const { accessKey } = JSON.parse(body);
    const [status, answer] = answers[accessKey] ?? [];
    if (!answer) throw new TypeError('Failed to fetch');
    return Response.json(answer, { status: status ?? 200 });
  });
}
const valid = ({ characterName }: Profile, memberType = 'member'): [number, object] => [
  200,
  { success: true, data: { valid: true, characterName, memberType } },
];
const refused = (status: number, code: string): [number, object] => [status, { error: code, code, params: {} }];

beforeEach(() => {
  localStorage.clear();
  for (const name of Object.keys(Cookies.get())) Cookies.remove(name);
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null, ended: null });
});
afterEach(() => {
  logoutAll();
  vi.unstubAllGlobals();
});

describe('the start', () => {
  test.each([
    ['unknown', refused(401, 'session.invalidKey')],
    ['revoked', refused(403, 'session.keyRevoked')],
    ['banned', refused(403, 'session.banned')],
  ])('drops a key that is %s, with its cookie, and selects the first that is valid', async (_what, refusal) => {
    for (const each of [ARDEN, BRAM, SABLE]) rememberProfile(each);
    answering({ [ARDEN.accessKey]: refusal, [BRAM.accessKey]: valid(BRAM), [SABLE.accessKey]: valid(SABLE, 'elite') });
    await startSession();
    expect(saved()).toEqual(['access_key_old_bram', 'access_key_sable_quinn']);
    expect(here()).toEqual(['Old Bram', 'Sable Quinn']);
    expect(useSession.getState()).toMatchObject({ status: 'ready', current: { characterName: 'Old Bram' } });
    expect(useSession.getState().profiles[1]?.memberType).toBe('elite');
  });

  test('keeps a key that could not be checked: a server that is away refuses nothing', async () => {
    rememberProfile(ARDEN);
    answering({});
    await startSession();
    expect(saved()).toEqual(['access_key_arden_vale']);
    expect(useSession.getState().current?.characterName).toBe('Arden Vale');
  });

  test.each([401, 403])('keeps key and token where a portal answers with its own page and %i', async (status) => {
    rememberProfile(ARDEN);
    localStorage.setItem('adminToken', 'TOKEN');
    vi.stubGlobal('fetch', async () => new Response('<html>Please sign in to the hotel</html>', { status }));
    await startSession();
    expect(saved()).toEqual(['access_key_arden_vale']);
    expect(localStorage.getItem('adminToken')).toBe('TOKEN');
    expect(useSession.getState()).toMatchObject({ current: { characterName: 'Arden Vale' }, admin: { token: 'TOKEN' } });
    useSession.setState({ admin: null });
  });

  test('selects the profile that was used last', async () => {
    for (const each of [ARDEN, BRAM]) rememberProfile(each);
    saveLastUsed(BRAM);
    answering({ [ARDEN.accessKey]: valid(ARDEN), [BRAM.accessKey]: valid(BRAM) });
    await startSession();
    expect(useSession.getState().current?.characterName).toBe('Old Bram');
  });
});

describe('logging out', () => {
  test('of one goes on with the next; of all leaves nobody, and no cookie', async () => {
    for (const each of [ARDEN, BRAM, SABLE]) rememberProfile(each);
    answering({ [ARDEN.accessKey]: valid(ARDEN), [BRAM.accessKey]: valid(BRAM), [SABLE.accessKey]: valid(SABLE) });
    await startSession();
    logoutCurrent();
    expect(useSession.getState().current?.characterName).toBe('Old Bram');
    expect(saved()).toEqual(['access_key_old_bram', 'access_key_sable_quinn']);
    logoutAll();
    expect(useSession.getState()).toMatchObject({ current: null, profiles: [] });
    expect(saved()).toEqual([]);
  });
});
