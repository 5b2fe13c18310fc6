import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ChangeSet,
  PING_EVERY_MS,
  type Snapshot,
  type SyncAnswer,
} from '../../shared/live.ts';
import { STALE_AFTER_MS, useStaleBoard } from '../state/board-freshness.ts';
import { clearBoard, useBoard } from '../state/board-store.ts';
import { useSession } from '../state/session-store.ts';
import { useStars } from '../state/stars.ts';
import { refreshBoard } from './refresh.ts';
import { RESET_SPREAD_MS } from './sync-board.ts';
import { watchBoard } from './watch-board.ts';

/** A fake server that answers `sync` from its own history. Clients sync on each connection. */
const server = vi.hoisted(() => ({
  syncClocks: [] as (number | null)[],
  answer: (_clock: number | null): unknown => null,
  listeners: new Map<string, (...all: unknown[]) => void>(),
  connects: 0,
  /** Something arrives, a ping for example. */
  says: (): void => {},
}));
vi.mock('socket.io-client', () => ({
  io: () => {
    const socket = {
      connected: true,
      active: true,
      io: {
        engine: {
          on: (_packet: string, listener: () => void) => {
            server.says = listener;
          },
        },
      },
      on: (event: string, listener: (...all: unknown[]) => void) =>
        server.listeners.set(event, listener),
      emit: () => {},
      timeout: () => socket,
      emitWithAck: async (_event: string, clock: number | null) => {
        server.syncClocks.push(clock);
        return server.answer(clock);
      },
      connect: () => {
        server.connects += 1;
      },
      // As Socket.IO: it stays away after that, and tells its listener before it returns.
      disconnect: () => {
        const was = socket.connected;
        socket.connected = false;
        socket.active = false;
        if (was) server.listeners.get('disconnect')?.('io client disconnect');
      },
    };
    return socket;
  },
}));

interface History {
  epoch: string;
  clock: number;
  name: string;
}
const snapshotOf = ({ name }: History): Snapshot => ({ category: [{ id: 1, name }] });

function serve(history: History): void {
  const { epoch, clock } = history;
  const since = (from: number): ChangeSet[] =>
    Array.from({ length: clock - from }, (_, at) => ({ clock: from + at + 1, changes: [] }));
  server.answer = (from): SyncAnswer =>
    from === null || from > clock
      ? { clock, epoch, snapshot: snapshotOf(history) }
      : { clock, epoch, change_sets: since(from) };
}
/** The whole board over REST. A server that only serves the live connection sends nothing here. */
function serveWhole(history: History | null): void {
  vi.stubGlobal('fetch', async () => {
    if (!history) throw new TypeError('no network');
    return Response.json({
      success: true,
      data: { clock: history.clock, epoch: history.epoch, snapshot: snapshotOf(history) },
    });
  });
}
const connects = (): void => server.listeners.get('connect')?.();
const held = () => {
  const { clock, epoch, byKind } = useBoard.getState();
  return { clock, epoch, name: byKind.category.get(1)?.name };
};

let stop = (): void => {};
beforeEach(() => {
  // A reload after a reset waits for 20 ms of its 2 s.
  vi.spyOn(Math, 'random').mockReturnValue(0.01);
  server.syncClocks.length = 0;
  serve({ epoch: 'a', clock: 7, name: 'Ours' });
  serveWhole(null);
  stop = watchBoard({ auth: { access_key: 'KEY' }, onRefused: () => {} });
  connects();
});
afterEach(() => {
  stop();
  clearBoard();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('requests the whole board first, and on reconnecting the missed changes', async () => {
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 7, name: 'Ours' }));
  serve({ epoch: 'a', clock: 9, name: 'Ours' });
  connects();
  await vi.waitFor(() => expect(held().clock).toBe(9));
  expect(server.syncClocks).toEqual([null, 7]);
});

