import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setCredentials } from '../../api/request.ts';
import { logoutAll, useSession } from '../../state/session-store.ts';
import { InvitePage } from './invite-page.tsx';

const TOKEN = 'kT5_secret-of-the-link';
const invitation = {
  username: 'Bram Oakes',
  role: 'moderator',
  expires_at: '2026-11-28T18:00:00.000Z',
};
const ok = (data: unknown): Response => Response.json({ success: true, data });
const refused = (status: number, code: string, params: object = {}): Response =>
  Response.json({ error: code, code, params }, { status });

/** Every address and body that the page sent. */
const sent: { path: string; body: unknown }[] = [];
let answers: { look: () => Response; accept: () => Response };

beforeEach(() => {
  sent.length = 0;
  answers = {
    look: () => ok(invitation),
    accept: () =>
      ok({ type: 'admin', token: 'session', user: { username: 'Bram Oakes', role: 'moderator' } }),
  };
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    sent.push({ path, body: JSON.parse(String(body)) });
    return path.endsWith('/look') ? answers.look() : answers.accept();
  });
  localStorage.clear();
  useSession.setState({ status: 'ready' });
});
afterEach(async () => {
  cleanup();
  useSession.setState({ admin: null });
  logoutAll();
  // Signing out refetches the queries on the screen; by now there are none.
  await new Promise((resolve) => setTimeout(resolve));
  vi.unstubAllGlobals();
});

function Elsewhere() {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}
const open = (): unknown =>
  render(
    <MemoryRouter initialEntries={[`/invite#${TOKEN}`]}>
      <Routes>
        <Route path="/invite" element={<InvitePage />} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </MemoryRouter>,
  );
const accept = async (password: string, again = password): Promise<void> => {
  await userEvent.type(await screen.findByLabelText('Password'), password);
  await userEvent.type(screen.getByLabelText('Repeat password'), again);
  await userEvent.click(screen.getByRole('button', { name: 'Accept and sign in' }));
};

test('shows role, expiry and name to an invited person, who cannot change the name', async () => {
  open();
  expect(screen.getByText('Loading…')).toBeTruthy();
  expect(
    await screen.findByText(/^Bram Oakes, the guild invites you to be a moderator of its board/),
  ).toBeTruthy();
  expect(screen.getByText(/^This link works once, until .*2026/)).toBeTruthy();
  expect(screen.getByLabelText('Your name')).toMatchObject({
    value: 'Bram Oakes',
    readOnly: true,
    autocomplete: 'username',
  });
  expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('new-password');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
});

test('with a password they are signed in and on the dashboard', async () => {
  open();
  await accept('hunting-at-night');
  expect(await screen.findByText('at /admin/dashboard')).toBeTruthy();
  expect(sent.at(-1)).toEqual({
    path: '/api/invitations/accept',
    body: { token: TOKEN, password: 'hunting-at-night' },
  });
  expect(useSession.getState().admin).toEqual({
    username: 'Bram Oakes',
    token: 'session',
    role: 'moderator',
  });
});

test('the link’s token is in no title and in no requested address', async () => {
  open();
  await screen.findByLabelText('Password');
  expect(document.title).toBe('You are invited · Claimboard');
  expect(sent).toEqual([{ path: '/api/invitations/look', body: { token: TOKEN } }]);
});

test.each([
  ['five5', 'five5', 'A password must have 6 to 200 characters.', 'Password'],
  ['hunting-at-night', 'hunting-at-nihgt', "The passwords don't match.", 'Repeat password'],
])(
  '%s and %s: nothing is sent, and the field says why',
  async (password, again, sentence, field) => {
    open();
    await accept(password, again);
    expect(screen.getByRole('alert').textContent).toBe(sentence);
    expect(document.activeElement).toBe(screen.getByLabelText(field));
    expect(sent).toHaveLength(1);
  },
);

test('a used, withdrawn or expired link explains the next step', async () => {
  answers.look = () => refused(404, 'invitation.notFound');
  open();
  expect(
    await screen.findByRole('heading', { level: 1, name: 'This invitation is no longer valid' }),
  ).toBeTruthy();
  expect(screen.getByText(/ask for a new link/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Admin Login' }).getAttribute('href')).toBe(
    '/admin/login',
  );
});

test('an invitation used while the form is open says so', async () => {
  answers.accept = () => refused(404, 'invitation.notFound');
  open();
  await accept('hunting-at-night');
  expect(
    await screen.findByRole('heading', { name: 'This invitation is no longer valid' }),
  ).toBeTruthy();
});

test.each([
  [
    () => refused(409, 'admin.nameExists', { name: 'Bram Oakes' }),
    'There is already an admin named Bram Oakes.',
  ],
  [() => refused(500, 'server.failed'), "Couldn't accept the invitation. Please try again."],
])('another refusal stays in the form, which keeps the input', async (answer, sentence) => {
  answers.accept = answer;
  open();
  await accept('hunting-at-night');
  expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  expect(screen.getByLabelText('Repeat password')).toHaveProperty('value', 'hunting-at-night');
});

test('without a network it says so, and looks again by a press and as soon as the network is back', async () => {
  const away = (): never => {
    throw new TypeError('Failed to fetch');
  };
  answers.look = away;
  open();
  expect(
    await screen.findByRole('heading', { name: "Couldn't check the invitation" }),
  ).toBeTruthy();
  expect(
    screen.getByText(/^Network error. Please check your connection. You can still use/),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(
    await screen.findByRole('heading', { name: "Couldn't check the invitation" }),
  ).toBeTruthy();
  answers.look = () => ok(invitation);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByLabelText('Password')).toBeTruthy();
});

test('a typed password stays when another tab signs a character in, and when the link cannot be read again', async () => {
  open();
  await userEvent.type(await screen.findByLabelText('Password'), 'hunting');
  answers.look = () => refused(503, 'server.stopping');
  act(() => setCredentials({ access_key: 'ARDENS-KEY', admin_token: null }));
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(sent.length).toBeGreaterThan(1));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'hunting');
});

test('an admin who is signed in reads that this browser switches to the new name', async () => {
  useSession.setState({ admin: { username: 'Thora', token: 'T', role: 'owner' } });
  open();
  expect(await screen.findByText(/^Thora is signed in here\./)).toBeTruthy();
});
