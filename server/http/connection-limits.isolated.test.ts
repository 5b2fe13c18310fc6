import { once } from 'node:events';
import { Server } from 'node:http';
import { connect, Socket } from 'node:net';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connections as proof } from '../dev/prove/connections/index.ts';
import { sized } from '../dev/test/scope.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { rawClient } from '../live/test/raw-client.ts';
import { CONNECTION_LIMITS, limitConnections } from './connection-limits.ts';

/** Long enough for the test's own login. */
const patience = {
  bounds: { silence_ms: 2_000, keep_alive_ms: 50, headers_ms: 500, request_ms: 700, check_ms: 20 },
};

const get = (path: string, ...headers: string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: board', ...headers].join('\r\n')}\r\n\r\n`;
const upgrade = (path: string, protocol = 'websocket'): string =>
  get(path, 'Connection: Upgrade', `Upgrade: ${protocol}`);

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

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.resume().once('close', () => resolve()));

/** Those that the test's own calls keep for later are closed by the server as well. */
const allClosed = (app: TestApp): Promise<void> =>
  vi.waitFor(() => expect(app.connections()).toBe(0), { timeout: 20_000, interval: 20 });

describe('a connection that wishes for another protocol', () => {
  it.each(['websocket', 'h2c'])(
    '%s anywhere but on the live path, is answered in HTTP',
    async (protocol) => {
      const app = await createTestApp('sqlite');
      for (const path of ['/healthz', '/healthz?/socket.io/', '/api/config']) {
        const socket = await connection(app, upgrade(path, protocol));
        expect(await answered(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
        socket.resetAndDestroy();
      }
      await supertest(app.url).get('/healthz').expect(200);
    },
  );

  it('is forgotten when it goes away, also after an answer', async () => {
    const app = await createTestApp('sqlite', { serve: patience });
    for (const path of [
      '/other',
      '/socket.io/',
      '/socket.io/?EIO=4&transport=polling',
      '/socket.io/?EIO=3&transport=websocket',
    ]) {
      const socket = await connection(app, get('/healthz'));
      await answered(socket);
      socket.end(upgrade(path));
    }
    await allClosed(app);
  });
});

describe('a connection that stalls', () => {
  it.each([
    ['before its first word', ''],
    ['in a head', 'GET /healthz HTTP/1.1\r\nHost: bo'],
    [
      'in a body',
      'POST /api/login HTTP/1.1\r\nHost: board\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"user',
    ],
  ])('%s is ended', async (_where, words) => {
    const app = await createTestApp('sqlite', { serve: patience });
    const socket = await connection(app, words);
    await closed(socket);
  });
});

describe('a connection that waits for its next request', () => {
  it('stays open for its own time, which is longer than a head or silence may take', async () => {
    const bounds = {
      silence_ms: 400,
      headers_ms: 200,
      request_ms: 60_000,
      check_ms: 20,
      keep_alive_ms: 60_000,
    };
    const app = await createTestApp('sqlite', { serve: { bounds } });
    const idle = await connection(app, get('/healthz'));
    await answered(idle);
    await closed(await connection(app));
    await closed(
      await connection(
        app,
        'POST /api/login HTTP/1.1\r\nHost: board\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{',
      ),
    );
    idle.write(get('/healthz'));
    expect(await answered(idle)).toContain('200 OK');
    expect(CONNECTION_LIMITS.keep_alive_ms).toBeGreaterThan(60_000);
  });
});

describe('connections altogether', () => {
  it('are bounded: further ones are closed, and there is room again when one ends', async () => {
    const app = await createTestApp('sqlite', { serve: { bounds: { connections: 5 } } });
    app.kept.destroy();
    await allClosed(app);
    const held = await Promise.all(Array.from({ length: 5 }, () => connection(app)));
    await closed(await connection(app, get('/healthz')));
    for (const socket of held.slice(0, 2)) socket.destroy();
    await vi.waitFor(() => expect(app.connections()).toBe(3));
    expect(await answered(await connection(app, get('/healthz')))).toContain('200 OK');
  });

  it("of one address, 1,000 of them idle, don't keep other addresses out", async () => {
    const app = await createTestApp('sqlite');
    await Promise.all(
      Array.from({ length: 1_000 }, () => connection(app, 'GET /healthz HTTP/1.1\r\n')),
    );
    expect(await answered(await connection(app, get('/healthz')))).toContain('200 OK');
    const live = await rawClient(app.url, {
      admin_token: app.admin.Authorization.replace('Bearer ', ''),
    });
    expect(live.socket.destroyed).toBe(false);
  });
});

it('no unauthenticated connection ends the process or stays open, with any input', async () => {
  const output: string[] = [];
  for (const { failed } of await proof.run({
    seed: 20_261_122,
    runs: sized(100, 250),
    say: (line) => output.push(line),
  }))
    expect(failed).toEqual([]);
});

describe('the connections of one address', () => {
  /** A socket that looks connected from an address. */
  function socketFrom(address: string): Socket {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    return socket;
  }
  const limited = (TRUST_PROXY: '0' | '1') => {
    const http = new Server();
    const lines: unknown[] = [];
    const log = { info: (...line: unknown[]) => void lines.push(line) };
    const ctx = {
      env: { TRUST_PROXY },
      log,
      hashAddress: async (address: string) => `hash of ${address}`,
    };
    const open = limitConnections(http, { ...CONNECTION_LIMITS, connections_per_address: 2 }, ctx);
    const arrive = (address: string): Socket => {
      const socket = socketFrom(address);
      http.listeners('connection').at(-1)?.call(http, socket);
      return socket;
    };
    return { open, arrive, lines };
  };

  it('have a limit; other addresses, and the same one after closing, are let in', async () => {
    const { open, arrive, lines } = limited('0');
    const first = arrive('203.0.113.7');
    arrive('203.0.113.7');
    expect(arrive('203.0.113.7').destroyed).toBe(true);
    await vi.waitFor(() =>
      expect(lines).toEqual([
        [
          { address_hash: 'hash of 203.', left_out: 0 },
          'an address has too many connections: further ones are closed',
        ],
      ]),
    );
    expect(arrive('203.0.113.8').destroyed).toBe(false);
    // One network of IPv6 counts as one address.
    expect(
      ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((address) => arrive(address).destroyed),
    ).toEqual([false, false, true]);
    expect(open.size).toBe(5);
    first?.destroy();
    await vi.waitFor(() => expect(open.size).toBe(4));
    expect(arrive('203.0.113.7').destroyed).toBe(false);
  });

  it.each([
    ['a proxy on this machine', '::ffff:127.0.0.1', '0'],
    ['a proxy on this machine by IPv6', '::1', '0'],
    ['a trusted proxy', '203.0.113.7', '1'],
  ] as const)('have none for %s', (_, address, trust) => {
    const { arrive } = limited(trust);
    expect([1, 2, 3].map(() => arrive(address).destroyed)).toEqual([false, false, false]);
  });

  it('behind a trusted proxy are bounded by their requests without an answer, by the address that it names', async () => {
    const app = await createTestApp('sqlite', {
      env: { TRUST_PROXY: '1' },
      serve: { bounds: { connections_per_address: 2 } },
    });
    const from = (address: string, path = '/healthz') => get(path, `X-Forwarded-For: ${address}`);
    const slow = (address: string) =>
      connection(
        app,
        [
          'POST /api/login HTTP/1.1',
          'Host: board',
          `X-Forwarded-For: ${address}`,
          'Content-Type: application/json',
          'Content-Length: 99',
        ].join('\r\n'),
        '\r\n\r\n{',
      );
    const first = await slow('203.0.113.7');
    await slow('203.0.113.7');
    const outcome = async (address: string): Promise<string> => {
      const socket = await connection(app, from(address));
      return Promise.race([answered(socket), closed(socket).then(() => 'closed')]);
    };
    await vi.waitFor(async () => expect(await outcome('203.0.113.7')).toBe('closed'));
    expect(await outcome('203.0.113.8')).toContain('200 OK');
    first?.destroy();
    await vi.waitFor(async () => expect(await outcome('203.0.113.7')).toContain('200 OK'));
  });
});
