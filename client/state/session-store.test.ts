import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Snapshot } from '../../shared/live.ts';
import { readCookies, removeCookie, writeCookie } from '../lib/cookies.ts';
import { keepForAWeek } from '../test/cookie-expiry.ts';
import { aKey, anEntry, anEvent, aRespawn, aType, aVerifiedCode } from '../test/records.ts';
import { applySnapshot, clearBoard, useBoard } from './board-store.ts';
import {
  forgetProfile,
  type Profile,
  rememberProfile,
  renewSavedProfiles,
  savedProfiles,
  saveLastUsed,
  sharedSessions,
  whyNotStored,
} from './saved-sessions.ts';
import {
  addProfile,
  dropAdmin,
  followOtherTabs,
  logoutAll,
  logoutCurrent,
  renewAdmin,
  renewCurrent,
  signInAdmin,
  startSession,
  switchProfile,
  useSession,
} from './session-store.ts';

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
  [...readCookies().keys()].filter((name) => name.startsWith('access_key_')).sort();
const here = (): string[] =>
  useSession.getState().profiles.map(({ characterName }) => characterName);

/** The server's answer for each key; without one it cannot be reached. */
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
const refused = (status: number, code: string): [number, object] => [
  status,
  { error: code, code, params: {} },
];

beforeEach(() => {
  localStorage.clear();
  for (const name of readCookies().keys()) removeCookie(name);
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null, ended: [] });
});
afterEach(() => {
  logoutAll();
  vi.unstubAllGlobals();
});

