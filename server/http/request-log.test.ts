import { once } from 'node:events';
import { connect } from 'node:net';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { REQUEST_ID } from '../../shared/request-id.ts';
import { readStatistics } from '../board/statistics/statistics.ts';
import { aKey, asMember } from '../dev/test/builders.ts';
import { filledDatabase } from '../dev/test/databases.ts';
import { head, rawRequest } from '../dev/test/raw-request.ts';
import { createTestApp, type TestAppOptions } from '../dev/test/test-app.ts';
import { startUsualServer } from '../dev/test/usual-server.ts';
import { createLog } from '../ops/log.ts';
import { refusalOf } from './errors.ts';

const HOST = 'Host: board';
const JSON_TYPE = 'Content-Type: application/json';

interface Line {
  level: number;
  msg: string;
  request_id?: string;
  [field: string]: unknown;
}

/** A server whose log is kept. */
async function loggedApp(options: TestAppOptions = {}, level = 'info') {
  const lines: string[] = [];
  const log = createLog(level, { write: (line: string) => lines.push(line) });
  const app = await createTestApp('sqlite', { ...options, context: { ...options.context, log } });
  const logged = (): Line[] =>
    lines.map((line) => JSON.parse(line)).filter((line: Line) => line.msg.startsWith('request '));
  return { app, lines, logged };
}

describe('the id of a request', () => {
  it('is in every answer, from every part of the server, and unique', async () => {
    const app = await createTestApp('sqlite');
    const member = asMember(await aKey(app));
    const key = `X-Access-Key: ${member['X-Access-Key']}`;
    const { headers } = await app.api.get('/respawns').set(member).expect(200);
    const held = `If-None-Match: ${headers.etag}`;
    const requests: [status: number, bytes: string][] = [
      [200, head('GET /api/config', HOST)],
      [200, head('HEAD /api/config', HOST)],
      [200, head('GET /api/openapi.json', HOST)],
      [304, head('GET /api/respawns', HOST, key, held)],
      [304, head('GET /api/respawns?long', HOST, key, held)],
      [200, head('GET /healthz', HOST)],
      [200, head('GET /readyz', HOST)],
      [200, head('GET /metrics', HOST)],
      [404, head('GET /api/nothing', HOST)],
      [404, head('GET /assets/nothing', HOST)],
      [404, head('GET /static/nothing.js', HOST)],
      [404, head('GET /calendar/nothing', HOST)],
      [404, head('GET /socket.io/', HOST)],
      [401, head('GET /api/admin/claims', HOST)],
      [400, `${head('POST /api/login', HOST, JSON_TYPE, 'Content-Length: 1')}{`],
      [
        413,
        `${head('POST /api/login', HOST, JSON_TYPE, 'Content-Length: 90000')}${' '.repeat(90_000)}`,
      ],
      [415, `${head('POST /api/login', HOST, 'Content-Type: text/plain', 'Content-Length: 2')}{}`],
      [200, head('GET /healthz', HOST, 'Expect: something')],
      [400, head('GET /healthz', HOST, 'Host: other')],
      [400, head('GET /healthz')],
      [400, 'this is no HTTP\r\n\r\n'],
      [
        400,
        `${head('POST /api/login', HOST, JSON_TYPE, 'Transfer-Encoding: chunked')}no length\r\n`,
      ],
      [200, head('GET /healthz', HOST, `Cookie: ${'x'.repeat(32_000)}`)],
      [431, head('GET /healthz', HOST, `Cookie: ${'x'.repeat(33_000)}`)],
    ];
    const ids: string[] = [];
    for (const [status, bytes] of requests) {
      const answer = await rawRequest(app.url, bytes);
      expect([bytes.slice(0, 60), answer.status]).toEqual([bytes.slice(0, 60), status]);
      expect(answer.headers['x-request-id']).toMatch(REQUEST_ID);
      if (status === 431)
        expect(JSON.parse(answer.body)).toEqual(refusalOf('request.headersTooLarge'));
      ids.push(answer.headers['x-request-id'] ?? '');
    }
    const page = await supertest(app.url).get('/verify');
    expect(page.headers['x-request-id']).toMatch(REQUEST_ID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is in the refusal of a server that is stopping', async () => {
    const database = await filledDatabase('sqlite');
    const { url, close } = await startUsualServer(database.settings);
    onTestFinished(() => database.drop());
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
    });
    // In one packet: once the first request is answered, the server has read half of the second.
    socket.write('GET /healthz HTTP/1.1\r\nHost: board\r\n\r\nGET /healthz HTTP/1.1\r\nHo');
    await vi.waitFor(() => expect(text).toContain('{"status":"up"}'));
    text = '';
    const closing = close();
    socket.write('st: board\r\n\r\n');
    await once(socket, 'close');
    await closing;
    expect(text).toMatch(/^HTTP\/1\.1 503 /);
    expect(text).toMatch(/x-request-id: [0-9a-f]{16}\r\n/i);
    expect(text).toContain('"code":"server.stopping"');
  });

  it('is the proxy’s own where the proxy is trusted and sends one that looks like an id', async () => {
    const trusting = await createTestApp('sqlite', { env: { TRUST_PROXY: '1' } });
    const other = await createTestApp('sqlite');
    const ids = ['4f2a9c3b7d5e10684f2a9c3b7d5e1068', '0b0e7ce8-1a0f-4c5e-9f53-1d3c8d1e7f00'];
    const requestIdFor = async ({ api }: typeof other, id: string) =>
      (await api.get('/config').set('X-Request-Id', id)).headers['x-request-id'];
    for (const id of ids) {
      expect(await requestIdFor(trusting, id)).toBe(id);
      expect(await requestIdFor(other, id)).not.toBe(id);
    }
    for (const id of ['short', 'K7QM-2F9A-XW3C-K7QM', `${ids[0]}"}`, 'a'.repeat(200)]) {
      expect(await requestIdFor(trusting, id)).toMatch(/^[0-9a-f]{16}$/);
    }
  });
});

