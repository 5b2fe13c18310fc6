import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { connected } from '../test/board-watcher.ts';
import { aClaim, aKey, submitted } from '../test/builders.ts';
import { databases } from '../test/databases.ts';
import { createTestApp } from '../test/test-app.ts';
import { connect, Watcher } from '../test/watcher.ts';
import { MAX_WAITING } from './broadcast.ts';

const original = Socket.prototype.write;

describe.each(databases)('a change on %s', (dialect) => {
  it('is told after whoever made it was answered', async () => {
    const app = await createTestApp(dialect);
    // What a server writes it tells by itself. PostgreSQL's notice of it, on a connection of its own, may be heard before its answer to the commit.
    vi.spyOn(app.ctx.bus, 'wake').mockImplementation(() => {});
    const key = await aKey(app);
    const watchers = [1, 2, 3].map(() => new Watcher(app.url, { access_key: key.key_value }));
    await Promise.all(watchers.map((watcher) => watcher.connect()));
    const sent: string[] = [];
    const write = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...all: unknown[]) {
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
it('more changes than may wait are told in their order all the same, each to everyone once', async () => {
  const app = await createTestApp('sqlite');
  const key = await aKey(app);
  const sockets = [1, 2].map(() => connect(app.url, { access_key: key.key_value }));
  const heard = sockets.map((): number[] => []);
  const many = 2 * MAX_WAITING + 10;
  const first = app.ctx.bus.clock() + 1;
  const done = sockets.map(
    (socket, at) =>
      new Promise<void>((resolve) => {
        socket.on('changes', ({ clock }) => {
          heard[at]?.push(clock);
          if (clock === first + many - 1) resolve();
        });
      }),
  );
  await Promise.all(sockets.map(connected));
  await Promise.all(sockets.map((socket) => socket.emitWithAck('sync', null)));
  for (let clock = first; clock < first + many; clock += 1) app.ctx.bus.offer({ clock, at: '', changes: [] });
  await Promise.all(done);
  for (const clocks of heard) expect(clocks).toEqual(Array.from({ length: many }, (_, at) => first + at));
});