describe('the start', () => {
  test('a renamed character goes on under its new name', async () => {
    const renamed = { ...ARDEN, characterName: 'New Arden' };
    rememberProfile(ARDEN);
    answering({ [ARDEN.accessKey]: valid(ARDEN) });
    await startSession();
    answering({ [ARDEN.accessKey]: valid(renamed) });
    await renewCurrent();
    expect(useSession.getState().current?.characterName).toBe('New Arden');
    expect(saved()).toEqual(['access_key_new_arden']);
    expect(here()).toEqual(['New Arden']);
  });

  test('a character that was renamed in the background has its new name when it is chosen', async () => {
    for (const each of [ARDEN, BRAM]) rememberProfile(each);
    saveLastUsed(ARDEN);
    answering({ [ARDEN.accessKey]: valid(ARDEN), [BRAM.accessKey]: valid(BRAM) });
    await startSession();
    const renamed = { ...BRAM, characterName: 'New Bram' };
    answering({ [ARDEN.accessKey]: valid(ARDEN), [BRAM.accessKey]: valid(renamed) });
    switchProfile('Old Bram');
    await vi.waitFor(() => expect(useSession.getState().current?.characterName).toBe('New Bram'));
    await startSession();
    expect(useSession.getState().current?.characterName).toBe('New Bram');
  });

  test.each([
    ['unknown', refused(401, 'session.invalidKey')],
    ['revoked', refused(403, 'session.keyRevoked')],
    ['banned', refused(403, 'session.banned')],
  ])(
    'drops a key that is %s, with its cookie, and selects the first that is valid',
    async (_what, refusal) => {
      for (const each of [ARDEN, BRAM, SABLE]) rememberProfile(each);
      answering({
        [ARDEN.accessKey]: refusal,
        [BRAM.accessKey]: valid(BRAM),
        [SABLE.accessKey]: valid(SABLE, 'elite'),
      });
      await startSession();
      expect(saved()).toEqual(['access_key_old_bram', 'access_key_sable_quinn']);
      expect(here()).toEqual(['Old Bram', 'Sable Quinn']);
      expect(useSession.getState()).toMatchObject({
        status: 'ready',
        current: { characterName: 'Old Bram' },
      });
      expect(useSession.getState().profiles[1]?.memberType).toBe('elite');
      // And says which, and why.
      expect(useSession.getState().ended).toMatchObject([{ who: 'Arden Vale' }]);
    },
  );

  // Section 7: "reads data or the whole body (valid, characterName, memberType); error text from error or message".
  // Section 4: "drops invalid ones (removing their cookie)".
  test.each([
    ['wrapped', { success: true, data: { valid: false, error: 'This key was sold' } }],
    ['not wrapped', { valid: false, message: 'This key was sold' }],
  ])('drops a key of which a 200 says valid: false, %s', async (_how, body) => {
    for (const each of [ARDEN, BRAM]) rememberProfile(each);
    answering({
      [ARDEN.accessKey]: [200, body],
      [BRAM.accessKey]: [200, { valid: true, characterName: 'Old Bram', memberType: 'vice' }],
    });
    await startSession();
    expect(saved()).toEqual(['access_key_old_bram']);
    expect(useSession.getState().current).toMatchObject({
      characterName: 'Old Bram',
      memberType: 'vice',
    });
    expect(useSession.getState().ended).toEqual([
      { who: 'Arden Vale', code: 'session.invalidKey', text: 'This key was sold' },
    ]);
  });

  test.each([{}, { valid: true }, { data: null }, []])(
    'keeps a key of which a 200 says nothing: %j',
    async (body) => {
      rememberProfile(ARDEN);
      answering({ [ARDEN.accessKey]: [200, body] });
      await startSession();
      expect(useSession.getState().current).toEqual(ARDEN);
      expect(saved()).toEqual(['access_key_arden_vale']);
    },
  );

  test.each(['%E0%A4%A', 'no json', '{"characterName":7,"accessKey":"K"}', 'null'])(
    'removes the cookie of an access key that cannot be read: %s',
    async (value) => {
      // biome-ignore lint/suspicious/noDocumentCookie: writeCookie writes none that can't be read
      document.cookie = `access_key_broken=${value}; path=/`;
      rememberProfile(ARDEN);
      answering({ [ARDEN.accessKey]: valid(ARDEN) });
      await startSession();
      expect(document.cookie).not.toContain('access_key_broken');
      expect(saved()).toEqual(['access_key_arden_vale']);
    },
  );

  test("says that the admin's token does not hold any more, and forgets it", async () => {
    localStorage.setItem('adminToken', 'DEAD');
    vi.stubGlobal('fetch', async () =>
      Response.json({ error: 'x', code: 'session.expired', params: {} }, { status: 401 }),
    );
    await startSession();
    expect(useSession.getState()).toMatchObject({
      status: 'ready',
      admin: null,
      ended: [{ who: null, code: 'session.expired' }],
    });
    expect(localStorage.getItem('adminToken')).toBeNull();
  });

  test('keeps the role beside a token saved without one: a start without network shows it too', async () => {
    localStorage.setItem('adminToken', 'TOKEN');
    vi.stubGlobal('fetch', async () =>
      Response.json({ success: true, data: { admin: 'Thora', role: 'owner' } }),
    );
    await startSession();
    expect(useSession.getState().admin?.role).toBe('owner');
    useSession.setState({ status: 'checking', admin: null });
    answering({});
    await startSession();
    expect(useSession.getState().admin).toMatchObject({ token: 'TOKEN', role: 'owner' });
    useSession.setState({ admin: null });
  });

  test('a key that another tab logs out during its check stays logged out', async () => {
    for (const each of [ARDEN, BRAM]) rememberProfile(each);
    vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
      forgetProfile(BRAM);
      const known = [ARDEN, BRAM].find(({ accessKey }) => accessKey === JSON.parse(body).accessKey);
      return Response.json({
        success: true,
        data: { valid: true, characterName: known?.characterName, memberType: 'member' },
      });
    });
    await startSession();
    expect(here()).toEqual(['Arden Vale']);
  });

  test('keeps a key that could not be checked: a server that is away refuses nothing', async () => {
    rememberProfile(ARDEN);
    answering({});
    await startSession();
    expect(saved()).toEqual(['access_key_arden_vale']);
    expect(useSession.getState().current?.characterName).toBe('Arden Vale');
  });

  test.each([401, 403])(
    'keeps key and token where a portal answers with its own page and %i',
    async (status) => {
      rememberProfile(ARDEN);
      localStorage.setItem('adminToken', 'TOKEN');
      vi.stubGlobal(
        'fetch',
        async () => new Response('<html>Please sign in to the hotel</html>', { status }),
      );
      await startSession();
      expect(saved()).toEqual(['access_key_arden_vale']);
      expect(localStorage.getItem('adminToken')).toBe('TOKEN');
      expect(useSession.getState()).toMatchObject({
        current: { characterName: 'Arden Vale' },
        admin: { token: 'TOKEN' },
      });
      useSession.setState({ admin: null });
    },
  );

  test('selects the profile that was used last', async () => {
    for (const each of [ARDEN, BRAM]) rememberProfile(each);
    saveLastUsed(BRAM);
    answering({ [ARDEN.accessKey]: valid(ARDEN), [BRAM.accessKey]: valid(BRAM) });
    await startSession();
    expect(useSession.getState().current?.characterName).toBe('Old Bram');
  });
});