it('moves to the clock of an answer without change sets, however far it is, and follows from there', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  server.answer = (): SyncAnswer => ({ clock: 700, epoch: 'a', change_sets: [] });
  connects();
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 700, name: 'Ours' }));
  server.listeners.get('changes')?.({
    clock: 701,
    changes: [{ op: 'put', kind: 'category', record: { id: 1, name: 'Renamed' } }],
  });
  expect(held()).toEqual({ epoch: 'a', clock: 701, name: 'Renamed' });
  expect(server.syncClocks).toEqual([null, 7]);
});

it('takes the whole board of another database at the same address, though its clock is ahead', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  serve({ epoch: 'b', clock: 12, name: 'Theirs' });
  connects();
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'b', clock: 12, name: 'Theirs' }));
  expect(server.syncClocks).toEqual([null, 7, null]);
  expect(useBoard.getState().connection).toBe('live');
});

it('takes it also where its clock is behind', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  serve({ epoch: 'b', clock: 3, name: 'Theirs' });
  connects();
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'b', clock: 3, name: 'Theirs' }));
});

it('reads the board again if another caller saw it, and keeps it on the screen meanwhile', async () => {
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  stop();
  expect(held()).toEqual({ epoch: 'a', clock: 7, name: 'Ours' });
  expect(useBoard.getState().connection).toBe('connecting');
  server.syncClocks.length = 0;
  serve({ epoch: 'a', clock: 7, name: 'As an admin sees it' });
  stop = watchBoard({ auth: { admin_token: 'TOKEN' }, onRefused: () => {} });
  connects();
  await vi.waitFor(() => expect(held().name).toBe('As an admin sees it'));
  expect(server.syncClocks).toEqual([null]);
});

it('shows the stars that come with the member’s own records', async () => {
  const current = {
    characterName: 'Arden Vale',
    memberType: 'member',
    accessKey: 'KEY',
    isVerified: true,
    createdAt: '',
  };
  useSession.setState({ current });
  server.listeners.get('own')?.({
    transfer: [],
    standing_claim: [],
    stars: { epoch: 'a', clock: 7, ids: [4, 2] },
    claims: [],
  });
  expect([...useStars.getState().ids]).toEqual([4, 2]);
  expect(localStorage.getItem('stars:arden vale')).toContain('[4,2]');
  useSession.setState({ current: null });
  localStorage.clear();
});

it('reads the whole board compressed if possible, and requests only later changes live', async () => {
  stop();
  clearBoard();
  server.syncClocks.length = 0;
  serveWhole({ epoch: 'a', clock: 5, name: 'Ours' });
  stop = watchBoard({ auth: { access_key: 'KEY' }, onRefused: () => {} });
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 5, name: 'Ours' }));
  connects();
  await vi.waitFor(() => expect(held().clock).toBe(7));
  expect(server.syncClocks).toEqual([5]);
});

it('reads it again if the fallback replaced the board during the sync', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  const byCalls: Record<string, unknown> = {
    '/api/respawns': [],
    '/api/categories': { success: true, data: [{ id: 1, name: 'By calls' }] },
    '/api/member-types': { success: true, data: [] },
    '/api/waits': { success: true, data: [] },
    '/api/transfers': { success: true, data: [] },
    '/api/config': {
      server_time: '2026-11-21T18:00:00.000Z',
      ss_time_zone: 'America/Los_Angeles',
      ss_hour: 1,
    },
    '/api/snapshot': {
      success: true,
      data: { clock: 7, epoch: 'a', snapshot: snapshotOf({ epoch: 'a', clock: 7, name: 'Whole' }) },
    },
  };
  vi.stubGlobal('fetch', async (input: URL | string) => {
    const { pathname } = new URL(input, 'http://board.test');
    if (!(pathname in byCalls))
      return Response.json({ error: '', code: 'event.noneActive', params: {} }, { status: 404 });
    return Response.json(byCalls[pathname], { headers: { ETag: 'W/"a-7"' } });
  });
  const question = Promise.withResolvers<SyncAnswer>();
  server.answer = () => question.promise;
  connects();
  await vi.waitFor(() => expect(server.syncClocks).toEqual([null, 7]));
  server.listeners.get('connect_error')?.(new Error('websocket error'));
  await vi.waitFor(() => expect(held().name).toBe('By calls'));
  serve({ epoch: 'a', clock: 7, name: 'Ours' });
  question.resolve({ clock: 7, epoch: 'a', change_sets: [] });
  await vi.waitFor(() => expect(held().name).toBe('Whole'));
});