describe('the log of requests', () => {
  it('has refusals and failures with method, route, status, code, time and id; at debug every request', async () => {
    for (const level of ['info', 'debug']) {
      const { app, logged } = await loggedApp({}, level);
      app.ctx.memory.set(readStatistics, () => Promise.reject(new Error('no statistics today')));
      const before = logged().length;
      await app.api.get('/config').expect(200);
      const refused = await app.api.delete('/admin/respawns/999999').set(app.admin).expect(404);
      const failed = await app.api.get('/statistics').set(app.admin).expect(500);
      const lines = logged().slice(before);
      const wanted = [
        {
          level: 30,
          msg: 'request refused',
          method: 'DELETE',
          route: '/api/admin/respawns/:id',
          status: 404,
          code: 'respawn.notFound',
        },
        {
          level: 50,
          msg: 'request failed',
          method: 'GET',
          route: '/api/statistics',
          status: 500,
          code: 'server.failed',
        },
      ];
      const answered = {
        level: 20,
        msg: 'request answered',
        method: 'GET',
        route: '/api/config',
        status: 200,
      };
      expect(lines).toMatchObject(level === 'debug' ? [answered, ...wanted] : wanted);
      expect(lines.slice(-2).map(({ request_id }) => request_id)).toEqual(
        [refused, failed].map(({ headers }) => headers['x-request-id']),
      );
      expect(lines.every(({ ms }) => typeof ms === 'number')).toBe(true);
      expect(lines.at(-1)?.err).toMatchObject({
        message: 'no statistics today',
        stack: expect.stringContaining('request-log.test.ts'),
      });
    }
  });

  it('has one refusal of each route, status and code a minute, with how many were left out; every failure; at debug all', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => void vi.restoreAllMocks());
    const { app, logged } = await loggedApp();
    const refusals = () => logged().map(({ route, status, left_out }) => [route, status, left_out]);
    const before = logged().length;
    for (let times = 0; times < 30; times += 1) {
      await app.api.get('/admin/claims').expect(401);
      await app.api.get(`/nothing-${times}`).expect(404);
    }
    await app.api.delete('/admin/respawns/1').expect(401);
    expect(refusals().slice(before)).toEqual([
      ['/api/admin/claims', 401, undefined],
      ['other', 404, undefined],
      ['/api/admin/respawns/:id', 401, undefined],
    ]);
    now = 60_000;
    await app.api.get('/admin/claims').expect(401);
    expect(refusals().slice(before + 3)).toEqual([['/api/admin/claims', 401, 29]]);
    app.ctx.memory.set(readStatistics, () => Promise.reject(new Error('no statistics today')));
    for (let times = 0; times < 3; times += 1)
      await app.api.get('/statistics').set(app.admin).expect(500);
    expect(logged().slice(before + 4)).toMatchObject(
      Array.from({ length: 3 }, () => ({ level: 50, status: 500 })),
    );

    const debugging = await loggedApp({}, 'debug');
    for (let times = 0; times < 3; times += 1)
      await debugging.app.api.get('/admin/claims').expect(401);
    expect(debugging.logged().map(({ level, status }) => [level, status])).toEqual([
      [30, 401],
      [20, 401],
      [20, 401],
    ]);
  });

  it('has nothing that a request holds: no path, query, header or body', async () => {
    const { app, lines, logged } = await loggedApp({}, 'debug');
    const key = await aKey(app);
    const secrets = [
      'in-the-path',
      'in-the-query',
      'in-a-header',
      'in-the-body',
      key.key_value,
      app.admin.Authorization.slice(7),
    ];
    await supertest(app.url)
      .get('/calendar/in-the-path.ics?in-the-query')
      .set('X-Anything', 'in-a-header')
      .expect(404);
    await app.api
      .get('/claims/check-character-claims/in-the-path?date=in-the-query')
      .set(app.admin)
      .expect(400);
    await app.api
      .post('/login')
      .set('Cookie', 'a=in-a-header')
      .send({ username: 'in-the-body', password: 'in-the-body' })
      .expect(401);
    await app.api.get('/respawns').set(asMember(key)).expect(200);
    expect(logged().length).toBeGreaterThanOrEqual(4);
    for (const secret of secrets) expect(lines.join('')).not.toContain(secret);
  });
});