describe('in a browser that keeps script-written storage for seven days', () => {
  const DAY_MS = 86_400_000;
  const START = Date.parse('2026-11-21T12:00:00Z');
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    keepForAWeek();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const onDay = (day: number): void => void vi.setSystemTime(START + day * DAY_MS);

  test.each([
    ['opens the page', startSession],
    ['has the page open, whose connection comes back', renewCurrent],
  ])('a member who %s once in six days keeps their keys', async (_what, comes) => {
    for (const each of [ARDEN, BRAM]) rememberProfile(each);
    answering({ [ARDEN.accessKey]: valid(ARDEN), [BRAM.accessKey]: valid(BRAM) });
    for (const day of [6, 12, 18, 24]) {
      onDay(day);
      await comes();
      expect(saved()).toEqual(['access_key_arden_vale', 'access_key_old_bram']);
    }
    onDay(32);
    expect(saved()).toEqual([]);
  });

  test('also where the server cannot be reached', async () => {
    rememberProfile(ARDEN);
    answering({});
    onDay(6);
    await startSession();
    onDay(12);
    expect(saved()).toEqual(['access_key_arden_vale']);
  });

  test('a key that was logged out in another tab stays logged out', () => {
    for (const each of [ARDEN, BRAM]) rememberProfile(each);
    forgetProfile(BRAM);
    renewSavedProfiles();
    expect(saved()).toEqual(['access_key_arden_vale']);
  });
});

describe('logging out', () => {
  test('of one profile continues with the next; of all leaves no session and no cookie', async () => {
    for (const each of [ARDEN, BRAM, SABLE]) rememberProfile(each);
    answering({
      [ARDEN.accessKey]: valid(ARDEN),
      [BRAM.accessKey]: valid(BRAM),
      [SABLE.accessKey]: valid(SABLE),
    });
    await startSession();
    logoutCurrent();
    expect(useSession.getState().current?.characterName).toBe('Old Bram');
    expect(saved()).toEqual(['access_key_old_bram', 'access_key_sable_quinn']);
    logoutAll();
    expect(useSession.getState()).toMatchObject({ current: null, profiles: [] });
    expect(saved()).toEqual([]);
  });
});

test('a key saved in another spelling than the server’s is removed with its cookie', async () => {
  const SPELT = { ...ARDEN, characterName: 'Arden  Vale' };
  for (const each of [BRAM, SPELT]) rememberProfile(each);
  saveLastUsed(ARDEN);
  answering({ [SPELT.accessKey]: valid(ARDEN), [BRAM.accessKey]: valid(BRAM) });
  await startSession();
  expect(useSession.getState().current?.characterName).toBe('Arden Vale');
  logoutCurrent();
  expect(saved()).toEqual(['access_key_old_bram']);
});

test('keys that end one after another are all told until that was read', () => {
  for (const each of [ARDEN, BRAM]) addProfile(each);
  logoutCurrent('session.keyRevoked');
  logoutCurrent('session.banned');
  expect(useSession.getState().ended.map(({ who }) => who)).toEqual(['Old Bram', 'Arden Vale']);
});

