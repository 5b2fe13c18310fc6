import { render, screen } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { removeCookie, writeCookie } from '../../lib/cookies.ts';
import { addProfile, logoutAll, signInAdmin, useSession } from '../../state/session-store.ts';
import { StorageNotice } from './page-frame.tsx';

const PROFILE = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'a-key',
  isVerified: true,
  createdAt: '',
};

/** Using local storage fails. */
function refuseStorage(name: 'SecurityError' | 'QuotaExceededError'): void {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('refused', name);
    },
    removeItem: () => {},
  });
  onTestFinished(() => void vi.unstubAllGlobals());
}
/** As browsers do that block cookies: writing them does nothing. */
function blockCookies(): void {
  const spy = vi.spyOn(document, 'cookie', 'set').mockImplementation(() => {});
  onTestFinished(() => spy.mockRestore());
}
const isShown = (): boolean => {
  render(<StorageNotice />);
  return screen.queryByText('This browser blocks storage') !== null;
};
beforeEach(() => {
  logoutAll();
  useSession.setState({ admin: null });
});

test('a member whose cookie is kept sees no warning, even if local storage is blocked', () => {
  refuseStorage('SecurityError');
  addProfile(PROFILE);
  expect(isShown()).toBe(false);
});

test('a member whose cookie is blocked sees a warning, even if local storage works', () => {
  blockCookies();
  addProfile(PROFILE);
  expect(isShown()).toBe(true);
});

test('a member whose cookie has no room beside others is told so, and what to do', () => {
  writeCookie('other', 'x'.repeat(24_000), 1);
  onTestFinished(() => removeCookie('other'));
  addProfile(PROFILE);
  render(<StorageNotice />);
  expect(screen.getByText("This browser can't keep more characters")).toBeTruthy();
  expect(screen.getByText(/log out of a character you no longer need/)).toBeTruthy();
});

test.each([
  ['SecurityError', true],
  ['QuotaExceededError', false],
] as const)('an admin is told of blocked storage, not of full storage: %s', (name, expected) => {
  refuseStorage(name);
  signInAdmin('a-token', 'admin', 'owner');
  expect(isShown()).toBe(expected);
});