it('applies several change sets that arrive together, and requests a gap in the middle of them', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  const named = (clock: number, name: string): ChangeSet => ({
    clock,
    changes: [{ op: 'put', kind: 'category', record: { id: 1, name } }],
  });
  server.syncClocks.length = 0;
  server.listeners.get('changes')?.([
    named(6, 'Older'),
    named(7, 'Older'),
    named(8, 'Ours'),
    named(9, 'Renamed'),
  ]);
  expect(held()).toEqual({ epoch: 'a', clock: 9, name: 'Renamed' });
  expect(server.syncClocks).toEqual([]);
  serve({ epoch: 'a', clock: 12, name: 'Ours' });
  server.listeners.get('changes')?.([named(10, 'Once more'), named(12, 'Too early')]);
  await vi.waitFor(() => expect(held().clock).toBe(12));
  expect(server.syncClocks).toEqual([10]);
});

it('keeps change sets that arrive during a sync, and reads the whole board if one of them asks for it', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  const question = Promise.withResolvers<SyncAnswer>();
  server.answer = () => question.promise;
  connects();
  await vi.waitFor(() => expect(server.syncClocks).toEqual([null, 7]));
  server.listeners.get('changes')?.([
    { clock: 8, changes: [] },
    { clock: 9, changes: [] },
  ]);
  question.resolve({ clock: 8, epoch: 'a', change_sets: [{ clock: 8, changes: [] }] });
  await vi.waitFor(() => expect(held().clock).toBe(9));
  serve({ epoch: 'a', clock: 11, name: 'Switched' });
  serveWhole({ epoch: 'a', clock: 11, name: 'Switched' });
  server.listeners.get('changes')?.([
    { clock: 10, changes: [] },
    { clock: 11, changes: [{ op: 'reset' }] },
  ]);
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 11, name: 'Switched' }));
});

it.each([
  { late: 'of an older clock', history: { epoch: 'a', clock: 5, name: 'Older' } },
  { late: 'of a database that is gone', history: { epoch: 'gone', clock: 50, name: 'Gone' } },
])('ignores a whole board $late, which a lost connection requested', async ({ history }) => {
  stop();
  clearBoard();
  const late = Promise.withResolvers<void>();
  serveWhole(null);
  stop = watchBoard({ auth: { access_key: 'KEY' }, onRefused: () => {} });
  const whole = Response.json({
    success: true,
    data: { ...history, snapshot: snapshotOf(history) },
  });
  const slow = vi.fn(() => late.promise.then(() => whole));
  vi.stubGlobal('fetch', slow);
  connects();
  await vi.waitFor(() => expect(slow).toHaveBeenCalled());
  server.listeners.get('disconnect')?.('transport close');
  serveWhole(null);
  connects();
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 7, name: 'Ours' }));
  server.listeners.get('changes')?.({
    clock: 8,
    changes: [{ op: 'put', kind: 'category', record: { id: 1, name: 'Renamed' } }],
  });
  late.resolve();
  await vi.waitFor(() => expect(whole.bodyUsed).toBe(true));
  await new Promise((resolve) => setTimeout(resolve));
  expect(held()).toEqual({ epoch: 'a', clock: 8, name: 'Renamed' });
});

it('reads it again when a change set asks for a reset', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  server.syncClocks.length = 0;
  serve({ epoch: 'a', clock: 8, name: 'Switched' });
  serveWhole({ epoch: 'a', clock: 8, name: 'Switched' });
  server.listeners.get('changes')?.({ clock: 8, changes: [{ op: 'reset' }] });
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 8, name: 'Switched' }));
  await vi.waitFor(() => expect(server.syncClocks).toEqual([8]));
});

