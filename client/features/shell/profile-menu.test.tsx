import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applySnapshot, clearBoard } from '../../state/board-store.ts';
import { closeOverlay, isOverlayOpen } from '../../state/overlays.ts';
import { addProfile, logoutAll, useSession } from '../../state/session-store.ts';
import { aConfig } from '../../test/records.ts';
import { ProfileMenu } from './navbar.tsx';

const profile = (characterName: string) => ({
  characterName,
  memberType: 'elite',
  accessKey: `KEY-${characterName.slice(0, 4).toUpperCase()}`,
  isVerified: true,
  createdAt: '2026-11-01T00:00:00Z',
});

beforeEach(() => {
  useSession.setState({ status: 'ready' });
  render(
    <MemoryRouter>
      <ProfileMenu />
    </MemoryRouter>,
  );
});
afterEach(() => {
  vi.useRealTimers();
  act(logoutAll);
  useSession.setState({ admin: null });
});

async function open(): Promise<void> {
  await userEvent.click(screen.getByRole('button'));
  await screen.findByRole('menu');
}
const entries = (): (string | null)[] =>
  [...screen.getByRole('menu').querySelectorAll('[role^="menuitem"]')].map(
    (entry) => entry.textContent,
  );

test('without a user it offers to verify and to log in', async () => {
  await open();
  expect(entries()).toEqual(['Verify Character', 'Login']);
});

test('a member sees character, type and key, and can add a character or log out', async () => {
  act(() => addProfile(profile('Riley Ashdown')));
  expect(screen.getByRole('button').textContent).toBe('Riley Ashdownelite');
  await open();
  expect(entries()).toEqual([
    '•••-••••Access keyShow access key',
    'Copy access key',
    'Notifications',
    'Calendar',
    'Statistics',
    'Add Another Character',
    'Login',
    'Logout',
  ]);
  expect(screen.getByRole('menuitem', { name: 'Add Another Character' }).getAttribute('href')).toBe(
    '/verify',
  );
});

test('a member can connect Discord where the guild has an app', async () => {
  act(() => addProfile(profile('Riley Ashdown')));
  act(() => applySnapshot(1, { config: [aConfig({ has_discord_app: 1 })] }));
  await open();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Connect Discord' }));
  expect(isOverlayOpen('connectDiscord')).toBe(true);
  closeOverlay('connectDiscord');
  act(clearBoard);
});

test('the key is hidden until shown, and can be hidden again', async () => {
  act(() => addProfile(profile('Riley Ashdown')));
  await open();
  expect(screen.getByRole('menu').textContent).not.toContain('KEY-RILE');
  await userEvent.click(screen.getByRole('menuitem', { name: /Show access key/ }));
  expect(screen.getByRole('menuitem', { name: /Hide access key/ }).textContent).toContain(
    'KEY-RILE',
  );
  await userEvent.click(screen.getByRole('menuitem', { name: /Hide access key/ }));
  expect(screen.getByRole('menu').textContent).not.toContain('KEY-RILE');
});

test('copying the key is confirmed for two seconds, and the menu stays open', async () => {
  const user = userEvent.setup();
  act(() => addProfile(profile('Riley Ashdown')));
  await user.click(screen.getByRole('button'));
  await screen.findByRole('menu');
  vi.useFakeTimers();
  fireEvent.click(screen.getByRole('menuitem', { name: /Copy access key/ }));
  await act(() => vi.advanceTimersByTimeAsync(0));
  await act(() => vi.advanceTimersByTimeAsync(1999));
  expect(screen.getByText('Copied')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe('KEY-RILE');
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.queryByText('Copied')).toBeNull();
  expect(screen.getByRole('menu')).toBeTruthy();
});

test('with several profiles one can switch, leave one, or leave all', async () => {
  act(() => addProfile(profile('Old Bram')));
  act(() => addProfile(profile('Riley Ashdown')));
  await open();
  expect(
    screen.getByRole('menuitemradio', { name: 'Riley Ashdown' }).getAttribute('aria-checked'),
  ).toBe('true');
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Old Bram' }));
  expect(screen.getByRole('button').textContent).toContain('Old Bram');
  await open();
  expect(entries()).toContain('Logout Old Bram');
  await userEvent.click(screen.getByRole('menuitem', { name: 'Logout All Profiles' }));
  expect(screen.getByRole('button').textContent).toBe('Login');
});

test('an admin can log out as admin', async () => {
  act(() => useSession.setState({ admin: { username: 'thora', token: 't', role: 'owner' } }));
  expect(screen.getByRole('button').textContent).toBe('thoraAdmin');
  await open();
  expect(entries()).toEqual([
    'Statistics',
    'Verify Character',
    'Login',
    'Change password',
    'Admin Logout',
  ]);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Change password' }));
  expect(isOverlayOpen('changePassword')).toBe(true);
  closeOverlay('changePassword');
});
