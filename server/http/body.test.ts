import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { aClaim, aKey, asMember } from '../dev/test/builders.ts';
import { expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp } from '../dev/test/test-app.ts';
import { createBytesReader, MAX_BODY_BYTES, MAX_SUBMISSION_BYTES } from './request-body.ts';

const UNREADABLE = "Couldn't read the request.";
const NOT_JSON =
  'Send the body as uncompressed JSON in UTF-8, with Content-Type: application/json.';
const TOO_LARGE = 'The request is too large.';
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('the body of a request', () => {
  const app = createSuiteApp('sqlite');
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    app.api
      .post(path)
      .set({ ...JSON_TYPE, ...headers })
      .send(body);
  const padded = (bytes: number): string =>
    JSON.stringify({ padding: 'x'.repeat(bytes - '{"padding":""}'.length) });

  it('may have 16 kB', async () => {
    expect((await post('/login', padded(MAX_BODY_BYTES))).body.code).toBe(
      'session.credentialsRequired',
    );
    expectRefusal(
      await post('/login', padded(MAX_BODY_BYTES + 1)),
      413,
      'request.tooLarge',
      TOO_LARGE,
      {},
    );
    expectRefusal(
      await post('/events', padded(MAX_BODY_BYTES + 1), app.admin),
      413,
      'request.tooLarge',
      TOO_LARGE,
      {},
    );
  });

  it('may have 512 kB where claims are submitted with a credential that holds, in a header', async () => {
    const key = await aKey(app);
    for (const credential of [asMember(key), app.admin]) {
      expect((await post('/claims', padded(MAX_SUBMISSION_BYTES), credential)).body.code).toBe(
        'claim.fieldsRequired',
      );
      expectRefusal(
        await post('/claims', padded(MAX_SUBMISSION_BYTES + 1), credential),
        413,
        'request.tooLarge',
        TOO_LARGE,
        {},
      );
    }
    for (const none of [
      {},
      { 'X-Access-Key': 'NONE-SUCH-KEYS' },
      { Authorization: 'Bearer made-up' },
    ]) {
      expectRefusal(
        await post('/claims', padded(MAX_BODY_BYTES + 1), none),
        413,
        'request.tooLarge',
        TOO_LARGE,
        {},
      );
    }
  });

  it('is not awaited if no handler takes it: an unknown path, a call without a body, an unauthorized sender', async () => {
    const { port } = new URL(app.url);
    const answerTo = async (line: string, ...headers: string[]): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      // The body that is announced never comes.
      socket.write(
        `${[`${line} HTTP/1.1`, 'Host: board', 'Content-Type: application/json', 'Content-Length: 9000', ...headers].join('\r\n')}\r\n\r\n`,
      );
      const [bytes] = await once(socket, 'data');
      return String(bytes).slice(0, 12);
    };
    expect(await answerTo('POST /api/nothing')).toBe('HTTP/1.1 404');
    expect(await answerTo('GET /api/config')).toBe('HTTP/1.1 200');
    expect(await answerTo('POST /api/events')).toBe('HTTP/1.1 401');
    expect(await answerTo('POST /api/events', 'Authorization: Bearer made-up')).toBe(
      'HTTP/1.1 401',
    );
  });

  it('is refused compressed, even if small: the server decompresses no bodies', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const compressed = app.api
        .post('/login')
        .set({ ...JSON_TYPE, 'Content-Encoding': encoding })
        .serialize((body) => body)
        .send(gzipSync(randomBytes(100)));
      expectRefusal(await compressed, 415, 'request.notJson', NOT_JSON, {});
    }
  });

  it('may be nested as deep as it fits', async () => {
    const key = await aKey(app);
    const deep = (depth: number): string => `{"claims":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const nested = `{"claims":${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}}`;
    for (const body of [deep(250_000), nested])
      expect((await post('/claims', body, asMember(key))).status).toBe(400);
  });

  it('is refused with text that cannot be stored, at any depth', async () => {
    for (const text of ['\\u0000', '\\ud83d', '\\udc00 after']) {
      const body = `{"username":[[{"x":["y","${text}"]}]],"password":"x"}`;
      expectRefusal(await post('/login', body), 400, 'request.malformed', UNREADABLE, {});
    }
    expect(
      (await post('/login', '{"username":"\\\\u0000 \\ud83d\\ude00","password":"x"}')).body.code,
    ).toBe('session.wrongLogin');
  });

  it('is refused by the length of a list before anything in it is looked at', async () => {
    const key = await aKey(app);
    const parts = `[${Array.from({ length: 170_000 }, () => '{}').join(',')}]`;
    const claim = JSON.stringify(aClaim(key)).slice(0, -1);
    const split = await post(
      '/claims',
      `{"claims":[${claim},"is_split_claim":1,"split_parts":${parts}}]}`,
      asMember(key),
    );
    expect({ status: split.status, code: split.body.code }).toEqual({
      status: 400,
      code: 'split.twoParts',
    });
    const many = await post('/claims', `{"claims":${parts}}`, asMember(key));
    expect({ status: many.status, code: many.body.code }).toEqual({
      status: 400,
      code: 'claim.tooMany',
    });
  });
});

it('a list with a maximum is measured first, as the shapes rely on', () => {
  let looked = 0;
  const element = z.custom(() => {
    looked += 1;
    return false;
  });
  expect(z.array(element).max(2).safeParse([1, 2, 3]).success).toBe(false);
  expect(looked).toBe(0);
});

describe('bodies of strangers, read as bytes', () => {
  /** A server that reads them so, and how many of its answers read the whole body. */
  async function aReader(limits: { under_way: number; ms: number }) {
    const readBytes = createBytesReader({ bytes: 10, ...limits });
    const read: string[] = [];
    const app = express().post('/', async (req, res) => {
      read.push(String(await readBytes(req, res)));
      res.end();
    });
    const server = app.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    /** Announces a body of two bytes and sends the first. */
    const stalled = async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const arrived = once(server, 'request');
      socket.write(
        'POST / HTTP/1.1\r\nHost: board\r\nConnection: close\r\nContent-Length: 2\r\n\r\na',
      );
      await arrived;
      return socket;
    };
    return { read, stalled };
  }

  it('end with their connections if they don’t arrive in time', async () => {
    const { read, stalled } = await aReader({ under_way: 5, ms: 50 });
    await once((await stalled()).resume(), 'close');
    expect(read).toEqual([]);
  });

  it('are so many at most: one more ends the oldest', async () => {
    const { read, stalled } = await aReader({ under_way: 2, ms: 60_000 });
    const oldest = await stalled();
    const second = await stalled();
    const ended = once(oldest.resume(), 'close');
    const third = await stalled();
    await ended;
    for (const socket of [second, third]) socket.resume().write('b');
    await Promise.all([second, third].map((socket) => once(socket, 'close')));
    expect(read).toEqual(['ab', 'ab']);
  });
});