it('a second Host header is refused before either is used, also for an upgrade', async () => {
  const app = await createTestApp('sqlite', { env: { PUBLIC_URL: 'https://board.example' } });
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  for (const [line, ...headers] of [
    ['GET /api/config'],
    ['GET /healthz'],
    ['GET /'],
    ['GET /socket.io/?EIO=4&transport=websocket', ...upgrade],
  ] as const) {
    for (const hosts of [
      ['Host: board.example', 'Host: other.example'],
      ['host: other.example', 'HOST: board.example'],
    ]) {
      const { status, body } = await rawRequest(
        app.url,
        `${[`${line} HTTP/1.1`, ...hosts, ...headers].join('\r\n')}\r\n\r\n`,
      );
      expect([line, status, JSON.parse(body).code]).toEqual([line, 400, 'request.malformed']);
    }
  }
});

it('a response disables unused browser features, and requires https if the board does', async () => {
  const plain = await createTestApp('sqlite', { env: { PUBLIC_URL: 'http://board.example' } });
  const secure = await createTestApp('sqlite', { env: { PUBLIC_URL: 'https://board.example' } });
  const hsts = async ({ api }: typeof plain): Promise<unknown> => {
    const { headers } = await api.get('/config').expect(200);
    expect(headers['permissions-policy']).toContain('camera=(), ');
    return headers['strict-transport-security'];
  };
  expect(await hsts(plain)).toBeUndefined();
  expect(await hsts(secure)).toBe('max-age=15552000');
});
