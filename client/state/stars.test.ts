import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_STARS, withStars } from '../../shared/rules/stars.ts';
import type { CharacterStars } from '../../shared/schemas/star.ts';
import { ApiError } from '../api/request.ts';
import type { Profile } from './saved-sessions.ts';
import { useSession } from './session-store.ts';
import { applyStars, followStars, readStarsBesideAdmin, toggleStar, useStars } from './stars.ts';

const profile = (characterName: string): Profile => ({
  characterName,
  memberType: 'member',
  accessKey: `KEY OF ${characterName}`,
  isVerified: true,
  createdAt: '',
});
const signIn = (name: string | null): void =>
  useSession.setState({ current: name === null ? null : profile(name) });
const stars = (): number[] => [...useStars.getState().ids];
const KEY = 'KEY OF Arden Vale';

/** The mocked server: the stars of each key, its clock, the calls it got, and whether it can be reached. */
const server = {
  stars: new Map<string, number[]>(),
  clock: 1,
  calls: [] as string[],
  isDown: false,
  answers: null as Promise<void> | null,
};

/** Stars as the server sends them, by default of its next clock. */
const sent = (ids: number[], clock = ++server.clock, epoch = 'a'): CharacterStars => ({
  epoch,
  clock,
  ids,
});

async function answer(
  address: string,
  { method = 'GET', headers, body }: RequestInit = {},
): Promise<Response> {
  const [path = ''] = address.split('?');
  const key = new Headers(headers).get('X-Access-Key') ?? '';
  server.calls.push(`${method} ${path}${typeof body === 'string' ? ` ${body}` : ''}`);
  await server.answers;
  if (server.isDown) throw new TypeError('Failed to fetch');
  const before = server.stars.get(key) ?? [];
  const id = Number(path.split('/').at(-1));
  const after =
    method === 'POST'
      ? withStars(before, JSON.parse(String(body)).respawn_ids)
      : before.filter((one) => one !== id);
  if (method === 'GET') return Response.json({ success: true, data: sent(before, server.clock) });
  server.stars.set(key, after);
  return Response.json({ success: true, data: sent(after) });
}

let stop: () => void;
beforeEach(() => {
  localStorage.clear();
  Object.assign(server, { stars: new Map(), clock: 1, calls: [], isDown: false, answers: null });
  vi.stubGlobal('fetch', answer);
  useSession.setState({ admin: null });
  signIn(null);
  stop = followStars();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

test('without a character stars stay in the browser; a character’s are on the server, for each apart', async () => {
  await toggleStar(3);
  expect(server.calls).toEqual([]);
  signIn('Arden Vale');
  expect(stars()).toEqual([]);
  await toggleStar(7);
  await toggleStar(9);
  await toggleStar(7);
  expect(stars()).toEqual([9]);
  expect(server.calls).toEqual([
    'POST /api/stars {"respawn_ids":[7]}',
    'POST /api/stars {"respawn_ids":[9]}',
    'DELETE /api/stars/7',
  ]);
  expect(server.stars.get(KEY)).toEqual([9]);
  signIn('Mira Stormcrow');
  expect(stars()).toEqual([]);
  signIn(null);
  expect(stars()).toEqual([3]);
  expect(localStorage.getItem('starred:')).toBe('[3]');
});

test('the board is in order at once: a character’s stars are shown as last known, then as the server sends them', () => {
  signIn('Arden Vale');
  applyStars(KEY, sent([5, 2]));
  signIn(null);
  signIn('arden  vale');
  expect(stars()).toEqual([5, 2]);
  // The connection of the character that was in use before.
  applyStars('KEY OF Mira Stormcrow', sent([8]));
  expect(stars()).toEqual([5, 2]);
  applyStars('KEY OF arden  vale', sent([2]));
  expect(stars()).toEqual([2]);
});

test('a star is shown before the server answers, whatever it sends meanwhile', async () => {
  signIn('Arden Vale');
  applyStars(KEY, sent([1]));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answers = promise;
  server.stars.set(KEY, [1]);
  const toggled = [toggleStar(4), toggleStar(1)];
  expect(stars()).toEqual([4]);
  applyStars(KEY, sent([1, 6]));
  expect(stars()).toEqual([6, 4]);
  server.stars.set(KEY, [1, 6]);
  resolve();
  await Promise.all(toggled);
  expect(stars()).toEqual([6, 4]);
  expect(server.stars.get(KEY)).toEqual([6, 4]);
});

test('a star toggled several times ends as last pressed', async () => {
  signIn('Arden Vale');
  await Promise.all([toggleStar(4), toggleStar(4), toggleStar(4)]);
  expect([stars(), server.stars.get(KEY)]).toEqual([[4], [4]]);
});

test('a star that the server does not store is as before, and the next one is tried again', async () => {
  signIn('Arden Vale');
  applyStars(KEY, sent([1]));
  server.isDown = true;
  const failed = [toggleStar(4), toggleStar(1)];
  expect(stars()).toEqual([4]);
  for (const toggled of failed) await expect(toggled).rejects.toThrow(ApiError);
  expect(stars()).toEqual([1]);
  server.isDown = false;
  server.stars.set(KEY, [1]);
  await toggleStar(4);
  expect(stars()).toEqual([1, 4]);
});

test('an admin reads the stars of the character in use, since its connection is not sent them: also on return', async () => {
  server.stars.set(KEY, [2]);
  signIn('Arden Vale');
  expect(server.calls).toEqual([]);
  useSession.setState({ admin: { username: 'admin', token: 'token', role: 'owner' } });
  await vi.waitFor(() => expect(stars()).toEqual([2]));
  expect(server.calls).toEqual(['GET /api/stars']);
  // On another device.
  server.stars.set(KEY, [2, 8]);
  window.dispatchEvent(new Event('focus'));
  await vi.waitFor(() => expect(stars()).toEqual([2, 8]));
  // A reading that is answered after a press must not undo it.
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answers = promise;
  readStarsBesideAdmin();
  const late = sent([2, 8]);
  server.answers = null;
  await toggleStar(8);
  applyStars(KEY, late);
  resolve();
  await vi.waitFor(() => expect(server.calls.at(-1)).toBe('DELETE /api/stars/8'));
  expect(stars()).toEqual([2]);
});

test('an answer that is older than the last one is left out, from a call as from a message; one of another history is not', async () => {
  signIn('Arden Vale');
  applyStars(KEY, sent([1]));
  server.stars.set(KEY, [1]);
  const before = sent([1]);
  await toggleStar(4);
  expect(stars()).toEqual([1, 4]);
  applyStars(KEY, before);
  expect(stars()).toEqual([1, 4]);
  // Of the same clock: the message about this very change.
  applyStars(KEY, sent([1, 4], server.clock));
  // From another device, before the answer to a press of this one.
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answers = promise;
  const pressed = toggleStar(5);
  applyStars(KEY, sent([1, 4, 5, 6], server.clock + 2));
  resolve();
  await pressed;
  expect(stars()).toEqual([1, 4, 5, 6]);
  applyStars(KEY, sent([9], 1, 'b'));
  expect(stars()).toEqual([9]);
});

test('presses on several spots do not wait for each other; one on the same spot waits, and fails with the one before', async () => {
  signIn('Arden Vale');
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answers = promise;
  const pressed = [toggleStar(4), toggleStar(5), toggleStar(5)];
  const outcomes = Promise.allSettled(pressed);
  await vi.waitFor(() => expect(server.calls).toHaveLength(2));
  server.isDown = true;
  resolve();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect(server.calls).toEqual([
    'POST /api/stars {"respawn_ids":[4]}',
    'POST /api/stars {"respawn_ids":[5]}',
  ]);
  server.isDown = false;
  await toggleStar(5);
  expect(stars()).toEqual([5]);
});

test('a press is sent also if the page is closed meanwhile', async () => {
  const sentWith: (boolean | undefined)[] = [];
  vi.stubGlobal('fetch', (address: string, options: RequestInit) => {
    sentWith.push(options.keepalive);
    return answer(address, options);
  });
  signIn('Arden Vale');
  await toggleStar(4);
  await toggleStar(4);
  expect(sentWith).toEqual([true, true]);
});

test('a press while another character is chosen is stored for the one who pressed', async () => {
  signIn('Arden Vale');
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answers = promise;
  const pressed = toggleStar(4);
  signIn('Mira Stormcrow');
  expect(stars()).toEqual([]);
  resolve();
  await pressed;
  expect(stars()).toEqual([]);
  signIn('Arden Vale');
  expect(stars()).toEqual([4]);
});

test('a press that the server refuses because the key no longer holds is undone, with that reason', async () => {
  signIn('Arden Vale');
  applyStars(KEY, sent([1]));
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 'session.keyRevoked', error: 'x', params: {} }, { status: 403 }),
  );
  await expect(toggleStar(1)).rejects.toMatchObject({ code: 'session.keyRevoked' });
  expect(stars()).toEqual([1]);
});

