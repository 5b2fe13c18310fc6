import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Overlays } from '../../app.tsx';
import { applySnapshot, clearBoard } from '../../state/board-store.ts';
import { closeOverlay, openOverlay } from '../../state/overlays.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { aConfig } from '../../test/records.ts';
import { ToastHost } from '../../ui/toast.tsx';

const profile = (characterName: string, accessKey: string): Profile => ({
  characterName,
  accessKey,
  memberType: 'member',
  isVerified: true,
  createdAt: '',
});
const arden = profile('Arden Vale', 'ARDENS-KEY');
const mira = profile('Mira Stormcrow', 'MIRAS-KEY');
const NOW = '2026-11-21T18:00:00.000Z';

/** The server's links by key, and the requests it got. */
const links = new Map<
  string,
  { discord_user_id: string; discord_name: string; linked_at: string }
>();
let requests: string[] = [];
let failure: { call: string; status: number; code: string } | null = null;
let codes = 0;

/** What /link in Discord does. */
const linkInDiscord = (key: string, discord_name = 'Thora'): unknown =>
  links.set(key, { discord_user_id: '323456789012345678', discord_name, linked_at: NOW });

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date(NOW) });
  applySnapshot(1, { config: [aConfig({ has_discord_app: 1 })] });
  useSession.setState({ status: 'ready', profiles: [arden], current: arden, admin: null });
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers }: RequestInit) => {
    const key = new Headers(headers).get('X-Access-Key') ?? '';
    const call = `${method} ${path.replace(/\?.*/, '')}`;
    requests.push(`${call} ${key}`);
    if (failure?.call === call)
      return Response.json(
        { error: 'No', code: failure.code, params: {} },
        { status: failure.status },
      );
    if (method === 'DELETE') links.delete(key);
    const expires_at = new Date(Date.now() + 600_000).toISOString();
    const data =
      method === 'POST'
        ? { code: `ABCD234${++codes}`, expires_at }
        : { is_set_up: true, link: links.get(key) ?? null };
    return Response.json(method === 'DELETE' ? { success: true } : { success: true, data });
  });
});
afterEach(() => {
  act(() => closeOverlay('connectDiscord'));
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  clearBoard();
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null });
  links.clear();
  requests = [];
  failure = null;
  codes = 0;
});

async function open(): Promise<void> {
  render(
    <MemoryRouter>
      <Overlays />
      <ToastHost />
    </MemoryRouter>,
  );
  act(() => openOverlay('connectDiscord', {}));
  await screen.findByRole('dialog', { name: 'Connect Discord' });
}
const user = () => userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
const press = async (name: string | RegExp): Promise<void> =>
  user().click(await screen.findByRole('button', { name }));
const pass = (ms: number): Promise<void> =>
  act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const state = (): string | null | undefined =>
  screen.getByRole('region', { name: 'Arden Vale' }).querySelector('[role="status"]')?.textContent;

test('shows a large code at once, with the command to send and the remaining time, and can be copied', async () => {
  await open();
  expect(await screen.findByText('ABCD2341')).toBeTruthy();
  expect(screen.getByText('/link code:ABCD2341')).toBeTruthy();
  expect(state()).toBe("Waiting for Discord. This window updates when you're connected.");
  expect(screen.getByRole('timer').textContent).toMatch(/^Valid for (10:00|9:59)$/);
  await pass(75_000);
  expect(screen.getByRole('timer').textContent).toMatch(/^Valid for 8:4\d$/);
  const copy = screen.getByRole('button', { name: 'Copy code' });
  expect(document.activeElement).toBe(copy);
  await press('Copy command');
  expect(await navigator.clipboard.readText()).toBe('/link code:ABCD2341');
  await user().click(copy);
  expect(await navigator.clipboard.readText()).toBe('ABCD2341');
});

