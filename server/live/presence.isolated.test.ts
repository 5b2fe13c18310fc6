import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CHOOSING_MS,
  type ChosenHours,
  type PresenceChange,
  type PresenceNews,
} from '../../shared/live.ts';
import {
  BATCH_MS,
  batchNews,
  COUNT_EVERY_MS,
  createPresence,
  HEARTBEAT_MS,
  inOneMessage,
  NEWS_PER_MESSAGE,
  type Presence,
  presenceMessages,
  SILENT_AFTER_MS,
} from './presence.ts';
import { createPresenceRelay, type PresenceRelay } from './presence-relay.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const riley = { id: 'member:riley', name: 'Riley' };
const hours = (hour_start: number, respawn_id = 1): ChosenHours[] => [
  { respawn_id, date: '2026-11-21', hour_start, hour_end: hour_start + 4 },
];

interface Server {
  presence: Presence;
  relay: PresenceRelay;
  changes: PresenceChange[];
}

const failed = (error: unknown): never => {
  throw error;
};

function aServer(relay = createPresenceRelay()): Server {
  const changes: PresenceChange[] = [];
  const presence = createPresence({
    relay,
    now: () => new Date(),
    tell: (change) => void changes.push(change),
    failed,
  });
  return { presence, relay, changes };
}

const counts = (changes: readonly PresenceChange[]): number[] =>
  changes.flatMap((change) => (change.op === 'watching' ? [change.watching] : []));
const choosersOf = ({ presence }: Server): unknown => {
  const state = presence.stateFor('member:somebody else');
  return state.op === 'state' ? state.choosers : null;
};

describe('a choice', () => {
  it('expires sixty seconds after its last change', () => {
    const server = aServer();
    server.presence.choose('a', riley, hours(10));
    vi.advanceTimersByTime(CHOOSING_MS - 1);
    server.presence.choose('a', riley, hours(11));
    vi.advanceTimersByTime(CHOOSING_MS - 1);
    expect(choosersOf(server)).toEqual([{ ...riley, choices: hours(11) }]);
    vi.advanceTimersByTime(1);
    expect(choosersOf(server)).toEqual([]);
    expect(server.changes.map((change) => change.op)).toEqual(['put', 'put', 'remove']);
  });

  it('is neither sent again nor extended when it is repeated', () => {
    const server = aServer();
    server.presence.choose('a', riley, hours(10));
    vi.advanceTimersByTime(40_000);
    server.presence.choose('b', riley, hours(10));
    expect(server.changes).toHaveLength(1);
    vi.advanceTimersByTime(20_000);
    expect(choosersOf(server)).toEqual([]);
  });

  it('is one for each person: the page that chose last is the only one that can take it back', () => {
    const server = aServer();
    server.presence.choose('a', riley, hours(10));
    server.presence.choose('b', riley, hours(16, 2));
    server.presence.withdraw('a', riley.id);
    expect(choosersOf(server)).toEqual([{ ...riley, choices: hours(16, 2) }]);
    server.presence.withdraw('b', riley.id);
    expect(choosersOf(server)).toEqual([]);
  });

  it('is no news to who made it', () => {
    const { presence } = aServer();
    presence.choose('a', riley, hours(10));
    expect(presence.stateFor(riley.id)).toMatchObject({ choosers: [] });
  });
});

