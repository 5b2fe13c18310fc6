import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHOOSING_MS, type ChosenHours, type PresenceChange } from '../../shared/live.ts';
import { COUNT_EVERY_MS, createPresence, HEARTBEAT_MS, type Presence, SILENT_AFTER_MS } from './presence.ts';
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
  const presence = createPresence({ relay, now: () => new Date(), tell: (change) => void changes.push(change), failed });
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
    for (const text of ['', '{}', 'null', '{"op":"put","server":"x"}', '{"op":"watching","server":"x","people":-1}'])
      server.relay.receive(text);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(server.changes).toEqual([]);
  });
});
