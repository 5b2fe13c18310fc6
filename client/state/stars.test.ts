import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_STARS, withStars } from '../../shared/rules/stars.ts';
import { ApiError } from '../api/request.ts';
import type { Profile } from './saved-sessions.ts';
import { useSession } from './session-store.ts';
import { applyStars, followStars, toggleStar, useStars } from './stars.ts';

const profile = (characterName: string): Profile => ({
  characterName,
  memberType: 'member',
  accessKey: `KEY OF ${characterName}`,
  isVerified: true,
  createdAt: '',
});
const signIn = (name: string | null): void => useSession.setState({ current: name === null ? null : profile(name) });
const stars = (): number[] => [...useStars.getState().ids];
const KEY = 'KEY OF Arden Vale';

/** The mocked server: the stars of each key, the calls it got, and whether it can be reached. */
const server = { stars: new Map<string, number[]>(), calls: [] as string[], isDown: false, answers: null as Promise<void> | null };

async function answer(address: string, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> {
  const [path = ''] = address.split('?');
  const key = new Headers(headers).get('X-Access-Key') ?? '';
  server.calls.push(`${method} ${path}${typeof body === 'string' ? ` ${body}` : ''}`);
  await server.answers;
  if (server.isDown) throw new TypeError('Failed to fetch');
  const before = server.stars.get(key) ?? [];
  const id = Number(path.split('/').at(-1));
  const after = method === 'POST' ? withStars(before, JSON.parse(String(body)).respawn_ids) : before.filter((one) => one !== id);
  server.stars.set(key, after);
  return Response.json({ success: true, data: after });
}

let stop: () => void;
beforeEach(() => {
  localStorage.clear();
  Object.assign(server, { stars: new Map(), calls: [], isDown: false, answers: null });
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
  expect(server.calls).toEqual(['POST /api/stars {"respawn_ids":[7]}', 'POST /api/stars {"respawn_ids":[9]}', 'DELETE /api/stars/7']);
  expect(server.stars.get(KEY)).toEqual([9]);
  signIn('Mira Stormcrow');
  expect(stars()).toEqual([]);
  signIn(null);
  expect(stars()).toEqual([3]);
  expect(localStorage.getItem('starred:')).toBe('[3]');
});

test('the board is in order at once: a character’s stars are shown as last known, then as the server sends them', () => {
  signIn('Arden Vale');
  applyStars(KEY, [5, 2]);
  signIn(null);
  signIn('arden  vale');
  expect(stars()).toEqual([5, 2]);
  // The connection of the character that was in use before.
  applyStars('KEY OF Mira Stormcrow', [8]);
  expect(stars()).toEqual([5, 2]);
  applyStars('KEY OF arden  vale', [2]);
  expect(stars()).toEqual([2]);
});

test('a star is shown before the server answers, whatever it sends meanwhile', async () => {
  signIn('Arden Vale');
  applyStars(KEY, [1]);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answers = promise;
  server.stars.set(KEY, [1]);
  const toggled = [toggleStar(4), toggleStar(1)];
  expect(stars()).toEqual([4]);
  applyStars(KEY, [1, 6]);
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
  applyStars(KEY, [1]);
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

test('stars that a browser has of a character are moved to the server once, and only then removed here', async () => {
  localStorage.setItem('starred:arden vale', '[3,4]');
  server.isDown = true;
  signIn('Arden Vale');
  expect(stars()).toEqual([3, 4]);
  applyStars(KEY, [9]);
  await vi.waitFor(() => expect(server.calls).toEqual(['POST /api/stars {"respawn_ids":[3,4]}']));
  await expect(toggleStar(5)).rejects.toThrow(ApiError);
  expect(localStorage.getItem('starred:arden vale')).toBe('[3,4]');
  expect(stars()).toEqual([9, 3, 4]);

  Object.assign(server, { isDown: false, calls: [] });
  server.stars.set(KEY, [9]);
  applyStars(KEY, [9]);
  applyStars(KEY, [9]);
  await vi.waitFor(() => expect(localStorage.getItem('starred:arden vale')).toBeNull());
  expect(stars()).toEqual([9, 3, 4]);
  applyStars(KEY, [9, 3, 4]);
  await toggleStar(3);
  expect(server.calls).toEqual(['POST /api/stars {"respawn_ids":[3,4]}', 'DELETE /api/stars/3']);
  expect([stars(), server.stars.get(KEY)]).toEqual([
    [9, 4],
    [9, 4],
  ]);
});

test('a star removed before the others were moved stays removed', async () => {
  localStorage.setItem('starred:arden vale', '[3,4]');
  signIn('Arden Vale');
  await toggleStar(4);
  expect([stars(), server.stars.get(KEY)]).toEqual([[3], [3]]);
  expect(localStorage.getItem('starred:arden vale')).toBeNull();
});

test('an admin reads the stars of the character in use, since its connection is not sent them', async () => {
  server.stars.set(KEY, [2]);
  signIn('Arden Vale');
  expect(server.calls).toEqual([]);
  useSession.setState({ admin: { username: 'admin', token: 'token', role: 'owner' } });
  await vi.waitFor(() => expect(stars()).toEqual([2]));
  expect(server.calls).toEqual(['GET /api/stars']);
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

test.each(['no json', '{}', '["1", null, 2]'])('a stored value of %s deletes nothing else', (text) => {
  localStorage.setItem('starred:', text);
  window.dispatchEvent(new StorageEvent('storage'));
  expect(stars().every(Number.isInteger)).toBe(true);
});
