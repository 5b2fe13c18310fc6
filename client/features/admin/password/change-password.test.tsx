import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { useSession } from '../../../state/session-store.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { showAdmin } from '../test/show-admin.tsx';

beforeEach(() => clearBoard());
afterEach(() => vi.unstubAllGlobals());

const send = 'Change password';
const open = (): void => act(() => openOverlay('changePassword', {}));
const press = async (name: string): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));
const fill = async (label: string, text: string): Promise<void> => {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
};

test('asks for the current password and twice for the new one, keeps input after a refusal, and leads to the login page', async () => {
  let answer = (): Response => refused(403, 'admin.wrongPassword');
  const sent = mockServer({ 'PUT /api/admin/password': () => answer() });
  showAdmin('/admin/dashboard');
  open();
  await screen.findByRole('dialog', { name: 'Change password' });
  await fill('Current password', 'hunting');
  await fill('New password', 'five5');
  await press(send);
  expect(screen.getByRole('alert').textContent).toBe('A password must have 6 to 200 characters.');
  await fill('New password', 'at-night');
  await fill('Repeat new password', 'at-noon');
  await press(send);
  expect(screen.getByRole('alert').textContent).toBe("The passwords don't match.");
  expect(document.activeElement).toBe(screen.getByLabelText('Repeat new password'));
  expect(sent).toHaveLength(0);
  await fill('Repeat new password', 'at-night');
  await press(send);
  expect((await screen.findByRole('alert')).textContent).toBe('That is not your current password.');
  expect(screen.getByLabelText('New password')).toHaveProperty('value', 'at-night');
  answer = () => refused(429, 'request.tooManyTries', { seconds: 42 });
  await press(send);
  expect(
    (await screen.findByText(/Please wait 42 seconds/)).closest('[role="alert"]'),
  ).toBeTruthy();
  answer = () => ok();
  await press(send);
  expect(await screen.findByText('Login page')).toBeTruthy();
  expect(screen.getByText('Password changed. Sign in with the new one.')).toBeTruthy();
  expect(sent.at(-1)?.body).toEqual({ current_password: 'hunting', new_password: 'at-night' });
  expect(useSession.getState()).toMatchObject({ admin: null, ended: [] });
});

test('Escape asks before what was typed is lost', async () => {
  mockServer({});
  showAdmin('/admin/dashboard');
  open();
  await screen.findByRole('dialog', { name: 'Change password' });
  await fill('Current password', 'hunting');
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('alertdialog', { name: 'Discard what you typed?' })).toBeTruthy();
  await press('Discard changes');
  expect(screen.queryByRole('dialog')).toBeNull();
});