describe('the number of watchers', () => {
  it('counts a person with three pages once, and is sent at most once a second', () => {
    const { presence, changes } = aServer();
    for (let page = 0; page < 3; page += 1) presence.arrive(riley.id);
    presence.arrive('member:sable');
    expect(changes).toEqual([]);
    vi.advanceTimersByTime(COUNT_EVERY_MS);
    presence.leave(riley.id);
    vi.advanceTimersByTime(COUNT_EVERY_MS);
    expect(counts(changes)).toEqual([2]);
    presence.leave(riley.id);
    presence.leave(riley.id);
    vi.advanceTimersByTime(COUNT_EVERY_MS);
    expect(counts(changes)).toEqual([2, 1]);
  });

  it('sends nothing when a page was reloaded', () => {
    const { presence, changes } = aServer();
    presence.arrive(riley.id);
    vi.advanceTimersByTime(COUNT_EVERY_MS);
    presence.leave(riley.id);
    presence.arrive(riley.id);
    vi.advanceTimersByTime(COUNT_EVERY_MS);
    expect(counts(changes)).toEqual([1]);
  });

  it('is corrected for a client that joined in between and received another number', () => {
    const { presence, changes } = aServer();
    presence.arrive(riley.id);
    vi.advanceTimersByTime(COUNT_EVERY_MS);
    presence.arrive('member:sable');
    expect(presence.stateFor('member:sable')).toMatchObject({ watching: 2 });
    presence.leave(riley.id);
    vi.advanceTimersByTime(COUNT_EVERY_MS);
    expect(counts(changes)).toEqual([1, 1]);
  });
});

/** Two servers and the line between them, which hands everything to both, the sender too, in one order. */
function twoServers(): { servers: [Server, Server]; cut: () => void } {
  const relays = [createPresenceRelay(), createPresenceRelay()] as const;
  const servers: [Server, Server] = [aServer(relays[0]), aServer(relays[1])];
  let isCut = false;
  for (const relay of relays) {
    relay.connect((text) => {
      if (!isCut) for (const other of relays) other.receive(text);
    });
  }
  return {
    servers,
    cut: () => {
      isCut = true;
    },
  };
}

describe('two servers', () => {
  it('show each other’s choosers, and add up their watchers', () => {
    const { servers } = twoServers();
    const [first, second] = servers;
    first.presence.arrive(riley.id);
    second.presence.arrive('member:sable');
    first.presence.choose('a', riley, hours(10));
    vi.advanceTimersByTime(2 * COUNT_EVERY_MS);
    expect(choosersOf(second)).toEqual([{ ...riley, choices: hours(10) }]);
    for (const { changes } of servers) expect(counts(changes).at(-1)).toBe(2);
    first.presence.withdraw('a', riley.id);
    expect(choosersOf(second)).toEqual([]);
  });

  it('reach a server that starts later, for the rest of their time', () => {
    const { servers } = twoServers();
    const [first, second] = servers;
    const line = (text: string): void => {
      for (const { relay } of [...servers, third]) relay.receive(text);
    };
    first.presence.arrive(riley.id);
    first.presence.choose('a', riley, hours(10));
    vi.advanceTimersByTime(50_000);
    const third = aServer();
    for (const { relay } of [first, second, third]) relay.connect(line);
    expect(choosersOf(third)).toEqual([{ ...riley, choices: hours(10) }]);
    expect(third.presence.stateFor('member:sable')).toMatchObject({ watching: 1 });
    vi.advanceTimersByTime(10_000);
    expect(choosersOf(third)).toEqual([]);
  });

  it('forget the watchers of one that stops at once, and of one that falls silent after a while', () => {
    for (const [end, after_ms] of [
      ['stop', 0],
      ['cut', SILENT_AFTER_MS],
    ] as const) {
      const { servers, cut } = twoServers();
      const [first, second] = servers;
      second.presence.arrive('member:sable');
      // Its heartbeat keeps it in mind.
      vi.advanceTimersByTime(3 * SILENT_AFTER_MS);
      expect(first.presence.stateFor(riley.id)).toMatchObject({ watching: 1 });
      if (end === 'stop') second.presence.stop();
      else cut();
      vi.advanceTimersByTime(after_ms + HEARTBEAT_MS);
      expect(first.presence.stateFor(riley.id)).toMatchObject({ watching: 0 });
    }
  });

  it('get nothing of a message for others', () => {
    const server = aServer();
    for (const text of [
      '',
      '{}',
      'null',
      '{"op":"put","server":"x"}',
      '{"op":"watching","server":"x","people":-1}',
    ])
      server.relay.receive(text);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(server.changes).toEqual([]);
  });
});

