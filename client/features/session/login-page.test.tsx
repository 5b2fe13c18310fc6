import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keptRequestIn } from '../../lib/claim-request.ts';
import { logoutAll, useSession } from '../../state/session-store.ts';
import { LoginPage } from './login-page.tsx';

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
const answer = (status: number, body: unknown): void => {
  fetched.mockImplementation(async () => new Response(JSON.stringify(body), { status }));
};
const sentBody = (): unknown => JSON.parse(String(fetched.mock.lastCall?.[1].body));

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
  localStorage.clear();
  logoutAll();
  useSession.setState({ status: 'ready', admin: null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Elsewhere() {
  const { pathname, search, state } = useLocation();
  return (
    <>
      <p>at {pathname + search}</p>
      <p>for {keptRequestIn(state)}</p>
    </>
  );
}
function show(path: string, state?: unknown): void {
  const [pathname = '', search = ''] = path.split('?');
  render(
    <MemoryRouter initialEntries={[{ pathname, search, state }]}>
      <Routes>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/admin/login" element={<LoginPage />} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </MemoryRouter>,
  );
}
const button = (): HTMLElement => screen.getByRole('button', { name: 'Login' });

describe('which login is selected', () => {
  test.each(['/login', '/login?type=user', '/login?type=access-key'])(
    '%s: the access key',
    (path) => {
      show(path);
      expect(screen.getByRole('radio', { name: 'Access Key' })).toHaveProperty('checked', true);
    },
  );

  test('/admin/login: the admin, with the cursor in the first field', async () => {
    show('/admin/login');
    expect(screen.getByRole('radio', { name: 'Admin Login' })).toHaveProperty('checked', true);
    await act(async () => {});
    expect(document.activeElement).toBe(screen.getByLabelText('Username'));
  });

  test('the other can be chosen', async () => {
    show('/login');
    await userEvent.click(screen.getByRole('radio', { name: 'Admin Login' }));
    expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('current-password');
    expect(screen.getByLabelText('Username').getAttribute('autocomplete')).toBe('username');
  });
});

describe('with an access key', () => {
  test('an empty key is required, and nothing is sent', async () => {
    show('/login');
    await userEvent.type(screen.getByLabelText('Access key'), '   ');
    await userEvent.click(button());
    expect(screen.getByRole('alert').textContent).toBe('Access key is required');
    expect(fetched).not.toHaveBeenCalled();
  });

  test('a pasted one is tidied; the profile is stored, and a second later the form opens', async () => {
    vi.useFakeTimers();
    answer(200, {
      success: true,
      data: {
        type: 'user',
        token: 'x',
        user: { characterName: 'Riley Ashdown', memberType: 'elite' },
      },
    });
    show('/login');
    fireEvent.change(screen.getByLabelText('Access key'), {
      target: { value: '  k7qm 2f9a–xw3c ' },
    });
    fireEvent.click(button());
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(sentBody()).toEqual({ accessKey: 'K7QM-2F9A-XW3C' });
    expect(screen.getByText('Login successful! Redirecting...')).toBeTruthy();
    expect(useSession.getState().current).toMatchObject({
      characterName: 'Riley Ashdown',
      memberType: 'elite',
      accessKey: 'K7QM-2F9A-XW3C',
    });
    act(() => vi.advanceTimersByTime(999));
    expect(screen.queryByText('at /submit-claims')).toBeNull();
    act(() => vi.advanceTimersByTime(1));
    expect(screen.getByText('at /submit-claims')).toBeTruthy();
  });

  test.each([
    [
      { requested_claim: '?respawn=5&date=2026-11-21&hour=14' },
      '/submit-claims?respawn=5&date=2026-11-21&hour=14',
    ],
    [{ requested_claim: '//elsewhere.example/' }, '/submit-claims?//elsewhere.example/'],
    [{ requested_claim: 7 }, '/submit-claims'],
  ])(
    'a visitor’s selection is in the form afterwards, and no other address is followed: %j',
    async (state, address) => {
      vi.useFakeTimers();
      answer(200, {
        success: true,
        data: {
          type: 'user',
          token: 'x',
          user: { characterName: 'Riley Ashdown', memberType: 'elite' },
        },
      });
      show('/login', state);
      fireEvent.change(screen.getByLabelText('Access key'), {
        target: { value: 'K7QM-2F9A-XW3C' },
      });
      fireEvent.click(button());
      await act(() => vi.advanceTimersByTimeAsync(0));
      act(() => vi.advanceTimersByTime(1000));
      expect(screen.getByText(`at ${address}`)).toBeTruthy();
    },
  );

  test.each([
    [{ return_to: '/mine?wait=5' }, '/mine?wait=5'],
    [{ return_to: '//elsewhere.example' }, '/submit-claims'],
    // Of the other kind of session: a member has no dashboard.
    [{ return_to: '/admin/dashboard/keys' }, '/submit-claims'],
  ])('someone who asked for a page before is brought back there: %j', async (state, address) => {
    vi.useFakeTimers();
    answer(200, {
      success: true,
      data: {
        type: 'user',
        token: 'x',
        user: { characterName: 'Riley Ashdown', memberType: 'elite' },
      },
    });
    show('/login', state);
    fireEvent.change(screen.getByLabelText('Access key'), { target: { value: 'K7QM-2F9A-XW3C' } });
    fireEvent.click(button());
    await act(() => vi.advanceTimersByTimeAsync(0));
    act(() => vi.advanceTimersByTime(1000));
    expect(screen.getByText(`at ${address}`)).toBeTruthy();
  });

  test('a visitor without a key continues to the verification and keeps the requested claim', async () => {
    show('/login', { requested_claim: '?respawn=5&date=2026-11-21&hour=14' });
    await userEvent.click(screen.getByRole('link', { name: 'Verify Character' }));
    expect(screen.getByText('at /verify')).toBeTruthy();
    expect(screen.getByText('for ?respawn=5&date=2026-11-21&hour=14')).toBeTruthy();
  });

  test('a wrong one is refused and kept', async () => {
    answer(401, { error: 'Invalid access key', code: 'session.invalidKey', params: {} });
    show('/login');
    await userEvent.type(screen.getByLabelText('Access key'), 'wrong');
    await userEvent.click(button());
    expect((await screen.findByRole('alert')).textContent).toBe('Invalid access key');
    expect(screen.getByLabelText('Access key')).toHaveProperty('value', 'wrong');
  });

  test('can be looked at', async () => {
    show('/login');
    await userEvent.click(screen.getByRole('button', { name: 'Show access key' }));
    expect(screen.getByLabelText('Access key').getAttribute('type')).toBe('text');
  });
});

describe('as an admin', () => {
  const fill = async (username: string, password: string): Promise<void> => {
    if (username) await userEvent.type(screen.getByLabelText('Username'), username);
    if (password) await userEvent.type(screen.getByLabelText('Password'), password);
    await userEvent.click(button());
  };

  test('both fields are required', async () => {
    show('/admin/login');
    await fill('admin', '');
    expect(screen.getByRole('alert').textContent).toBe('Username and password are required');
  });

  test('a password of fewer than six signs is none, and nothing is sent', async () => {
    show('/admin/login');
    await fill('admin', 'five5');
    expect(screen.getByRole('alert').textContent).toBe(
      'The password must have at least 6 characters.',
    );
    expect(fetched).not.toHaveBeenCalled();
  });

  test('signs in, and a second later the dashboard opens', async () => {
    vi.useFakeTimers();
    answer(200, {
      success: true,
      data: { type: 'admin', token: 'secret', user: { username: 'Thora', role: 'moderator' } },
    });
    show('/admin/login');
    fireEvent.change(screen.getByLabelText('Username'), { target: { value: 'Thora' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret1' } });
    fireEvent.click(button());
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(screen.getByText('Admin login successful! Redirecting...')).toBeTruthy();
    expect(useSession.getState().admin).toEqual({
      username: 'Thora',
      token: 'secret',
      role: 'moderator',
    });
    act(() => vi.advanceTimersByTime(1000));
    expect(screen.getByText('at /admin/dashboard')).toBeTruthy();
  });

  test.each([
    ['a wrong password', 401, 'session.wrongLogin', {}, 'Invalid username or password'],
    [
      'too many tries',
      429,
      'request.tooManyTries',
      { seconds: 42 },
      'Too many attempts. Please wait 42 seconds.',
    ],
    ['a failure of the server', 500, 'server.failed', {}, 'An error occurred. Please try again.'],
  ])('%s is explained', async (_what, status, code, params, sentence) => {
    answer(status, { error: 'x', code, params });
    show('/admin/login');
    await fill('admin', 'nope99');
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  });

  // Section 7: "Failure shows the error text, else 'Login failed'."
  test.each([
    [{ error: 'The tavern is closed', message: 'never' }, 'The tavern is closed'],
    [{ message: 'The tavern is closed' }, 'The tavern is closed'],
    [{ error: '', code: 'gate.closed' }, 'Login failed'],
    [{}, 'Login failed'],
  ])('another server’s %j shows %j', async (body, sentence) => {
    answer(503, body);
    show('/admin/login');
    await fill('admin', 'nope99');
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  });

  test('a network failure is reported', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    show('/admin/login');
    await fill('admin', 'nope99');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Network error. Please check your connection.',
    );
  });
});
