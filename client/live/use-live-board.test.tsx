import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { applySnapshot, clearBoard, useBoard } from '../state/board-store.ts';
import { useServerSaveClock } from '../state/clock.ts';
import { useSession } from '../state/session-store.ts';
import { useStars } from '../state/stars.ts';
import { useLiveBoard } from './use-live-board.ts';
import { useSettings } from './use-settings.ts';
import type { Watch } from './watch-board.ts';

const watches = vi.hoisted((): Watch[] => []);
const stopped = vi.hoisted((): Watch[] => []);
vi.mock('./watch-board.ts', () => ({
  watchBoard: (watch: Watch) => {
    watches.push(watch);
    return () => stopped.push(watch);
  },
}));

const settings = {
  ss_time_zone: 'Europe/Berlin',
  ss_hour: 10,
  board_visibility: 'members',
  server_time: new Date().toISOString(),
};
/** The network's far end. */
const config = vi.fn<() => Promise<Response>>();
const answers = (changed: object) => async (): Promise<Response> =>
  Response.json({ ...settings, ...changed });

beforeEach(() => {
  watches.length = 0;
  stopped.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('fetch', config);
  config.mockRejectedValueOnce(new TypeError('no network'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
  useServerSaveClock.setState({ ss_time_zone: 'America/Los_Angeles', ss_hour: 1, ahead_ms: 0 });
  useSession.setState({ status: 'checking', admin: null });
  clearBoard();
});
const passes = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('has the right server-save clock though the first question failed, and renews it on each connection', async () => {
  config.mockImplementation(answers({}));
  useSession.setState({
    status: 'ready',
    admin: { username: 'Thora', token: 'token', role: 'owner' },
  });
  renderHook(() => useLiveBoard(useSettings()));
  await passes(10_000);
  expect(useServerSaveClock.getState()).toMatchObject({
    ss_time_zone: 'Europe/Berlin',
    ss_hour: 10,
  });
  config.mockImplementation(answers({ ss_hour: 9 }));
  watches[0]?.onConnected?.(false);
  await passes(0);
  expect(useServerSaveClock.getState().ss_hour).toBe(9);
  expect(watches).toHaveLength(1);
});

it('shows an admin the board of their role at the first connection, where the page started without the server', async () => {
  const role = async (): Promise<Response> =>
    Response.json({ success: true, data: { admin: 'Thora', role: 'owner' } });
  vi.stubGlobal('fetch', (url: string) => (url.includes('/admin/verify') ? role() : answers({})()));
  useSession.setState({
    status: 'ready',
    admin: { username: 'Thora', token: 'token', role: 'viewer' },
  });
  renderHook(() => useLiveBoard(useSettings()));
  await act(async () => watches[0]?.onConnected?.(false));
  await passes(0);
  expect(useSession.getState().admin?.role).toBe('owner');
  expect([watches.map(({ room }) => room), stopped.length]).toEqual([['viewers', 'admins'], 1]);
});

it('reads the stars of the character beside an admin on each connection, which is sent none', async () => {
  const clocks = [1, 2];
  const stars = () =>
    Response.json({
      success: true,
      data: { epoch: 'a', clock: clocks[0], ids: clocks.splice(0, 1) },
    });
  vi.stubGlobal('fetch', async (url: string) => (url.includes('/stars') ? stars() : answers({})()));
  const current = {
    characterName: 'Arden Vale',
    memberType: 'member',
    accessKey: 'KEY',
    isVerified: true,
    createdAt: '',
  };
  useSession.setState({
    status: 'ready',
    admin: { username: 'Thora', token: 'token', role: 'owner' },
    current,
  });
  renderHook(() => useLiveBoard(useSettings()));
  for (const id of [1, 2]) {
    watches[0]?.onConnected?.(id > 1);
    await passes(0);
    expect([...useStars.getState().ids]).toEqual([id]);
  }
  useSession.setState({ current: null });
  localStorage.clear();
});

it('watches a public board though the first question failed, and forgets it when it is public no more', async () => {
  config.mockImplementation(answers({ board_visibility: 'public' }));
  useSession.setState({ status: 'ready' });
  renderHook(() => useLiveBoard(useSettings()));
  await passes(0);
  expect(watches).toEqual([]);
  await passes(10_000);
  expect(watches).toMatchObject([{ auth: {} }]);
  applySnapshot(1, {});
  config.mockImplementation(answers({}));
  await act(async () => watches[0]?.onRefused({ error: '', code: 'session.required', params: {} }));
  await passes(0);
  expect([useBoard.getState().status, watches.length, stopped.length]).toEqual(['empty', 1, 1]);
});
