import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type StoredChangeSet, write } from '../db/unit-of-work.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  asMember,
  changeUnheard,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { createTestApp, NOW } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';
import { createBus } from './bus.ts';
import { listenToPostgres } from './postgres-listener.ts';
import { createPresenceRelay } from './presence-relay.ts';

describe('the bus', () => {
  it('loses no wake-up, even at the end of a catch-up', async () => {
    const app = await createTestApp('sqlite');
    const { bus } = app.ctx;
    await bus.idle();
    const other = new BetterSqlite(path.join(app.settings.DATA_DIR, 'claimboard.sqlite'));
    onTestFinished(() => void other.close());
    const writeElsewhere = (): void => {
      other.exec(
        `update clock set value = value + 1; insert into changes select value, '[]', 'now' from clock`,
      );
    };
    let late = 0;
    let pending = false;
    bus.listen(() => {
      if (!pending) return;
      pending = false;
      // The first notification's catch-up has read everything; a second one follows a few milliseconds later.
      writeElsewhere();
      let at = late;
      const soon = (): void => {
        if (at === 0) bus.wake();
        else queueMicrotask(soon);
        at -= 1;
      };
      soon();
    });
    for (late = 0; late < 20; late += 1) {
      const before = bus.clock();
      pending = true;
      writeElsewhere();
      bus.wake();
      await bus.idle();
      await expect
        .poll(() => bus.clock(), { message: `${late} moments later`, timeout: 1_000 })
        .toBe(before + 2);
    }
  });

  it('calls the other listeners when one fails, and counts the failure', async () => {
    const app = await createTestApp('sqlite');
    const clocks: number[] = [];
    app.ctx.bus.listen(() => {
      throw new Error('a listener that fails');
    });
    app.ctx.bus.listen(({ clock }) => clocks.push(clock));
    const before = app.ctx.bus.clock();
    await aKey(app);
    await aKey(app);
    expect(clocks).toEqual([before + 1, before + 2]);
    const failures = await app.ctx.metrics.failures.get();
    expect(failures.values).toMatchObject([{ labels: { where: 'live' }, value: 2 }]);
  });
});

describe.each(databases)(
  'a write on %s, where another process wrote unheard before it',
  (dialect) => {
    it('is answered when this server has read both: later readers see them, and revoked keys are refused', async () => {
      const app = await createTestApp(dialect);
      const key = await aKey(app);
      await app.api.get('/respawns').set(asMember(key)).expect(200);
      const before = app.ctx.bus.clock();
      await changeUnheard(app, async (tx) => {
        await tx
          .updateTable('clock')
          .set({ value: before + 1 })
          .execute();
        await tx
          .insertInto('changes')
          .values({ clock: before + 1, body: '[]', at: NOW })
          .execute();
      });
      await write(app.ctx, async ({ tx, changes }) => {
        await tx
          .updateTable('access_keys')
          .set({ is_revoked: 1 })
          .where('id', '=', key.id)
          .execute();
        changes.put({ kind: 'access_key', record: { ...key, is_revoked: 1 } });
      });
      expect(app.ctx.bus.clock()).toBe(before + 2);
      await app.api.get('/respawns').set(asMember(key)).expect(403);
    });
  },
);

describe('the bus, where a write is offered between its reading of the clock and its judging', () => {
  it('does not take that for a clock that went back', async () => {
    const app = await createTestApp('sqlite');
    const other = new BetterSqlite(path.join(app.settings.DATA_DIR, 'claimboard.sqlite'));
    onTestFinished(() => void other.close());
    let between = (_clock: number): void => {};
    const meddled = app.ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const [row] = result.rows;
        if (row && Object.keys(row).join() === 'value') between(Number(row.value));
        return result;
      },
    });
    const bus = await createBus(meddled, 'sqlite', app.ctx);
    const { epoch } = bus;
    const clocks: number[] = [];
    bus.listen(({ clock }) => clocks.push(clock));
    let offered = 0;
    between = (value) => {
      if (offered > 0) return;
      offered = value + 1;
      other.exec(
        `update clock set value = value + 1; insert into changes select value, '[]', 'now' from clock`,
      );
      bus.offer({ clock: offered, at: 'now', changes: [] });
    };
    bus.wake();
    await bus.idle();
    expect(offered).toBeGreaterThan(0);
    expect(clocks).toEqual([offered]);
    expect(bus.epoch).toBe(epoch);
  });

  it('does not look again for one that a catch-up has handed out already', async () => {
    const app = await createTestApp('sqlite');
    let reads = 0;
    const counted = app.ctx.db.withPlugin({
      transformQuery: ({ node }) => {
        reads += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const bus = await createBus(counted, 'sqlite', app.ctx);
    const stored: StoredChangeSet[] = [];
    app.ctx.bus.listen((set) => stored.push(set));
    await aKey(app);
    bus.wake(bus.clock() + 1);
    await bus.idle();
    const [set] = stored;
    if (!set) throw new Error('a change set');
    expect(bus.clock()).toBe(set.clock);
    reads = 0;
    bus.offer(set);
    await bus.idle();
    expect(reads).toBe(0);
  });
});

describe.each(databases)('a new server-save day on %s', (dialect) => {
  it('reloads no board while an event is active: the date takes nothing off it', async () => {
    const { correctBoardDate } = await import('../board/config/day.ts');
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await anActiveEvent(app);
    await submitted(app, key, aClaim(key));
    const watcher = new Watcher(app.url, { access_key: key.key_value });
    await watcher.connect();
    app.setNow('2026-11-22T18:00:00.000Z');
    const clock = app.ctx.bus.clock();
    await correctBoardDate(app.ctx);
    expect(app.ctx.bus.clock()).toBe(clock + 1);
    await watcher.reached(clock + 1);
    expect(watcher.snapshots).toBe(1);
    expect(watcher.records('claim').size).toBe(1);
  });
});

describe('listening to PostgreSQL', () => {
  it('closes a connection that cannot listen', async () => {
    const app = await createTestApp('sqlite');
    const open = new Set<Socket>();
    let opened = 0;
    // As far as a server goes that lets in and then refuses: AuthenticationOk and ReadyForQuery, then an error.
    const server = createServer((socket) => {
      opened += 1;
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(
          Buffer.concat([message('R', Buffer.from([0, 0, 0, 0])), message('Z', Buffer.from('I'))]),
        );
        socket.on('data', (data) => {
          if (data[0] === 'Q'.charCodeAt(0))
            socket.write(message('E', Buffer.from('SERROR\0C25006\0Mno listening here\0\0')));
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address: AddressInfo | string | null = server.address();
    const url = `postgres://u@127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/d`;
    const log = pino({ level: 'silent' });
    await expect(
      listenToPostgres(url, { bus: app.ctx.bus, presence: createPresenceRelay(), log }),
    ).rejects.toThrow('no listening here');
    expect(opened).toBe(1);
    await expect.poll(() => open.size).toBe(0);
  });
});

/** A message of PostgreSQL's protocol. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