const put = (id: string, hour_start = 10): PresenceNews => ({
  op: 'put',
  chooser: {
    id,
    name: id,
    choices: [{ respawn_id: 1, date: '2026-11-21', hour_start, hour_end: 24 }],
  },
});

function startBatches(tell: (news: readonly PresenceNews[]) => void = () => {}) {
  const batches: (readonly PresenceNews[])[] = [];
  const failures: unknown[] = [];
  const { add, stop } = batchNews(
    (news) => {
      batches.push(news);
      tell(news);
    },
    (error) => failures.push(error),
  );
  return { add, stop, batches, failures };
}

describe('presence updates to watchers', () => {
  it('is sent at once after a quiet moment, and then once per interval, for any number of choices', () => {
    const { add, batches } = startBatches();
    add(put('first'));
    expect(batches).toEqual([[put('first')]]);
    const stretches = 5;
    for (let ms = 0; ms < stretches * BATCH_MS; ms += 10) {
      for (let who = 0; who < 100; who += 1) add(put(`chooser ${who}`, ms % 20));
      vi.advanceTimersByTime(10);
    }
    expect(batches).toHaveLength(1 + stretches);
    for (const news of batches.slice(1)) expect(news).toHaveLength(100);
    vi.advanceTimersByTime(BATCH_MS);
    add(put('after a quiet while'));
    expect(batches.at(-1)).toEqual([put('after a quiet while')]);
  });

  it('contain each person’s latest selection, and the number of watchers', () => {
    const { add, batches } = startBatches();
    add({ op: 'watching', watching: 1 });
    add(put('riley', 10));
    add({ op: 'watching', watching: 2 });
    add(put('riley', 12));
    add(put('sable', 1));
    add({ op: 'watching', watching: 3 });
    add({ op: 'remove', id: 'sable' });
    vi.advanceTimersByTime(BATCH_MS);
    expect(batches.at(-1)).toHaveLength(3);
    expect(batches.at(-1)).toEqual(
      expect.arrayContaining([
        put('riley', 12),
        { op: 'watching', watching: 3 },
        { op: 'remove', id: 'sable' },
      ]),
    );
  });

  it('continue after a failed broadcast, and stop with the server', () => {
    const { add, stop, batches, failures } = startBatches((news) => {
      if (news.length > 1) throw new Error('not to be told');
    });
    add(put('riley'));
    add(put('sable'));
    add(put('bram'));
    vi.advanceTimersByTime(BATCH_MS);
    expect(failures).toHaveLength(1);
    add(put('riley', 12));
    stop();
    vi.advanceTimersByTime(BATCH_MS);
    expect(batches).toHaveLength(2);
  });

  it('reaches everyone but its subject, and hundreds cost as much as they are, not their square', () => {
    const all = Array.from({ length: 400 }, (_, n) => put(`chooser ${n}`));
    const batches = [...presenceMessages(all, ['everybody'])].map(
      ({ message, to, except = [] }) => ({
        news: message.op === 'several' ? message.news : message.op === 'state' ? [] : [message],
        isFor: (id: string) => (to.includes('everybody') ? !except.includes(id) : to.includes(id)),
      }),
    );
    for (const n of [0, 30, 399]) {
      const received = batches
        .filter(({ isFor }) => isFor(`chooser ${n}`))
        .flatMap(({ news }) => news);
      expect(new Set(received)).toEqual(new Set(all.toSpliced(n, 1)));
      expect(received).toHaveLength(399);
    }
    expect(batches.reduce((sum, { news }) => sum + news.length, 0)).toBeLessThanOrEqual(
      all.length * NEWS_PER_MESSAGE,
    );
  });

  it('is one message: of one piece of news that piece, as watchers of every version know it', () => {
    expect(inOneMessage([put('riley')])).toEqual(put('riley'));
    expect(inOneMessage([put('riley'), put('sable')])).toEqual({
      op: 'several',
      news: [put('riley'), put('sable')],
    });
  });
});