test('a browser that blocks its storage shows and changes a character’s stars', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
    setItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
    removeItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  signIn('Nadia Frost');
  applyStars('KEY OF Nadia Frost', sent([1]));
  server.stars.set('KEY OF Nadia Frost', [1]);
  await toggleStar(4);
  expect(stars()).toEqual([1, 4]);
});

test('starred spots move at once for a press, another character and the first stars, not for what other devices do', async () => {
  const revision = () => useStars.getState().revision;
  const raisedBy = async (work: () => unknown): Promise<number> => {
    const before = revision();
    await work();
    return revision() - before;
  };
  expect(await raisedBy(() => signIn('Arden Vale'))).toBe(1);
  expect(await raisedBy(() => applyStars(KEY, sent([1])))).toBe(1);
  expect(await raisedBy(() => applyStars(KEY, sent([1, 2])))).toBe(0);
  server.stars.set(KEY, [1, 2]);
  expect(await raisedBy(() => toggleStar(3))).toBe(1);
  expect(stars()).toEqual([1, 2, 3]);
  server.isDown = true;
  // The press, but not its undoing.
  expect(await raisedBy(() => toggleStar(4).catch(() => {}))).toBe(1);
  expect(stars()).toEqual([1, 2, 3]);
});

test('a change in another tab is applied here, and not undone by the next star', async () => {
  await toggleStar(3);
  localStorage.setItem('starred:', '[3,4]');
  window.dispatchEvent(new StorageEvent('storage'));
  expect(stars()).toEqual([3, 4]);
  localStorage.setItem('starred:', '[3,4,5]');
  await toggleStar(6);
  expect(stars()).toEqual([3, 4, 5, 6]);
});

test('the number of stars is limited: the oldest is removed', async () => {
  for (let id = 1; id <= MAX_STARS + 1; id++) await toggleStar(id);
  expect(stars()).toHaveLength(MAX_STARS);
  expect(stars()[0]).toBe(2);
  expect(JSON.parse(localStorage.getItem('starred:') ?? '')).toHaveLength(MAX_STARS);
});

test.each(['no json', '{}', '["1", null, 2]'])(
  'a stored value of %s deletes nothing else',
  (text) => {
    localStorage.setItem('starred:', text);
    window.dispatchEvent(new StorageEvent('storage'));
    expect(stars().every(Number.isInteger)).toBe(true);
  },
);
