import { act, fireEvent, render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setHasDiscordSignIn } from '../../state/permissions.ts';
import { logoutAll, useSession } from '../../state/session-store.ts';
import { ToastHost } from '../../ui/toast.tsx';
import { LoginPage } from './login-page.tsx';

const TICKET = 't'.repeat(43);
const TOKEN = 'c'.repeat(43);
const calls: { path: string; body: unknown }[] = [];
let answers: Record<string, () => Response> = {};

const ok = (data: unknown) => () => Response.json({ success: true, data });
const refused = (status: number, code: string) => () =>
  Response.json({ error: code, code, params: {} }, { status });

beforeEach(() => {
  calls.length = 0;
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    const path = url.replace('/api', '');
    calls.push({ path, body: JSON.parse(String(body)) });
    return answers[path]?.() ?? Response.error();
  });
  localStorage.clear();
  sessionStorage.clear();
  logoutAll();
  useSession.setState({ status: 'ready', admin: null });
  setHasDiscordSignIn(true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  setHasDiscordSignIn(false);
});

function Address() {
  const { pathname, search, hash } = useLocation();
  return <p data-testid="address">{pathname + search + hash}</p>;
}
function show(hash = '', state: unknown = null): void {
  render(
    <StrictMode>
      <MemoryRouter initialEntries={[{ pathname: '/login', hash, state }]}>
        <Address />
        <Routes>
          <Route path="/login" element={<LoginPage />} />
          <Route path="*" element={null} />
        </Routes>
        <ToastHost />
      </MemoryRouter>
    </StrictMode>,
  );
}
const address = (): string | null => screen.getByTestId('address').textContent;
const link = () => screen.queryByRole('link', { name: 'Continue with Discord' });
const ann = { characterName: 'Ann', memberType: 'elite', accessKey: 'K7QM-2F9A-XW3C' };
const bob = { characterName: 'Bob', memberType: 'member', accessKey: 'K7QM-2F9A-XW3D' };

test('the button is there only while the guild has it', () => {
  show();
  expect(link()?.getAttribute('href')).toBe('/api/discord/sign-in');
  act(() => setHasDiscordSignIn(false));
  expect(link()).toBeNull();
});

test('a ticket signs in all characters, once, and leaves the address', async () => {
  answers = {
    '/discord/sign-in': ok({ discord_name: 'Thora', characters: [ann, bob], connect_token: null }),
  };
  show(`#discord=${TICKET}`);
  expect(address()).toBe('/login');
  expect(await screen.findByText('Login successful! Redirecting...')).toBeTruthy();
  expect(calls).toEqual([{ path: '/discord/sign-in', body: { ticket: TICKET } }]);
  const { profiles, current } = useSession.getState();
  expect([profiles.map(({ characterName }) => characterName), current?.characterName]).toEqual([
    ['Ann', 'Bob'],
    'Ann',
  ]);
});

test('afterwards the page opens that asked for the sign-in, and no other address', async () => {
  answers = {
    '/discord/sign-in': ok({ discord_name: 'Thora', characters: [ann], connect_token: null }),
  };
  for (const [return_to, next] of [
    ['/mine', '/mine'],
    ['//elsewhere.example', '/submit-claims'],
  ] as const) {
    sessionStorage.setItem('discordReturn', JSON.stringify({ return_to }));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(`#discord=${TICKET}`);
    await screen.findByText('Login successful! Redirecting...');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(address()).toBe(next);
    document.body.replaceChildren();
    logoutAll();
  }
});

describe('a Discord user without a character', () => {
  const signInWithKey = async (): Promise<void> => {
    fireEvent.change(screen.getByLabelText('Access key'), { target: { value: ann.accessKey } });
    fireEvent.click(screen.getByRole('button', { name: 'Login' }));
  };
  beforeEach(() => {
    answers = {
      '/discord/sign-in': ok({ discord_name: 'Thora', characters: [], connect_token: TOKEN }),
      '/login': ok({ type: 'user', token: 'x', user: ann }),
      '/discord/connect': ok({ discord_name: 'Thora' }),
    };
  });

  test('says what to do, and connects the next character, once', async () => {
    show(`#discord=${TICKET}`);
    expect(await screen.findByText(/^You're signed in to Discord as Thora/)).toBeTruthy();
    await signInWithKey();
    expect(await screen.findByText('Ann is connected to Discord as Thora.')).toBeTruthy();
    expect(calls.at(-1)).toEqual({
      path: '/discord/connect',
      body: { connect_token: TOKEN, access_key: ann.accessKey },
    });
    expect(sessionStorage.getItem('discordConnect')).toBeNull();
  });

  test('connects no character after Don’t connect', async () => {
    show(`#discord=${TICKET}`);
    fireEvent.click(await screen.findByRole('button', { name: "Don't connect" }));
    expect(screen.queryByText(/^You're signed in to Discord/)).toBeNull();
    await signInWithKey();
    await screen.findByText('Login successful! Redirecting...');
    expect(calls.map(({ path }) => path)).not.toContain('/discord/connect');
  });

  test.each([
    ['an expired token is forgotten', refused(404, 'discord.connectExpired'), /has expired/, false],
    ['one without an answer is kept', () => Response.error(), /^Couldn't connect Discord/, true],
  ])('%s', async (_what, answer, sentence, isKept) => {
    answers['/discord/connect'] = answer;
    show(`#discord=${TICKET}`);
    await screen.findByText(/^You're signed in to Discord/);
    await signInWithKey();
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(sessionStorage.getItem('discordConnect') !== null).toBe(isKept);
  });
});

test.each([
  ['state', /not started in this browser/],
  ['denied', 'You canceled the sign-in at Discord.'],
  ['server', /not in the guild's Discord server/],
  ['expired', /expired or was already used/],
  ['tooMany', /Wait ten minutes/],
  ['failed', /Discord couldn't sign you in/],
  ['invented', /Discord couldn't sign you in/],
])('a refused callback (%s) is explained', (code, sentence) => {
  show(`#discord-error=${code}`);
  expect(screen.getByText(sentence)).toBeTruthy();
  expect([address(), calls]).toEqual(['/login', []]);
});

test('a used ticket is explained', async () => {
  answers = { '/discord/sign-in': refused(404, 'discord.signInExpired') };
  show(`#discord=${TICKET}`);
  expect((await screen.findByRole('alert')).textContent).toMatch(/already used/);
});
