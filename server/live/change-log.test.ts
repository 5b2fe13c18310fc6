import { describe, expect, it } from 'vitest';
import { write } from '../db/unit-of-work.ts';
import { connected } from '../dev/test/board-watcher.ts';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { connect } from '../dev/test/watcher.ts';
import { keepRecentChangeSets, type Listener, MAX_CATCH_UP, MAX_CATCH_UP_LENGTH } from './bus.ts';

function aBus(begin: number) {
  let last = begin;
  const listeners: Listener[] = [];
  const restarts: (() => void)[] = [];
  const handOut = (clock: number, name = ''): void => {
    last = clock;
    const change = { op: 'put', kind: 'category', record: { id: 1, name } } as const;
    for (const listener of listeners)
      listener({ clock, at: '', changes: [{ audience: 'all', change }] });
  };
  const bus = {
    clock: () => last,
    listen: (listener: Listener) => listeners.push(listener),
    onNewHistory: (listener: () => void) => restarts.push(listener),
  };
  return { bus, handOut, restart: () => restarts.forEach((each) => void each()) };
}

describe('the change sets in memory', () => {
  it('are those after a clock, as far back as they reach', () => {
    const { bus, handOut } = aBus(10);
    const { since } = keepRecentChangeSets(bus);
    expect(since(9)).toBeNull();
    for (const clock of [11, 12, 13]) handOut(clock);
    expect(since(11)?.map(({ clock }) => clock)).toEqual([12, 13]);
    expect(since(10)?.map(({ clock }) => clock)).toEqual([11, 12, 13]);
    expect(since(9)).toBeNull();
  });

  it('are bounded in number and length for a client that catches up', () => {
    const { bus, handOut } = aBus(0);
    const { since } = keepRecentChangeSets(bus);
    for (let clock = 1; clock <= MAX_CATCH_UP + 5; clock += 1) handOut(clock);
    expect(since(4)).toBeNull();
    expect(since(5)).toHaveLength(MAX_CATCH_UP);
    handOut(MAX_CATCH_UP + 6, '.'.repeat(MAX_CATCH_UP_LENGTH - 1_000));
    expect(since(5)).toBeNull();
    expect(since(MAX_CATCH_UP + 5)).toHaveLength(1);
    handOut(MAX_CATCH_UP + 7, '.'.repeat(MAX_CATCH_UP_LENGTH + 1));
    expect(since(MAX_CATCH_UP + 6)).toBeNull();
  });

  it('are forgotten with their history, and where one is missing', () => {
    const { bus, handOut, restart } = aBus(0);
    const { since } = keepRecentChangeSets(bus);
    handOut(1);
    handOut(3);
    expect(since(0)).toBeNull();
    expect(since(2)).toHaveLength(1);
    restart();
    expect(since(2)).toBeNull();
  });
});

it.each(databases)(
  'a client that lacks a few changes gets them without a query, on %s',
  async (dialect) => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    // Change sets before the first one received are read from the table.
    await connected(connect(app.url, { access_key: key.key_value }));
    const clock = app.ctx.bus.clock();
    await submitted(app, key, aClaim(key));
    await write(app.ctx, async ({ tx }) => void (await tx.deleteFrom('changes').execute()));
    const socket = connect(app.url, { access_key: key.key_value });
    await connected(socket);
    expect(await socket.emitWithAck('sync', clock)).toMatchObject({
      clock: clock + 2,
      change_sets: [{ clock: clock + 1 }, { clock: clock + 2, changes: [] }],
    });
  },
);