test('says who is connected as soon as the code was used, and keeps the focus', async () => {
  await open();
  await screen.findByText('ABCD2341');
  linkInDiscord('ARDENS-KEY');
  await pass(2_100);
  await waitFor(() => expect(state()).toBe('Connected as Thora'));
  expect(screen.queryByText('ABCD2341')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Connected as Thora');
  expect(screen.getByText(/^Since 21 Nov 2026\./)).toBeTruthy();
});

test('offers a new code when one has expired', async () => {
  await open();
  await screen.findByText('ABCD2341');
  await pass(601_000);
  expect(state()).toBe('The code has expired.');
  expect(screen.queryByText('ABCD2341')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Get new code');
  await press('Get new code: Arden Vale');
  expect(await screen.findByText('ABCD2342')).toBeTruthy();
  expect(screen.getByRole('timer').textContent).toMatch(/^Valid for (10:00|9:59)$/);
});

test('a connected character is disconnected after a question, and gets no code until requested', async () => {
  linkInDiscord('ARDENS-KEY');
  await open();
  await waitFor(() => expect(state()).toBe('Connected as Thora'));
  expect(requests).toEqual(['GET /api/discord/links ARDENS-KEY']);
  await press('Disconnect: Arden Vale');
  const question = await screen.findByRole('alertdialog', {
    name: 'Disconnect Arden Vale from Discord?',
  });
  await pass(50);
  expect(question.textContent).toContain('Thora can no longer claim for Arden Vale');
  failure = { call: 'DELETE /api/discord/links', status: 503, code: 'server.stopping' };
  await user().click(within(question).getByRole('button', { name: 'Disconnect' }));
  expect((await within(question).findByRole('alert')).textContent).not.toBe('');
  failure = null;
  await user().click(within(question).getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(state()).toBe('Not connected to Discord'));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Not connected to Discord'));
  expect(links.size).toBe(0);
  expect(codes).toBe(0);
  await press('Get code: Arden Vale');
  expect(await screen.findByText('ABCD2341')).toBeTruthy();
});

test('follows a link that ended in Discord', async () => {
  linkInDiscord('ARDENS-KEY');
  await open();
  await waitFor(() => expect(state()).toBe('Connected as Thora'));
  links.clear();
  await pass(15_100);
  await waitFor(() => expect(state()).toBe('Not connected to Discord'));
});

test('the other characters of the browser get a code on request, by their own keys', async () => {
  useSession.setState({ profiles: [arden, mira] });
  await open();
  await screen.findByText('ABCD2341');
  await press('Get code: Mira Stormcrow');
  const hers = screen.getByRole('region', { name: 'Mira Stormcrow' });
  expect(await within(hers).findByText('ABCD2342')).toBeTruthy();
  expect(requests.filter((each) => each.startsWith('POST'))).toEqual([
    'POST /api/discord/link-code ARDENS-KEY',
    'POST /api/discord/link-code MIRAS-KEY',
  ]);
});

test('a failure to load or create says why and offers a retry', async () => {
  failure = { call: 'GET /api/discord/links', status: 503, code: 'server.stopping' };
  await open();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain("Couldn't load the connection to Discord");
  failure = { call: 'POST /api/discord/link-code', status: 429, code: 'discord.notSetUp' };
  await user().click(within(alert).getByRole('button', { name: 'Try again' }));
  expect((await screen.findByText("Couldn't create a code")).parentElement?.textContent).toContain(
    'The Discord app is not set up.',
  );
  failure = null;
  await press('Get code: Arden Vale');
  expect(await screen.findByText('ABCD2341')).toBeTruthy();
});

test('says that the app was removed, and closes with the last character', async () => {
  applySnapshot(1, { config: [aConfig()] });
  await open();
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The Discord app is no longer set up. Ask an admin.',
  );
  await waitFor(() => expect(state()).toBe('Not connected to Discord'));
  expect(screen.queryByRole('button', { name: /code/ })).toBeNull();
  act(() => useSession.setState({ profiles: [], current: null }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
