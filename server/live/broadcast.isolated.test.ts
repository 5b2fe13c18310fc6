import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  applyChangeSet,
  type Board,
  boardFromSnapshot,
  type ChangeSet,
  changeSetsIn,
  type PresenceChange,
  type PresenceNews,
} from '../../shared/live.ts';
import type { StoredChange, StoredChangeSet } from '../db/unit-of-work.ts';
import { connected } from '../dev/test/board-watcher.ts';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { connect, Watcher } from '../dev/test/watcher.ts';
import { createBroadcast, MAX_EMPTY_SETS, PACKETS_PER_CHECK } from './broadcast.ts';
import { MAX_CATCH_UP, MAX_CATCH_UP_LENGTH } from './bus.ts';

const original = Socket.prototype.write;

describe.each(databases)('a change on %s', (dialect) => {
  it('is sent after its writer was answered', async () => {
    const app = await createTestApp(dialect);
    // A server publishes its own writes. PostgreSQL's notification, on another connection, may arrive before the answer to the commit.
    vi.spyOn(app.ctx.bus, 'wake').mockImplementation(() => {});
    const key = await aKey(app);
    const watchers = [1, 2, 3].map(() => new Watcher(app.url, { access_key: key.key_value }));
    await Promise.all(watchers.map((watcher) => watcher.connect()));
    const sent: string[] = [];
    const write = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (
      this: Socket,
      ...all: unknown[]
    ) {
      const text = Buffer.isBuffer(all[0]) ? all[0].toString('latin1') : String(all[0]);
      if (text.startsWith('HTTP/1.1 201')) sent.push('answer');
      if (text.includes('42["changes",')) sent.push('change');
      return Reflect.apply(original, this, all);
    });
    try {
      await submitted(app, key, aClaim(key));
      await Promise.all(watchers.map((watcher) => watcher.reached(app.ctx.bus.clock())));
    } finally {
      write.mockRestore();
    }
    expect(sent).toEqual(['answer', 'change', 'change', 'change']);
  });
});

it('two thousand changes at once reach a real watcher in their order, each once, in few messages', async () => {
  const app = await createTestApp('sqlite');
  const key = await aKey(app);
  const sockets = [1, 2].map(() => connect(app.url, { access_key: key.key_value }));
  const messages = sockets.map((): number[][] => []);
  const first = app.ctx.bus.clock() + 1;
  const last = first + 2_000 - 1;
  const done = sockets.map(
    (socket, at) =>
      new Promise<void>((resolve) => {
        socket.on('changes', (message) => {
          const clocks = changeSetsIn(message).map(({ clock }) => clock);
          messages[at]?.push(clocks);
          if (clocks.at(-1) === last) resolve();
        });
      }),
  );
  await Promise.all(sockets.map(connected));
  await Promise.all(sockets.map((socket) => socket.emitWithAck('sync', null)));
  for (let clock = first; clock <= last; clock += 1) {
    app.ctx.bus.offer({ clock, at: '', changes: [] });
    if (clock % MAX_CATCH_UP === 0) await new Promise(setImmediate);
  }
  await Promise.all(done);
  for (const packets of messages) {
    expect(packets.flat()).toEqual(Array.from({ length: last - first + 1 }, (_, at) => first + at));
    expect(packets.length).toBeLessThan(20);
  }
});

/** One packet, as a watcher reads it. */
type Packet =
  | { event: 'changes'; sets: readonly ChangeSet[] }
  | { event: 'presence'; change: PresenceChange };

function parse(text: string): Packet {
  const [event, content] = JSON.parse(text.slice(1));
  return event === 'changes' ? { event, sets: changeSetsIn(content) } : { event, change: content };
}

/** A server whose sockets note what is written to them. */
class FakeServer {
  /** Bytes written since the event loop's last turn, and the maximum of any turn. */
  inThisTurn = 0;
  mostInATurn = 0;
  packets = 0;
  readonly frames = new Set<unknown>();
  readonly rooms = new Map<string, Set<string>>();
  readonly sockets = new Map<
    string,
    { conn: { write: (packet: string, options: { wsPreEncodedFrame: unknown[] }) => void } }
  >();
  /** It says that the clock has moved so many milliseconds on with each packet. */
  packetMs = 0;
  now = 0;
  #lastText = '';
  #last: Packet = { event: 'changes', sets: [] };