describe('characters whose names differ only in punctuation', () => {
  const APOSTROPHE = profile("Ko'ra");
  const HYPHEN = profile('Ko-ra');
  const SPACE = profile('Ko ra');

  test('keep a key each; the first has the name of the specification, and each leaves alone', async () => {
    for (const each of [APOSTROPHE, HYPHEN, SPACE]) rememberProfile(each);
    expect(saved()).toEqual(['access_key_ko_ra', 'access_key_ko_ra_2', 'access_key_ko_ra_3']);
    answering(
      Object.fromEntries([APOSTROPHE, HYPHEN, SPACE].map((each) => [each.accessKey, valid(each)])),
    );
    await startSession();
    expect(here().sort()).toEqual(['Ko ra', "Ko'ra", 'Ko-ra']);
    forgetProfile(APOSTROPHE);
    rememberProfile({ ...SPACE, accessKey: 'A NEW KEY' });
    expect(
      savedProfiles()
        .map(({ accessKey }) => accessKey)
        .sort(),
    ).toEqual(['A NEW KEY', HYPHEN.accessKey]);
    expect(saved()).toEqual(['access_key_ko_ra_2', 'access_key_ko_ra_3']);
  });

  test('renew an old cookie, also one that another spelling of its character saved', () => {
    writeCookie('access_key_ko_ra', JSON.stringify(APOSTROPHE), 1);
    rememberProfile({ ...APOSTROPHE, characterName: 'Ko’ra', accessKey: 'A NEW KEY' });
    expect(saved()).toEqual(['access_key_ko_ra']);
    expect(savedProfiles()).toMatchObject([{ accessKey: 'A NEW KEY' }]);
  });
});

describe('more characters than a browser may send', () => {
  test('are kept up to a bound below what the server takes; the next one has room when another logs out', () => {
    rememberProfile({
      ...ARDEN,
      accessKey: 'K7QM-2F9A-XW3C',
      createdAt: '2026-11-21T12:00:00.000Z',
    });
    expect(document.cookie.length * 75).toBeLessThan(24_000);
    // Room for one more, and for the next one as it is before it is encoded.
    writeCookie('other', 'x'.repeat(24_000 - document.cookie.length - 350), 1);
    onTestFinished(() => removeCookie('other'));
    for (const each of [BRAM, SABLE]) rememberProfile(each);
    expect([ARDEN, BRAM, SABLE].map(whyNotStored)).toEqual([null, null, 'full']);
    expect(savedProfiles()).toHaveLength(3);
    expect(document.cookie.length).toBeLessThanOrEqual(24_000);
    // A stored one can still be renewed.
    rememberProfile({ ...BRAM, memberType: 'elite' });
    expect(whyNotStored(BRAM)).toBeNull();
    forgetProfile(BRAM);
    expect(whyNotStored(SABLE)).toBeNull();
    expect(saved()).toEqual(['access_key_arden_vale', 'access_key_sable_quinn']);
  });
});

test('a key in two cookies is one character, and is removed from both', async () => {
  writeCookie('access_key_demo', JSON.stringify(ARDEN), 1);
  rememberProfile(ARDEN);
  answering({ [ARDEN.accessKey]: valid(ARDEN) });
  await startSession();
  expect(here()).toEqual(['Arden Vale']);
  logoutCurrent();
  expect(saved()).toEqual([]);
});

