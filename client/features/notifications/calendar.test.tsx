import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Overlays } from '../../app.tsx';
import { changeLanguage } from '../../i18n.ts';
import { closeOverlay, openOverlay } from '../../state/overlays.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';

const profile = (characterName: string, accessKey: string): Profile => ({
  characterName,
  accessKey,
  memberType: 'member',
  isVerified: true,
  createdAt: '',
});
const arden = profile('Arden Vale', 'ARDENS-KEY');
const mira = profile('Mira Stormcrow', 'MIRAS-KEY');

/** The server's calendars by key, and the requests it received. */
const made = new Map<string, string>();
let requests: string[] = [];
let failure: { status: number; code: string } | null = null;
let calendars = 0;

beforeEach(() => {
  useSession.setState({ status: 'ready', profiles: [arden], current: arden, admin: null });
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers, body }: RequestInit) => {
    const key = new Headers(headers).get('X-Access-Key') ?? '';
    requests.push(
      `${method} ${path.replace(/\?.*/, '')} ${key}${typeof body === 'string' ? ` ${body}` : ''}`,
    );
    if (failure)
      return Response.json(
        { error: 'No', code: failure.code, params: {} },
        { status: failure.status },
      );
    if (method === 'DELETE') made.delete(key);
    if (method === 'POST') made.set(key, '2026-11-21T18:00:00.000Z');
    const state = { exists: made.has(key), made_at: made.get(key) ?? null };
    const data =
      method === 'POST'
        ? { url: `https://board.example/calendar/secret-${++calendars}.ics` }
        : state;
    return Response.json(method === 'DELETE' ? { success: true } : { success: true, data });
  });
});
afterEach(async () => {
  act(() => closeOverlay('calendar'));
  cleanup();
  vi.unstubAllGlobals();
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null });
  made.clear();
  requests = [];
  failure = null;
  calendars = 0;
  await changeLanguage('en');
});

async function open(): Promise<void> {
  render(
    <MemoryRouter>
      <Overlays />
    </MemoryRouter>,
  );
  act(() => openOverlay('calendar', {}));
  await screen.findByRole('dialog');
}
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));

test('the address is made, shown this once with a link to subscribe and a code for cameras, and can be copied', async () => {
  const user = userEvent.setup();
  await open();
  await press('Create link');
  expect(await screen.findByText('https://board.example/calendar/secret-1.ics')).toBeTruthy();
  expect(screen.getByText("Copy it now. It won't be shown again.")).toBeTruthy();
  const copy = screen.getByRole('button', { name: 'Copy link: calendar of Arden Vale' });
  expect(document.activeElement).toBe(copy);
  await user.click(copy);
  expect(await navigator.clipboard.readText()).toBe('https://board.example/calendar/secret-1.ics');
  expect(await screen.findByText('Copied')).toBeTruthy();
  const subscribe = screen.getByRole('link', { name: 'Open in calendar: Arden Vale' });
  expect(subscribe.getAttribute('href')).toBe('webcal://board.example/calendar/secret-1.ics');
  expect(screen.queryByRole('img')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'QR code', expanded: false }));
  const code = await screen.findByRole('img', { name: 'QR code of the calendar of Arden Vale' });
  expect(code.querySelector('path')?.getAttribute('d')?.length).toBeGreaterThan(1_000);
  expect(requests).toEqual([
    'GET /api/calendar ARDENS-KEY',
    'POST /api/calendar ARDENS-KEY {"language":"en"}',
  ]);
});

test('a path is completed with the address that the page was opened at', async () => {
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET' }: RequestInit) => {
    const data =
      method === 'POST' ? { url: '/calendar/secret-1.ics' } : { exists: false, made_at: null };
    return Response.json({ success: true, data });
  });
  await open();
  await press('Create link');
  expect(await screen.findByText(`${location.origin}/calendar/secret-1.ics`)).toBeTruthy();
  expect(
    screen.getByRole('link', { name: 'Open in calendar: Arden Vale' }).getAttribute('href'),
  ).toBe(`webcal://${location.host}/calendar/secret-1.ics`);
});

