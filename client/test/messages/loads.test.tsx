import { render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AdminPage } from '../../features/admin/admin-page.tsx';
import '../../features/admin/claims/claims-tab.tsx';
import { BoardPage } from '../../features/board/board-page.tsx';
import { AdminInputPage } from '../../features/submit/submit-page.tsx';
import { eventOf } from '../../features/submit/test/records.ts';
import { showSubmitPage, signIn, TODAY } from '../../features/submit/test/show-submit-page.tsx';
import { watchBoard } from '../../live/watch-board.ts';
import { applySnapshot, clearBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { appears } from './appears.ts';
import { LOGGED } from './section-8.ts';

// A network that blocks the live connection: the board is read over REST instead.
vi.mock('socket.io-client', () => ({
  io: () => ({
    active: true,
    connected: false,
    on: (event: string, blocked: (error: Error) => void) => {
      if (event === 'connect_error') queueMicrotask(() => blocked(new Error('websocket error')));
    },
    connect: () => {},
    disconnect: () => {},
  }),
}));

type Answers = { readonly [path: string]: () => Response | Promise<Response> };
const list = (data: unknown): Response => Response.json({ success: true, data });
const portal = (): Response =>
  new Response('<p>Please sign in</p>', { status: 502, statusText: 'Bad Gateway' });
const noNetwork = (): Promise<Response> => Promise.reject(new TypeError('no network'));

function mockServer(answers: Answers): void {
  const usual: Answers = {
    '/api/respawns': () => Response.json([], { headers: { ETag: 'W/"a-1"' } }),
    '/api/snapshot': noNetwork,
    '/api/config': () =>
      Response.json({ ss_time_zone: 'UTC', ss_hour: 0, server_time: '2026-11-21T00:30:00.000Z' }),
    '/api/events/active': () => Response.json({ code: 'event.noneActive' }, { status: 404 }),
    '/api/admin/activity-log': () => list({ logs: [] }),
  };
  vi.stubGlobal('fetch', async (address: string) => {
    const [path = ''] = address.split('?');
    const answer = answers[path] ?? usual[path];
    return answer ? answer() : list([]);
  });
}

let stop = (): void => {};
beforeEach(() => {
  clearBoard();
  useSession.setState({
    status: 'ready',
    profiles: [],
    current: null,
    admin: { username: 'Thora', token: 'T', role: 'owner' },
    ended: [],
  });
});
afterEach(() => {
  stop();
  clearBoard();
  useSession.setState({ admin: null, current: null, profiles: [] });
  vi.unstubAllGlobals();
});

function show(path: string): void {
  render(
    <MemoryRouter initialEntries={[path]}>
      <LocalTimeContext value={(_date, hour) => `${hour}:00`}>
        <Routes>
          <Route path="/" element={<BoardPage />} />
          <Route path="/admin/input" element={<AdminInputPage />} />
          <Route path="/admin/dashboard/:tab" element={<AdminPage />} />
        </Routes>
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
/** A page while the board cannot be had. */
function watch(path: string, answers: Answers): void {
  mockServer(answers);
  show(path);
  stop = watchBoard({ auth: { admin_token: 'T' }, onRefused: () => {} });
}
const onDashboard = (answers: Answers): void => watch('/admin/dashboard/events', answers);

/** The form, whose questions to the server fail. */
function form(event?: Parameters<typeof eventOf>[0]): void {
  mockServer({
    [`/api/respawns/1/claims/${TODAY}`]: noNetwork,
    '/api/respawns/1/claims': noNetwork,
  });
  signIn(event ? { event: [eventOf(event)] } : {});
  showSubmitPage('?respawn=1&hour=10');
}

appears('loads', {
  'load.respawnsStatus': () => watch('/', { '/api/respawns': portal }),
  'load.respawns': () => onDashboard({ '/api/admin/respawns': portal }),
  'load.categoriesStatus': () => watch('/', { '/api/categories': portal }),
  'load.categories': () => watch('/', { '/api/categories': noNetwork }),
  'load.categoriesFormat': () =>
    watch('/', { '/api/categories': () => list({ page: 'of a portal' }) }),
  'load.config': () => watch('/admin/input', { '/api/config': portal }),
  'load.memberTypes': () => watch('/admin/input', { '/api/member-types': portal }),
  'load.accessKeys': () => onDashboard({ '/api/admin/access-keys': portal }),
  'load.verifiedCodes': () => onDashboard({ '/api/admin/verified-codes': noNetwork }),
  'load.verifiedCodesReason': () => onDashboard({ '/api/admin/verified-codes': portal }),
  'load.adminData': () => onDashboard({ '/api/admin/activity-log': portal }),
  'load.claims': () => form(),
  'submit.eventClaimsFailed': () =>
    form({ type: 'single_claim', start_time: TODAY, end_time: TODAY }),
  'admin.claims.loadFailed': () => {
    applySnapshot(1, { access_key: [] });
    mockServer({ '/api/admin/claims': portal });
    show('/admin/dashboard/claims');
  },
  'admin.claims.eventLoadFailed': () => {
    applySnapshot(1, { access_key: [], event: [eventOf({})] });
    watch('/admin/dashboard/claims', {
      '/api/respawns': noNetwork,
      '/api/events/5/claims': noNetwork,
    });
  },
});

test.each(LOGGED)('%s is logged', async (sentence) => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
  useSession.setState({ admin: null });
  mockServer({ '/api/events/active': portal });
  stop = watchBoard({ auth: { access_key: 'KEY' }, onRefused: () => {} });
  await vi.waitFor(() => expect(logged.mock.lastCall?.[0]).toMatchObject({ message: sentence }), {
    timeout: 20_000,
  });
  logged.mockRestore();
});

test('loaded data stays, and a retry is offered', async () => {
  applySnapshot(1, { access_key: [], event: [eventOf({ name: 'Double week' })] });
  let answer = portal;
  onDashboard({ '/api/admin/access-keys': () => answer() });
  await screen.findByText('Failed to fetch access keys');
  expect(screen.getByText('Please sign in')).toBeTruthy();
  expect(screen.getAllByText('Double week')).not.toEqual([]);
  answer = () => list([]);
  screen.getByRole('button', { name: 'Try again' }).click();
  await vi.waitFor(() => expect(screen.queryByText('Failed to fetch access keys')).toBeNull(), {
    timeout: 20_000,
  });
});