describe('another tab of the browser', () => {
  let stopFollowing = (): void => {};
  let theirs = useSession.getState();
  beforeEach(() => {
    useSession.setState({ status: 'ready' });
    theirs = useSession.getState();
    stopFollowing = followOtherTabs();
  });
  afterEach(() => {
    stopFollowing();
    useSession.setState({ admin: null });
  });

  /** Another tab shares cookies and storage, and has its own state; this tab gets storage events. */
  function inOtherTab(change: () => void): void {
    const mine = useSession.getState();
    useSession.setState(theirs);
    change();
    theirs = useSession.getState();
    useSession.setState(mine);
    window.dispatchEvent(new Event('storage'));
  }
  /** As a second tab finds it, which is opened now. */
  const both = (...profiles: Profile[]): void => {
    for (const each of profiles) addProfile(each);
    theirs = useSession.getState();
  };

  test('logs in: here it is the same character', () => {
    inOtherTab(() => addProfile(ARDEN));
    expect(useSession.getState()).toMatchObject({ profiles: [ARDEN], current: ARDEN });
  });

  test('adds a character: this one keeps its own, and has the other to switch to', () => {
    both(ARDEN);
    inOtherTab(() => addProfile(BRAM));
    expect(useSession.getState().current).toEqual(ARDEN);
    expect(here()).toEqual(['Old Bram', 'Arden Vale']);
  });

  test('logs in with another key of the same character: it takes the place of the old one', () => {
    both(ARDEN);
    const renewed = { ...ARDEN, accessKey: 'A NEW KEY' };
    inOtherTab(() => addProfile(renewed));
    expect(useSession.getState()).toMatchObject({ profiles: [renewed], current: renewed });
  });

  test.each([
    [
      'while the old one is refused over the live connection of this page, which slept',
      async () => logoutCurrent('session.keyRevoked'),
    ],
    ['while this page starts and asks whether the old one holds', startSession],
  ])(
    'logs in with another key of the same character, %s: the new one stays',
    async (_when, receiveLate) => {
      both(ARDEN);
      const renewed = { ...ARDEN, accessKey: 'A NEW KEY' };
      const mine = useSession.getState();
      vi.stubGlobal('fetch', async () => {
        // The other tab has changed the storage; this one has not received the event yet.
        addProfile(renewed);
        useSession.setState(
          receiveLate === startSession ? { ...mine, profiles: [], current: null } : mine,
        );
        return Response.json(
          { error: '', code: 'session.keyRevoked', params: {} },
          { status: 403 },
        );
      });
      if (receiveLate !== startSession) await fetch('/');
      await receiveLate();
      expect(saved()).toEqual(['access_key_arden_vale']);
      expect(sharedSessions().here).toContain('Arden Vale');
      window.dispatchEvent(new Event('focus'));
      expect(useSession.getState().current).toEqual(renewed);
    },
  );

  test('logs out: the next character is selected here, and no message is shown', () => {
    both(BRAM, ARDEN);
    inOtherTab(() => logoutCurrent());
    expect(useSession.getState()).toMatchObject({ profiles: [BRAM], current: BRAM, ended: [] });
  });

  test('logs out all profiles: no session is left', () => {
    both(BRAM, ARDEN);
    inOtherTab(logoutAll);
    expect(useSession.getState()).toMatchObject({ profiles: [], current: null, ended: [] });
  });

  test('learns that a key was revoked, and says so here', () => {
    both(ARDEN);
    inOtherTab(() => logoutCurrent('session.keyRevoked'));
    expect(useSession.getState()).toMatchObject({
      current: null,
      ended: [{ who: 'Arden Vale', code: 'session.keyRevoked' }],
    });
  });

  test('signs an admin in and out, and says why a token ended', () => {
    inOtherTab(() => signInAdmin('TOKEN', 'Thora', 'owner'));
    expect(useSession.getState().admin).toEqual({
      username: 'Thora',
      token: 'TOKEN',
      role: 'owner',
    });
    inOtherTab(() => dropAdmin(null));
    expect(useSession.getState()).toMatchObject({ admin: null, ended: [] });
    inOtherTab(() => signInAdmin('OTHER', 'Thora', 'owner'));
    inOtherTab(() => dropAdmin('session.expired'));
    expect(useSession.getState()).toMatchObject({
      admin: null,
      ended: [{ who: null, code: 'session.expired' }],
    });
  });

  test('is followed after waking up, where the page received nothing meanwhile', () => {
    both(ARDEN);
    const mine = useSession.getState();
    logoutCurrent();
    useSession.setState(mine);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(useSession.getState().current).toBeNull();
  });

  test('a cookie that has run out is no logout: a page that stays open keeps its session', () => {
    both(ARDEN);
    forgetProfile(ARDEN);
    window.dispatchEvent(new Event('focus'));
    expect(useSession.getState().current).toEqual(ARDEN);
    // Nor is a storage that the browser emptied.
    localStorage.clear();
    window.dispatchEvent(new Event('focus'));
    expect(useSession.getState().current).toEqual(ARDEN);
  });

  test('ignores junk in the storage', () => {
    both(ARDEN);
    for (const junk of [
      '{',
      'null',
      '[]',
      '{"here":7,"ended":{"a":1}}',
      '{"ended":[null,7,{"who":1,"code":"session.x"},{"who":"A","code":"x"}]}',
    ]) {
      localStorage.setItem('sessions', junk);
      window.dispatchEvent(new Event('storage'));
      expect(useSession.getState()).toMatchObject({ current: ARDEN, ended: [] });
    }
  });

  test('keeps no endless list of why sessions ended', () => {
    for (let n = 0; n < 30; n++) {
      addProfile(profile(`Hunter ${n}`));
      logoutCurrent('session.keyRevoked');
    }
    expect(sharedSessions().ended).toHaveLength(20);
  });
});

