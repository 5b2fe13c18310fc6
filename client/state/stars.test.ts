import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Profile } from './saved-sessions.ts';
import { useSession } from './session-store.ts';
import { followStars, MAX_STARS, toggleStar, useStars } from './stars.ts';

const profile = (characterName: string): Profile => ({
  characterName,
  memberType: 'member',
  accessKey: characterName,
  isVerified: true,
  createdAt: '',
});
const signIn = (name: string | null): void => useSession.setState({ current: name === null ? null : profile(name) });
const stars = (): number[] => [...useStars.getState().ids];

let stop: () => void;
beforeEach(() => {
  localStorage.clear();
  signIn(null);
  stop = followStars();
});
afterEach(() => stop());

test('a star stays in the browser, for each character apart, and for who has none', () => {
  toggleStar(3);
  signIn('Arden Vale');
  expect(stars()).toEqual([]);
  toggleStar(7);
  toggleStar(9);
  toggleStar(7);
  expect(stars()).toEqual([9]);
  signIn('arden  vale');
  expect(stars()).toEqual([9]);
  signIn(null);
  expect(stars()).toEqual([3]);
});

test('a change in another tab is applied here, and not undone by the next star', () => {
  toggleStar(3);
  localStorage.setItem('starred:', '[3,4]');
  window.dispatchEvent(new StorageEvent('storage'));
  expect(stars()).toEqual([3, 4]);
  localStorage.setItem('starred:', '[3,4,5]');
  toggleStar(6);
  expect(stars()).toEqual([3, 4, 5, 6]);
});

test('the number of stars is limited: the oldest is removed', () => {
  for (let id = 1; id <= MAX_STARS + 1; id++) toggleStar(id);
  expect(stars()).toHaveLength(MAX_STARS);
  expect(stars()[0]).toBe(2);
  expect(JSON.parse(localStorage.getItem('starred:') ?? '')).toHaveLength(MAX_STARS);
});

test.each(['no json', '{}', '["1", null, 2]'])('a stored value of %s deletes nothing else', (stored) => {
  localStorage.setItem('starred:', stored);
  window.dispatchEvent(new StorageEvent('storage'));
  expect(stars().every(Number.isInteger)).toBe(true);
});
