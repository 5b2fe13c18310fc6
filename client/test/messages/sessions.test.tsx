import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, vi } from 'vitest';
import { LoginPage } from '../../features/session/login-page.tsx';
import { VerifyPage } from '../../features/session/verify/verify-page.tsx';
import { SessionEnded } from '../../features/shell/page-frame.tsx';
import { readCookies, removeCookie } from '../../lib/cookies.ts';
import { rememberProfile } from '../../state/saved-sessions.ts';
import { logoutAll, startSession, useSession } from '../../state/session-store.ts';
import { appears } from './appears.ts';

beforeEach(() => {
  localStorage.clear();
  for (const name of readCookies().keys()) removeCookie(name);
  useSession.setState({ status: 'ready', profiles: [], current: null, admin: null, ended: [] });
});
afterEach(() => {
  logoutAll();
  useSession.setState({ admin: null });
  vi.unstubAllGlobals();
});

const answer = (status: number, body: object): void =>
  void vi.stubGlobal('fetch', async () =>
    Response.json({ error: 'x', params: {}, ...body }, { status }),
  );
const refuse = (status: number, code: string): void => answer(status, { code });

/** The page, below what it says of sessions that ended. */
function show(path: string): void {
  render(
    <MemoryRouter initialEntries={[path]}>
      <SessionEnded />
      <Routes>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/admin/login" element={<LoginPage />} />
        <Route path="/verify" element={<VerifyPage />} />
        <Route path="*" element={null} />
      </Routes>
    </MemoryRouter>,
  );
}
const enter = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });
const login = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Login' }));

function loginWithKey(): void {
  show('/login');
  enter('Access key', 'K7QM-2F9A-XW3C');
  login();
}
function loginAsAdmin(): void {
  show('/admin/login');
  enter('Username', 'Thora');
  enter('Password', 'secret1');
  login();
}
/** The start of the app with a key or a token that was saved before. */
async function startWithKey(): Promise<void> {
  rememberProfile({
    characterName: 'Arden Vale',
    memberType: 'member',
    accessKey: 'KEY',
    isVerified: true,
    createdAt: '',
  });
  show('/');
  await startSession();
}
async function startWithToken(): Promise<void> {
  localStorage.setItem('adminToken', 'TOKEN');
  show('/admin/login');
  await startSession();
}

appears('sessions', {
  'shell.sessionEnded.token': () => {
    refuse(401, 'session.expired');
    return startWithToken();
  },
  'shell.sessionEnded.key': () => {
    refuse(403, 'session.keyRevoked');
    return startWithKey();
  },
  'errors.session.expired': () => {
    refuse(401, 'session.expired');
    return startWithToken();
  },
  'errors.session.wrongLogin': () => {
    refuse(401, 'session.wrongLogin');
    loginAsAdmin();
  },
  'errors.session.adminOnly': () => {
    refuse(403, 'session.adminOnly');
    return startWithToken();
  },
  'errors.session.required': () => {
    refuse(401, 'session.required');
    return startWithKey();
  },
  'errors.session.invalidKey': () => {
    refuse(401, 'session.invalidKey');
    loginWithKey();
  },
  'login.failed': () => {
    answer(500, { error: '' });
    loginAsAdmin();
  },
  'errors.server.failed': () => {
    refuse(500, 'server.failed');
    show('/verify');
  },
  'errors.network.failed': () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    loginWithKey();
  },
  'login.adminSuccess': () => {
    answer(200, { data: { type: 'admin', token: 'T', user: { username: 'Thora' } } });
    loginAsAdmin();
  },
  'login.keySuccess': () => {
    answer(200, {
      data: {
        type: 'user',
        token: 'T',
        user: { characterName: 'Arden Vale', memberType: 'member' },
      },
    });
    loginWithKey();
  },
});
