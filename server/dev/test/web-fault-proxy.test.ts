import { expect, it, onTestFinished } from 'vitest';
import { omit } from '../../../shared/omit.ts';
import { dial } from './board-watcher.ts';
import { aKey } from './builders.ts';
import { createTestApp } from './test-app.ts';
import { connect, nextChanges } from './watcher.ts';
import { portalPage, startWebFaultProxy, type WebFaultProxy } from './web-fault-proxy.ts';

async function behindProxy() {
  const app = await createTestApp('sqlite');
  const proxy = await startWebFaultProxy(app.url);
  onTestFinished(() => proxy.close());
  const { key_value } = await aKey(app, 'Sable Quinn');
  const call = (path: string): Promise<Response> => fetch(`${proxy.url}${path}`);
  const rename = async (name: string): Promise<void> =>
    void (await app.api.put('/categories/2').set(app.admin).send({ name }).expect(200));
  return { app, proxy, key_value, call, rename };
}

async function watching(proxy: WebFaultProxy, access_key: string) {
  const socket = connect(proxy.url, { access_key });
  await new Promise<void>((connected) => socket.once('connect', connected));
  await socket.emitWithAck('sync', null);
  return socket;
}

it('passes calls and live connections on as they are', async () => {
  const { app, proxy, key_value, call, rename } = await behindProxy();
  const config = omit(await (await call('/api/config')).json(), 'server_time');
  expect((await app.api.get('/config')).body).toMatchObject(config);
  expect(
    (
      await fetch(`${proxy.url}/api/login`, {
        method: 'POST',
        body: 'no json',
        headers: { 'Content-Type': 'application/json' },
      })
    ).status,
  ).toBe(400);
  const changes = nextChanges(await watching(proxy, key_value));
  await rename('Caves');
  expect((await changes).changes[0]).toMatchObject({ kind: 'category', record: { name: 'Caves' } });
});

it('answers chosen paths with another page, live connections included, until it is healed', async () => {
  const { proxy, key_value, call } = await behindProxy();
  proxy.fault(/^\/(api\/config|socket\.io)/, portalPage(403));
  const answer = await call('/api/config');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html']);
  expect((await call('/api/categories')).status).toBe(200);
  const socket = dial(proxy.url, { access_key: key_value });
  onTestFinished(() => void socket.disconnect());
  expect(await new Promise((failed) => socket.once('connect_error', failed))).not.toHaveProperty(
    'data',
  );
  proxy.heal();
  expect((await call('/api/config')).status).toBe(200);
});

it('delays, cuts, and never answers', async () => {
  const { proxy, call } = await behindProxy();
  proxy.fault(/config/, { delay_ms: 50 });
  const before = performance.now();
  expect((await call('/api/config')).status).toBe(200);
  expect(performance.now() - before).toBeGreaterThan(40);
  proxy.fault(/config/, 'cut');
  await expect(call('/api/config')).rejects.toThrow();
  proxy.fault(/config/, 'silent');
  await expect(
    fetch(`${proxy.url}/api/config`, { signal: AbortSignal.timeout(200) }),
  ).rejects.toThrow('timeout');
  proxy.heal();
  proxy.become('cut');
  await expect(call('/api/config')).rejects.toThrow();
  proxy.become('pass');
  expect((await call('/api/config')).status).toBe(200);
});

it('cuts open live connections, or keeps them silent', async () => {
  const { proxy, key_value, rename } = await behindProxy();
  const cut = await watching(proxy, key_value);
  const gone = new Promise((lost) => cut.once('disconnect', lost));
  proxy.fault(/socket\.io/, 'cut');
  expect(await gone).toBe('transport close');
  proxy.heal();
  const frozen = await watching(proxy, key_value);
  const other = await watching(proxy, key_value);
  let changes = 0;
  frozen.on('changes', () => {
    changes += 1;
  });
  // Later connections work again.
  proxy.fault(/socket\.io/, 'silent');
  proxy.heal();
  const late = nextChanges(await watching(proxy, key_value));
  await rename('Caves');
  await late;
  expect([changes, frozen.connected, other.connected]).toEqual([0, true, true]);
});

it('rewrites what the server says, and leaves out what is rewritten to nothing', async () => {
  const { proxy, key_value, rename } = await behindProxy();
  const socket = await watching(proxy, key_value);
  const long = 'x'.repeat(70_000);
  proxy.rewrite((text) =>
    text.includes('Caves') ? null : text.replace('"kind":"category"', `"kind":"${long}"`),
  );
  const changes = nextChanges(socket);
  await rename('Caves');
  await rename('Ruins');
  expect((await changes).changes[0]).toMatchObject({ kind: long, record: { name: 'Ruins' } });
});
