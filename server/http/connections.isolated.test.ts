import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connections as proof } from '../dev/prove/connections/index.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { type RawClient, rawClient } from '../live/test/raw-client.ts';

/** Long enough for the test's own login. */
const patience = { bounds: { silence_ms: 2_000, keep_alive_ms: 50, headers_ms: 500, request_ms: 700, check_ms: 20, unanswered: 1_000 } };

const get = (path: string, ...headers: string[]): string => `${[`GET ${path} HTTP/1.1`, 'Host: board', ...headers].join('\r\n')}\r\n\r\n`;
const upgrade = (path: string, protocol = 'websocket'): string => get(path, 'Connection: Upgrade', `Upgrade: ${protocol}`);

async function connection(app: TestApp, ...requests: string[]): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(requests.join(''));
  return socket;
}

async function answered(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.resume().once('close', () => resolve()));

/** Those that the test's own calls keep for later are closed by the server as well. */
const allClosed = (app: TestApp): Promise<void> => vi.waitFor(() => expect(app.connections()).toBe(0), { timeout: 20_000, interval: 20 });

describe('a connection that wishes for another protocol', () => {
  it.each(['websocket', 'h2c'])('%s anywhere but on the live path, is answered in HTTP', async (protocol) => {
    const app = await createTestApp('sqlite');
    for (const path of ['/healthz', '/healthz?/socket.io/', '/api/config']) {
      const socket = await connection(app, upgrade(path, protocol));
      expect(await answered(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
      socket.resetAndDestroy();
    }
    await supertest(app.url).get('/healthz').expect(200);
  });

  it('is forgotten when it goes away, also after an answer', async () => {
    const app = await createTestApp('sqlite', { serve: patience });
    for (const path of ['/other', '/socket.io/', '/socket.io/?EIO=4&transport=polling', '/socket.io/?EIO=3&transport=websocket']) {
      const socket = await connection(app, get('/healthz'));
      await answered(socket);
      socket.end(upgrade(path));
    }
    await allClosed(app);
  });
});

describe('a connection that does not read', () => {
  it('is ended, and what waited for it with it', async () => {
    const app = await createTestApp('sqlite', { serve: patience });
    // More than the machine's own buffers hold.
    await Promise.all(Array.from({ length: 2 }, () => connection(app, get('/api/openapi.json').repeat(300))));
    await allClosed(app);
  });
});

describe('a connection that stalls', () => {
  it.each([
    ['before its first word', ''],
    ['in a head', 'GET /healthz HTTP/1.1\r\nHost: bo'],
    ['in a body', 'POST /api/login HTTP/1.1\r\nHost: board\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"user'],
  ])('%s is ended', async (_where, words) => {
    const app = await createTestApp('sqlite', { serve: patience });
    const socket = await connection(app, words);
    await closed(socket);
  });
});

describe('requests of one connection', () => {
  it('wait for their answers up to a bound; beyond it the connection is ended and nothing more is done for it', async () => {
    const app = await createTestApp('sqlite', { serve: { bounds: { unanswered: 5 } } });
    const modest = await connection(app, get('/api/config').repeat(5));
    let answers = '';
    modest.on('data', (bytes) => {
      answers += bytes;
    });
    await vi.waitFor(() => expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(5));
    const greedy = await connection(app, get('/api/openapi.json').repeat(1_500));
    await closed(greedy);
    const metrics = await app.ctx.metrics.registry.getSingleMetricAsString('claimboard_request_seconds');
    const [, answered = '0'] = /_count{[^}]*openapi.json[^}]*} (\d+)/.exec(metrics) ?? [];
    expect(Number(answered)).toBeLessThanOrEqual(5);
  });

  it('one after the other are not counted together', async () => {
    const app = await createTestApp('sqlite', { serve: { bounds: { unanswered: 1 } } });
    const socket = await connection(app);
    for (let i = 0; i < 5; i++) {
      socket.write(get('/healthz'));
      expect(await answered(socket)).toContain('200 OK');
    }
  });
});

describe('a body that comes by drops', () => {
  const stalled = (path: string, ...headers: string[]): string =>
    `${[`POST ${path} HTTP/1.1`, 'Host: board', 'Content-Type: application/json', 'Content-Length: 2', ...headers].join('\r\n')}\r\n\r\n{`;

  it('is waited for shortly, unless somebody who is known may send much', async () => {
    const app = await createTestApp('sqlite', { serve: { bounds: { body_ms: 1_500 } } });
    const authorization = `Authorization: ${app.admin.Authorization}`;
    const large = await connection(app, stalled('/api/claims', authorization));
    const strangers = [
      await connection(app, stalled('/api/login')),
      await connection(app, stalled('/api/claims')),
      await connection(app, stalled('/api/events', authorization)),
      await connection(app, get('/healthz', 'Content-Length: 2')),
    ];
    await Promise.all(strangers.map(closed));
    large.write('}');
    expect(await answered(large)).toMatch(/^HTTP\/1\.1 400/);
  });
});

describe('connections altogether', () => {
  it('are bounded, and a stranger who holds all they can keeps nobody out', async () => {
    const app = await createTestApp('sqlite', { serve: { bounds: { connections: 10 } } });
    const head = 'POST /api/login HTTP/1.1\r\nHost: board\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{';
    // One after the other has been answered before, which does not make it useful for good.
    const held = await Promise.all(Array.from({ length: 30 }, (_, i) => connection(app, i % 2 ? get('/healthz') : '', head)));
    for (let i = 0; i < 15; i++) {
      const honest = await connection(app, get('/healthz', 'Connection: close'));
      expect(await answered(honest)).toContain('200 OK');
      held.push(await connection(app, head));
      expect(app.connections()).toBeLessThanOrEqual(10);
    }
  });

  it('make room by the one that was of no use for longest', async () => {
    const app = await createTestApp('sqlite', { serve: { bounds: { connections: 4 } } });
    const used = await connection(app);
    const held = await connection(app, 'GET /healthz');
    const gone = closed(held);
    for (let i = 0; i < 10; i++) {
      used.write(get('/healthz'));
      expect(await answered(used)).toContain('200 OK');
      await answered(await connection(app, get('/healthz')));
    }
    await gone;
  });

  it('make it by one of the address that has most', async () => {
    const app = await createTestApp('sqlite', { serve: { bounds: { connections: 5 } } });
    const guest = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', localAddress: '127.0.0.2' });
    onTestFinished(() => void guest.destroy());
    await once(guest, 'connect');
    guest.write('GET /healthz HTTP/1.1\r\n');
    for (let i = 0; i < 15; i++) await answered(await connection(app, get('/healthz')));
    guest.write('Host: board\r\n\r\n');
    expect(await answered(guest)).toContain('200 OK');
  });

  it('spare a live one that shows a credential, and turn away whoever comes when there is no other', async () => {
    const app = await createTestApp('sqlite', { serve: { bounds: { connections: 3 } } });
    const { Authorization } = app.admin;
    const live: RawClient[] = [];
    for (let i = 0; i < 3; i++) live.push(await rawClient(app.url, { admin_token: Authorization.replace('Bearer ', '') }));
    await closed(await connection(app, get('/healthz')));
    expect(live.filter(({ socket }) => socket.destroyed)).toEqual([]);
    expect(app.connections()).toBe(3);
  });
});

it('no connection of a stranger ends the process or stays open, whatever it does', async () => {
  const said: string[] = [];
  for (const { failed } of await proof.run({ seed: 20_261_122, runs: 250, say: (line) => said.push(line) })) expect(failed).toEqual([]);
});