test('an existing link is not shown again; a new one is created after a question, in the page’s language', async () => {
  made.set('ARDENS-KEY', '2026-11-20T18:00:00.000Z');
  await open();
  expect((await screen.findByText(/^Created on /)).textContent).toContain('2026');
  expect(screen.queryByText(/board\.example/)).toBeNull();
  act(() => void changeLanguage('es'));
  await press('Crear enlace nuevo: calendario de Arden Vale');
  const question = await screen.findByRole('alertdialog', {
    name: '¿Crear un enlace nuevo para Arden Vale?',
  });
  expect(requests).toHaveLength(1);
  await userEvent.click(within(question).getByRole('button', { name: 'Crear enlace nuevo' }));
  expect(await screen.findByText('https://board.example/calendar/secret-1.ics')).toBeTruthy();
  expect(requests[1]).toBe('POST /api/calendar ARDENS-KEY {"language":"es"}');
});

test('it is revoked after a question; where that fails the question says why, and it stays', async () => {
  made.set('ARDENS-KEY', '2026-11-20T18:00:00.000Z');
  await open();
  await press('Revoke: calendar of Arden Vale');
  const question = await screen.findByRole('alertdialog', {
    name: 'Revoke the calendar of Arden Vale?',
  });
  const confirm = within(question).getByRole('button', { name: 'Revoke calendar' });
  failure = { status: 503, code: 'server.stopping' };
  await userEvent.click(confirm);
  expect((await within(question).findByRole('alert')).textContent).not.toBe('');
  failure = null;
  await userEvent.click(confirm);
  expect(await screen.findByRole('button', { name: 'Create link' })).toBeTruthy();
  expect(made.size).toBe(0);
});

test('a failure to load or create says why and offers a retry', async () => {
  failure = { status: 503, code: 'server.stopping' };
  await open();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain("Couldn't load your calendar link");
  failure = null;
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  const make = await screen.findByRole('button', { name: 'Create link' });
  failure = { status: 503, code: 'server.stopping' };
  await userEvent.click(make);
  expect(await screen.findByRole('alert')).toBeTruthy();
  failure = null;
  await userEvent.click(make);
  expect(await screen.findByText('https://board.example/calendar/secret-1.ics')).toBeTruthy();
});

test('each character of the browser has its own, made by its own key', async () => {
  useSession.setState({
    profiles: [arden, mira],
    admin: { username: 'admin', token: 'T', role: 'owner' },
  });
  await open();
  const hers = await screen.findByRole('region', { name: 'Mira Stormcrow' });
  await userEvent.click(await within(hers).findByRole('button', { name: 'Create link' }));
  expect(await within(hers).findByText('https://board.example/calendar/secret-1.ics')).toBeTruthy();
  expect([...made.keys()]).toEqual(['MIRAS-KEY']);
  expect(
    within(screen.getByRole('region', { name: 'Arden Vale' })).getByRole('button', {
      name: 'Create link',
    }),
  ).toBeTruthy();
});

test('explains how to add the link to calendar apps and that they can lag; without a character it does not open', async () => {
  await open();
  const how = await screen.findByRole('region', { name: 'How to add it' });
  for (const program of ['Google Calendar', 'Apple Calendar', 'Outlook'])
    expect(within(how).getByText(program)).toBeTruthy();
  expect(how.textContent).toContain('Calendars can be up to a day behind');
  act(() => useSession.setState({ profiles: [], current: null }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a read that started before the calendar was created does not undo it', async () => {
  const late = Promise.withResolvers<Response>();
  await open();
  await screen.findByRole('button', { name: 'Create link' });
  const answer = globalThis.fetch;
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    (init.method ?? 'GET') === 'GET' ? late.promise : answer(path, init),
  );
  act(() => void window.dispatchEvent(new Event('online')));
  await act(() => new Promise((done) => setTimeout(done, 10)));
  await press('Create link');
  await screen.findByText(/secret-\d\.ics/);
  late.resolve(Response.json({ success: true, data: { exists: false, made_at: null } }));
  await act(() => new Promise((done) => setTimeout(done, 10)));
  expect(screen.getByText(/secret-\d\.ics/)).toBeTruthy();
  vi.restoreAllMocks();
});