it('reloads at a random moment within two seconds of a reset, once, and keeps later change sets', async () => {
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  vi.useFakeTimers();
  try {
    vi.mocked(Math.random).mockReturnValue(0.75);
    server.syncClocks.length = 0;
    serve({ epoch: 'a', clock: 9, name: 'Switched' });
    serveWhole({ epoch: 'a', clock: 9, name: 'Switched' });
    server.listeners.get('changes')?.({ clock: 8, changes: [{ op: 'reset' }] });
    server.listeners.get('changes')?.({ clock: 9, changes: [] });
    await vi.advanceTimersByTimeAsync(0.75 * RESET_SPREAD_MS - 1);
    expect(server.syncClocks).toEqual([]);
    expect(held().clock).toBe(7);
    await vi.advanceTimersByTimeAsync(1);
    expect(held()).toEqual({ epoch: 'a', clock: 9, name: 'Switched' });
    expect(server.syncClocks).toEqual([9]);
    await vi.advanceTimersByTimeAsync(RESET_SPREAD_MS);
    expect(server.syncClocks).toEqual([9]);
  } finally {
    vi.useRealTimers();
  }
});

it('reloads at once after a reset during polling, as after one of its own actions', async () => {
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  vi.mocked(Math.random).mockReturnValue(0.99);
  serve({ epoch: 'a', clock: 8, name: 'Switched' });
  serveWhole({ epoch: 'a', clock: 8, name: 'Switched' });
  server.listeners.get('changes')?.({ clock: 8, changes: [{ op: 'reset' }] });
  refreshBoard();
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 8, name: 'Switched' }));
});

it('reads it again after a change it cannot apply, pushed or in an answer, and is not called live with an old board', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  const invalidChange = { clock: 8, changes: [{ op: 'put', kind: 'claim', record: null }] };
  serve({ epoch: 'a', clock: 8, name: 'After it' });
  serveWhole({ epoch: 'a', clock: 8, name: 'After it' });
  server.listeners.get('changes')?.(invalidChange);
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 8, name: 'After it' }));

  serveWhole({ epoch: 'a', clock: 9, name: 'After the next' });
  server.answer = (from): unknown => ({
    clock: 9,
    epoch: 'a',
    change_sets: from === 8 ? [{ ...invalidChange, clock: 9 }] : [],
  });
  connects();
  await vi.waitFor(() => expect(held()).toEqual({ epoch: 'a', clock: 9, name: 'After the next' }));
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
});

it.each([
  null,
  'later',
  {},
  { sets: [] },
  [[{ clock: 8, changes: [] }]],
  [{ clock: 8 }],
  { clock: 8, changes: [null] },
])(
  'asks again after a message of an unknown shape, also while it is asking: %j',
  async (message) => {
    await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
    serve({ epoch: 'a', clock: 8, name: 'Ours' });
    server.listeners.get('changes')?.(message);
    await vi.waitFor(() => expect(held().clock).toBe(8));
    expect(server.syncClocks).toEqual([null, 7]);

    const question = Promise.withResolvers<SyncAnswer>();
    server.answer = () => question.promise;
    connects();
    await vi.waitFor(() => expect(server.syncClocks).toEqual([null, 7, 8]));
    server.listeners.get('changes')?.(message);
    serve({ epoch: 'a', clock: 9, name: 'Ours' });
    question.resolve({ clock: 8, epoch: 'a', change_sets: [] });
    await vi.waitFor(() => expect(held().clock).toBe(9));
    expect(server.syncClocks).toEqual([null, 7, 8, 8]);
    expect(useBoard.getState().connection).toBe('live');
  },
);

it('is not live with an old board if the new one cannot be parsed, and recovers when it can', async () => {
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  const invalidChange = { clock: 8, epoch: 'a', snapshot: { claim: [null] } };
  server.answer = () => invalidChange;
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data: invalidChange }));
  server.listeners.get('changes')?.({ clock: 8, changes: [{ op: 'reset' }] });
  await vi.waitFor(() => expect(useBoard.getState().connection).not.toBe('live'));
  serveWhole({ epoch: 'a', clock: 8, name: 'Ours again' });
  serve({ epoch: 'a', clock: 8, name: 'Ours again' });
  connects();
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  expect(held()).toEqual({ epoch: 'a', clock: 8, name: 'Ours again' });
});