  enter(id: string, rooms: readonly string[], read: (packet: Packet) => void): void {
    for (const room of rooms) this.rooms.set(room, (this.rooms.get(room) ?? new Set()).add(id));
    const write = (packet: string, options: { wsPreEncodedFrame: unknown[] }): void => {
      if (this.inThisTurn === 0) setImmediate(() => this.#endTurn());
      this.inThisTurn += 1;
      this.packets += 1;
      this.now += this.packetMs;
      this.frames.add(options.wsPreEncodedFrame[0]);
      // All sockets of a room are sent the same text.
      if (packet !== this.#lastText) this.#last = parse(packet);
      this.#lastText = packet;
      read(this.#last);
    };
    this.sockets.set(id, { conn: { write } });
  }

  #endTurn(): void {
    this.mostInATurn = Math.max(this.mostInATurn, this.inThisTurn);
    this.inThisTurn = 0;
  }

  broadcast(emptySetsDelayMs = 0): ReturnType<typeof createBroadcast> {
    const failed = (): never => {
      throw new Error('nothing may fail');
    };
    const ctx = { log: { error: failed }, metrics: { failures: { inc: failed } } };
    const io = { sockets: { adapter: { rooms: this.rooms }, sockets: this.sockets } };
    return createBroadcast(ctx, io, emptySetsDelayMs);
  }
}

const category = (id: number, name: string): StoredChange => ({
  audience: 'all',
  change: { op: 'put', kind: 'category', record: { id, name } },
});
const set = (clock: number, ...changes: StoredChange[]): StoredChangeSet => ({
  clock,
  at: '',
  changes,
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Waits until nothing has been written for some turns of the event loop. */
async function quiet(server: FakeServer): Promise<void> {
  for (let still = 0, before = -1; still < 10; before = server.packets) {
    await turn();
    still = server.packets === before ? still + 1 : 0;
  }
}

/** Someone who watches by the book, from a clock. */
class FakeWatcher {
  board: Board;
  resets = 0;
  messages = 0;
  constructor(clock: number) {
    this.board = boardFromSnapshot(clock, {});
  }
  read(packet: Packet): void {
    if (packet.event !== 'changes') return;
    this.messages += 1;
    for (const one of packet.sets) {
      const next = applyChangeSet(this.board, one);
      if (next === 'gap') {
        expect(one.changes).toEqual([{ op: 'reset' }]);
        this.resets += 1;
        this.board = { ...this.board, clock: one.clock };
      } else if (next !== 'stale') this.board = next;
    }
  }
  names(): unknown {
    return [...this.board.byKind.category.values()];
  }
}

describe('under load', () => {
  let server: FakeServer;
  beforeEach(() => {
    server = new FakeServer();
    vi.spyOn(performance, 'now').mockImplementation(() => server.now);
  });
  afterEach(() => void vi.restoreAllMocks());

  it('frames become larger and fewer, the event loop is never blocked longer, and every watcher ends with the server’s board', async () => {
    const WATCHERS = 200;
    const CHANGES = 2_000;
    const PER_TURN = 5;
    // A watcher costs so much that a turn's slice is over at the first look at the clock.
    server.packetMs = 1;
    const watchers: FakeWatcher[] = [];
    const enter = (clock: number): void => {
      const watcher = new FakeWatcher(clock);
      server.enter(`watcher ${watchers.length}`, ['members'], (packet) => watcher.read(packet));
      watchers.push(watcher);
    };
    for (let at = 0; at < WATCHERS; at += 1) enter(0);
    const broadcast = server.broadcast();
    const latest = new Map<number, string>();
    for (let clock = 1; clock <= CHANGES; clock += 1) {
      latest.set(clock % 50, `Named at ${clock}`);
      broadcast.changes(set(clock, category(clock % 50, `Named at ${clock}`)));
      if (clock % PER_TURN === 0) await turn();
      // A client that joins in the middle of a flush gets earlier commits in its answer.
      if (clock % 400 === 0) {
        enter(clock);
        const at = watchers.at(-1);
        if (at)
          at.board = boardFromSnapshot(clock, {
            category: [...latest].map(([id, name]) => ({ id, name })),
          });
      }
    }
    await quiet(server);
    const byId = (one: { id: number }, other: { id: number }): number => one.id - other.id;
    const wanted = [...latest].map(([id, name]) => ({ id, name })).sort(byId);
    for (const watcher of watchers) {
      expect(watcher.board.clock).toBe(CHANGES);
      expect(watcher.resets).toBe(0);
      expect([...watcher.board.byKind.category.values()].sort(byId)).toEqual(wanted);
    }
    expect(server.mostInATurn).toBeLessThanOrEqual(PACKETS_PER_CHECK);
    // A flush takes some four turns, during which twenty change sets arrive.
    expect(watchers[0]?.messages).toBeLessThan(CHANGES / 10);
    // Encoded once for all watchers.
    expect(server.frames.size).toBe(watchers[0]?.messages);
  });

  it.each([
    [
      'many',
      (broadcast: ReturnType<typeof createBroadcast>) => {
        for (let clock = 2; clock <= 10 * MAX_CATCH_UP; clock += 1)
          broadcast.changes(set(clock, category(1, `Named at ${clock}`)));
        return 10 * MAX_CATCH_UP;
      },
    ],
    [
      'long',
      (broadcast: ReturnType<typeof createBroadcast>) => {
        for (let clock = 2; clock <= 50; clock += 1)
          broadcast.changes(set(clock, category(1, 'x'.repeat(MAX_CATCH_UP_LENGTH / 10))));
        return 50;
      },
    ],
  ])(
    'too %s change sets that wait become one reset, and no heap of them grows',
    async (_, load) => {
      let bytes = 0;
      let resets = 0;
      let last = 0;
      server.enter('watcher', ['members'], (packet) => {
        if (packet.event !== 'changes') return;
        bytes = Math.max(bytes, JSON.stringify(packet.sets).length);
        for (const one of packet.sets) {
          if (one.changes.some(({ op }) => op === 'reset')) resets += 1;
          else if (resets > 0) expect(one.clock).toBe(last + 1);
          last = one.clock;
        }
      });
      const broadcast = server.broadcast();
      broadcast.changes(set(1));
      const until = load(broadcast);
      await quiet(server);
      expect([resets, last]).toEqual([1, until]);
      expect(bytes).toBeLessThan(2 * MAX_CATCH_UP_LENGTH);
    },
  );

  it('a reset replaces the change sets queued before it', async () => {
    const packets: ChangeSet[] = [];
    server.enter('watcher', ['members'], (packet) =>
      packets.push(...(packet.event === 'changes' ? packet.sets : [])),
    );
    const broadcast = server.broadcast();
    broadcast.changes(set(1, category(1, 'Caves')));
    broadcast.changes(set(2, { audience: 'all', change: { op: 'reset' } }));
    broadcast.changes(set(3, category(1, 'Coasts')));
    await quiet(server);
    expect(packets.map(({ clock }) => clock)).toEqual([2, 3]);
  });

  it('presence that waits is the newest of each person, and no person gets their own', async () => {
    server.packetMs = 1;
    const PEOPLE = 100;
    const packets = Array.from(
      { length: PEOPLE },
      (): Map<string, number | undefined> => new Map(),
    );
    let packetCount = 0;
    for (const [at, known] of packets.entries()) {
      server.enter(`socket ${at}`, ['members', `person ${at}`], (packet) => {
        if (packet.event !== 'presence') return;
        for (const news of packet.change.op === 'several' ? packet.change.news : [packet.change]) {
          if (news.op !== 'put') continue;
          packetCount += 1;
          known.set(news.chooser.id, news.chooser.choices[0]?.hour_start);
        }
      });
    }
    const broadcast = server.broadcast();
    const choice = (id: string, hour_start: number): PresenceNews => ({
      op: 'put',
      chooser: {
        id,
        name: id,
        choices: [{ respawn_id: 1, date: '2026-11-21', hour_start, hour_end: 24 }],
      },
    });
    const ROUNDS = 23;
    for (let hour = 0; hour < ROUNDS; hour += 1) {
      broadcast.presence(Array.from({ length: PEOPLE }, (_, at) => choice(`person ${at}`, hour)));
      await turn();
    }
    await quiet(server);
    for (const [at, known] of packets.entries()) {
      expect(known.size).toBe(PEOPLE - 1);
      expect(known.has(`person ${at}`)).toBe(false);
      expect(new Set(known.values())).toEqual(new Set([ROUNDS - 1]));
    }
    expect(packetCount).toBeLessThan((ROUNDS / 2) * PEOPLE * PEOPLE);
    expect(server.mostInATurn).toBeLessThanOrEqual(PACKETS_PER_CHECK);
  });
});

describe('change sets that members see nothing of', () => {
  const forAdmins = (clock: number): StoredChangeSet =>
    set(clock, { audience: 'admins', change: { op: 'remove', kind: 'verified_code', id: clock } });
  const DELAY_MS = 1_000;

  async function packetsOf(
    work: (
      broadcast: ReturnType<typeof createBroadcast>,
      packets: Record<'members' | 'admins', number[][]>,
    ) => Promise<void>,
  ) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const server = new FakeServer();
      const packets = { members: [] as number[][], admins: [] as number[][] };
      for (const role of ['members', 'admins'] as const) {
        server.enter(role, [role], (packet) => {
          if (packet.event === 'changes') packets[role].push(packet.sets.map(({ clock }) => clock));
        });
      }
      await work(server.broadcast(DELAY_MS), packets);
      await quiet(server);
      return packets;
    } finally {
      vi.useRealTimers();
    }
  }

  it('wake no member: they go with the next one that members see', async () => {
    const packets = await packetsOf(async (broadcast, received) => {
      for (const clock of [1, 2, 3]) {
        broadcast.changes(forAdmins(clock));
        await turn();
        await turn();
      }
      expect(received.members).toEqual([]);
      broadcast.changes(set(4, category(1, 'Caves')));
    });
    expect(packets).toEqual({ members: [[1, 2, 3, 4]], admins: [[1], [2], [3], [4]] });
  });

  it('reach members together after a while, so that their clocks do not fall behind', async () => {
    const packets = await packetsOf(async (broadcast) => {
      for (const clock of [1, 2, 3]) broadcast.changes(forAdmins(clock));
      vi.advanceTimersByTime(DELAY_MS);
      for (let at = 0; at < 5; at += 1) await turn();
      broadcast.changes(forAdmins(4));
      vi.advanceTimersByTime(DELAY_MS);
    });
    expect(packets.members).toEqual([[1, 2, 3], [4]]);
  });

  it('do not wait when they are many', async () => {
    const packets = await packetsOf(async (broadcast) => {
      for (let clock = 1; clock <= MAX_EMPTY_SETS + 1; clock += 1)
        broadcast.changes(forAdmins(clock));
    });
    expect(packets.members.flat()).toHaveLength(MAX_EMPTY_SETS + 1);
  });
});