describe('the board on the screen when the session changes', () => {
  const both: Snapshot = {
    respawn: [aRespawn()],
    event: [anEvent({ is_active: 1 })],
    member_type: [aType('member')],
  };
  const admins: Snapshot = {
    ...both,
    respawn: [aRespawn(), aRespawn({ id: 2, is_enabled: 0 })],
    event: [anEvent({ is_active: 1 }), anEvent({ id: 2 })],
    access_key: [aKey()],
    verified_code: [aVerifiedCode()],
    activity: [anEntry()],
  };
  const here = (): object => {
    const { status, room, byKind } = useBoard.getState();
    const sizes = Object.entries(byKind).flatMap(([kind, { size }]) =>
      size > 0 ? [[kind, size]] : [],
    );
    return { status, room, ...Object.fromEntries(sizes) };
  };
  const MEMBERS = { status: 'ready', room: 'members', respawn: 1, event: 1, member_type: 1 };
  afterEach(() => {
    dropAdmin(null);
    clearBoard();
  });

  test('stays when a member also signs in as an admin, or another character is chosen', () => {
    addProfile(ARDEN);
    applySnapshot(1, both);
    signInAdmin('TOKEN', 'Thora', 'owner');
    expect(here()).toEqual(MEMBERS);
    dropAdmin(null);
    addProfile(BRAM);
    expect(here()).toEqual(MEMBERS);
  });

  test('loses admin-only records at once when the admin signs out and a character is left', () => {
    addProfile(ARDEN);
    signInAdmin('TOKEN', 'Thora', 'owner');
    applySnapshot(1, admins);
    expect(here()).toEqual({
      ...MEMBERS,
      room: 'admins',
      respawn: 2,
      event: 2,
      access_key: 1,
      verified_code: 1,
      activity: 1,
    });
    dropAdmin(null);
    expect(here()).toEqual(MEMBERS);
  });

  test('of an admin who is a moderator now loses keys and characters at once, and no more', async () => {
    signInAdmin('TOKEN', 'Thora', 'admin');
    applySnapshot(1, admins);
    const left = { ...MEMBERS, room: 'viewers', respawn: 2, event: 2, activity: 1 };
    vi.stubGlobal('fetch', async () =>
      Response.json({ success: true, data: { admin: 'Thora', role: 'moderator' } }),
    );
    await renewAdmin();
    expect(useSession.getState().admin).toEqual({
      username: 'Thora',
      token: 'TOKEN',
      role: 'moderator',
    });
    expect(here()).toEqual(left);
    // The known role survives a start without network.
    expect(localStorage.getItem('adminRole')).toBe('moderator');
  });

  test('is removed with the last profile', () => {
    signInAdmin('TOKEN', 'Thora', 'owner');
    applySnapshot(1, admins);
    dropAdmin(null);
    expect(here()).toEqual({ status: 'empty', room: 'members' });
    addProfile(ARDEN);
    applySnapshot(1, both);
    logoutCurrent();
    expect(here()).toEqual({ status: 'empty', room: 'members' });
  });
});