it('keeps the credential where the server only has too many of its connections, and reads the board by calls', async () => {
  stop();
  const refused = vi.fn();
  stop = watchBoard({ auth: { access_key: 'KEY' }, onRefused: refused });
  server.listeners.get('connect_error')?.(
    Object.assign(new Error(), { data: { code: 'live.tooManyConnections' } }),
  );
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('offline'));
  expect(refused).not.toHaveBeenCalled();
  server.listeners.get('connect_error')?.(
    Object.assign(new Error(), { data: { code: 'session.keyRevoked' } }),
  );
  expect(refused).toHaveBeenCalledOnce();
});

it('ends for a refusal of ours only, by call or over the connection; a portal’s page is a network that fails', async () => {
  stop();
  const refused = vi.fn();
  vi.stubGlobal(
    'fetch',
    async () => new Response('<html>Please sign in to the hotel</html>', { status: 403 }),
  );
  stop = watchBoard({ auth: { access_key: 'KEY' }, onRefused: refused });
  server.listeners.get('connect_error')?.(new Error('websocket error'));
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('offline'));
  server.listeners.get('ended')?.({ error: '', code: 'live.tooManyConnections', params: {} });
  expect(refused).not.toHaveBeenCalled();
  server.listeners.get('ended')?.({ error: '', code: 'session.banned', params: {} });
  expect(refused).toHaveBeenCalledOnce();

  const refusal = { error: '', code: 'session.keyRevoked', params: {} };
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 403 }));
  stop = watchBoard({ auth: { access_key: 'KEY' }, onRefused: refused });
  server.listeners.get('connect_error')?.(new Error('websocket error'));
  await vi.waitFor(() => expect(refused).toHaveBeenLastCalledWith(refusal));
});

it('reconnects after a pause if REST and live histories differ, and doubles the next pause', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  vi.useFakeTimers();
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  try {
    server.syncClocks.length = 0;
    server.connects = 0;
    serve({ epoch: 'b', clock: 9, name: 'Theirs' });
    serveWhole({ epoch: 'a', clock: 7, name: 'Ours' });
    connects();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.syncClocks).toEqual([7, 7]);
    await vi.advanceTimersByTimeAsync(499);
    expect(server.connects).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.connects).toBe(1);
    server.listeners.get('disconnect')?.('io server disconnect');
    await vi.advanceTimersByTimeAsync(999);
    expect(server.connects).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.connects).toBe(2);
  } finally {
    chance.mockRestore();
    vi.useRealTimers();
  }
});

it('pauses, longer each time, if live answers are invalid, and polls meanwhile', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  vi.useFakeTimers();
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  try {
    server.syncClocks.length = 0;
    server.connects = 0;
    server.answer = (): SyncAnswer => ({
      clock: 10,
      epoch: 'a',
      change_sets: [{ clock: 10, changes: [] }],
    });
    connects();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.syncClocks).toEqual([7, 7]);
    expect(useBoard.getState().connection).not.toBe('live');
    await vi.advanceTimersByTimeAsync(500);
    expect(server.connects).toBe(1);
    connects();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.syncClocks).toEqual([7, 7, 7]);
    server.listeners.get('disconnect')?.('io client disconnect');
    await vi.advanceTimersByTimeAsync(999);
    expect(server.connects).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.connects).toBe(2);
    serve({ epoch: 'a', clock: 10, name: 'Ours' });
    connects();
    await vi.advanceTimersByTimeAsync(0);
    expect(held().clock).toBe(10);
    expect(useBoard.getState().connection).toBe('live');
  } finally {
    chance.mockRestore();
    vi.useRealTimers();
  }
});

