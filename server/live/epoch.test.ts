import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { aClaim, aKey, asMember, changeUnheard, submitted } from '../dev/test/builders.ts';
import { databases, freshDatabase } from '../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';

/** A fixed address with exchangeable servers behind it. */
async function anAddress(): Promise<{ url: string; leadTo: (app: TestApp) => void }> {
  let port = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  const url = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
  return {
    url,
    leadTo: (app) => {
      port = Number(new URL(app.url).port);
      for (const socket of open) socket.destroy();
      open.clear();
    },
  };
}

/** The same key on another database: a guild that started over, or a test server that took the address. */
async function sameKey(app: TestApp, key: AccessKey): Promise<void> {
  await aKey(app, key.character_name);
  await changeUnheard(app, (tx) =>
    tx.updateTable('access_keys').set({ key_value: key.key_value }).execute(),
  );
}

describe.each(databases)('a history on %s', (dialect) => {
  it('that is another one is not caught up with, though its clock is ahead', async () => {
    const first = await createTestApp(dialect);
    const second = await createTestApp(dialect);
    const key = await aKey(first);
    const { url, leadTo } = await anAddress();
    leadTo(first);
    const [claim] = await submitted(first, key, aClaim(key));
    const watcher = new Watcher(url, { access_key: key.key_value });
    await watcher.connect();
    expect(watcher.records('claim').size).toBe(1);

    await sameKey(second, key);
    while (second.ctx.bus.clock() < first.ctx.bus.clock() + 3) await aKey(second);
    watcher.disconnect();
    leadTo(second);
    await watcher.connect();
    await watcher.reached(second.ctx.bus.clock());
    expect(watcher.snapshots).toBe(2);
    expect(claim && watcher.records('claim').has(String(claim.id))).toBe(false);

    const fresh = new Watcher(url, { access_key: key.key_value });
    await fresh.connect();
    expect(watcher.board).toEqual(fresh.board);
  });

  it('is part of the ETag: the board of another one is never taken for this one’s', async () => {
    const first = await createTestApp(dialect);
    const second = await createTestApp(dialect);
    const key = await aKey(first);
    await sameKey(second, key);
    while (first.ctx.bus.clock() !== second.ctx.bus.clock()) {
      await aKey(first.ctx.bus.clock() < second.ctx.bus.clock() ? first : second);
    }
    const { etag = '' } = (await first.api.get('/respawns').set(asMember(key)).expect(200)).headers;
    expect(etag).toBe(`W/"${first.ctx.bus.epoch}-${first.ctx.bus.clock()}"`);
    await first.api.get('/respawns').set(asMember(key)).set('If-None-Match', etag).expect(304);
    await second.api.get('/respawns').set(asMember(key)).set('If-None-Match', etag).expect(200);
  });
});

it('a history continues when another server takes over its database: a client that was away catches up', async () => {
  const on = await freshDatabase('postgres');
  const before = await createTestApp('postgres', { on });
  const key = await aKey(before);
  const { url, leadTo } = await anAddress();
  leadTo(before);
  const watcher = new Watcher(url, { access_key: key.key_value });
  await watcher.connect();
  watcher.disconnect();
  await submitted(before, key, aClaim(key));
  const after = await createTestApp('postgres', { on });
  leadTo(after);
  await watcher.connect();
  await watcher.reached(after.ctx.bus.clock());
  expect(watcher.snapshots).toBe(1);
  expect(watcher.records('claim').size).toBe(1);
});