it('is no longer live 15 s after the last message, and polls until the connection is back', async () => {
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  vi.useFakeTimers();
  try {
    connects();
    for (let pings = 0; pings < 5; pings++) {
      await vi.advanceTimersByTimeAsync(PING_EVERY_MS);
      server.says();
    }
    expect(useBoard.getState().connection).toBe('live');
    server.connects = 0;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(useBoard.getState().connection).not.toBe('live');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(useBoard.getState().connection).toBe('offline');
    expect(server.connects).toBeGreaterThan(0);
    connects();
    await vi.advanceTimersByTimeAsync(0);
    expect(useBoard.getState().connection).toBe('live');
  } finally {
    vi.useRealTimers();
  }
});

it('after 15 s of silence on an open connection it says how old the board is, until the next message', async () => {
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  vi.useFakeTimers();
  try {
    connects();
    await vi.advanceTimersByTimeAsync(0);
    for (let pings = 0; pings < 5; pings++) {
      await vi.advanceTimersByTimeAsync(PING_EVERY_MS);
      server.says();
      expect(useStaleBoard.getState().confirmed_at).toBeNull();
    }
    const last = Date.now();
    await vi.advanceTimersByTimeAsync(STALE_AFTER_MS - 1);
    expect(useStaleBoard.getState().confirmed_at).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(useStaleBoard.getState().confirmed_at).toBe(last);
    // Connected, but the sync was not answered.
    const question = Promise.withResolvers<SyncAnswer>();
    server.answer = () => question.promise;
    connects();
    server.says();
    await vi.advanceTimersByTimeAsync(0);
    expect(useStaleBoard.getState().confirmed_at).toBe(last);
    question.resolve({ clock: 7, epoch: 'a', change_sets: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(useStaleBoard.getState().confirmed_at).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

it('keeps its age for the next caller, and loses it when the board is cleared', async () => {
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  vi.useFakeTimers();
  try {
    connects();
    await vi.advanceTimersByTimeAsync(0);
    const last = Date.now();
    stop();
    stop = watchBoard({ auth: { access_key: 'OTHER' }, onRefused: () => {} });
    await vi.advanceTimersByTimeAsync(STALE_AFTER_MS);
    expect(useStaleBoard.getState().confirmed_at).toBe(last);
    clearBoard();
    expect(useStaleBoard.getState().confirmed_at).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

it('reports each connection, and whether it is the first', () => {
  stop();
  const onConnected = vi.fn();
  stop = watchBoard({ auth: {}, onRefused: () => {}, onConnected });
  connects();
  connects();
  expect(onConnected.mock.calls).toEqual([[false], [true]]);
});

it('pauses once for a question that is not answered, not twice', async () => {
  await vi.waitFor(() => expect(held().clock).toBe(7));
  vi.useFakeTimers();
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  try {
    server.connects = 0;
    server.answer = () => null;
    connects();
    await vi.advanceTimersByTimeAsync(500);
    expect(server.connects).toBe(1);
  } finally {
    chance.mockRestore();
    vi.useRealTimers();
  }
});

describe('a reason to refresh', () => {
  const reasons: [string, () => void][] = [
    ['the page comes back into view', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['the network comes back', () => window.dispatchEvent(new Event('online'))],
    ['a claim was submitted', refreshBoard],
  ];

  it.each(reasons)('requests missed changes at once: %s', async (_, happens) => {
    await vi.waitFor(() => expect(held().clock).toBe(7));
    serve({ epoch: 'a', clock: 9, name: 'Ours' });
    happens();
    await vi.waitFor(() => expect(held().clock).toBe(9));
    expect(server.syncClocks).toEqual([null, 7]);
  });

  it('nothing while the page is hidden, nor after the watching has ended', async () => {
    await vi.waitFor(() => expect(held().clock).toBe(7));
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    hidden.mockRestore();
    stop();
    refreshBoard();
    expect(server.syncClocks).toEqual([null]);
  });
});

it('reconnects at once when the computer wakes, even if the connection looks open', async () => {
  await vi.waitFor(() => expect(useBoard.getState().connection).toBe('live'));
  const { connects } = server;
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 3_600_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(server.connects).toBe(connects + 1);
  expect(useBoard.getState().connection).toBe('connecting');
  vi.useRealTimers();
});
