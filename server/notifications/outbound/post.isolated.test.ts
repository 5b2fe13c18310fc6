import { lookup as lookUpByThread } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Answering,
  answering,
  aReceiver,
  hanging,
  RECEIVER_PEM,
  resetting,
  startReceiver,
} from '../../dev/test/receiver.ts';
import {
  createPost,
  MAX_KEPT_BYTES,
  MAX_SENT_BYTES,
  type OutboundMessage,
  type Post,
  type PostOptions,
} from './post.ts';

const SHORT_MS = 300;
const open = (options: PostOptions = {}): Post =>
  createPost({ ALLOW_PRIVATE_DESTINATIONS: '1' }, { ca: RECEIVER_PEM, ...options });
const guarded = (options: PostOptions = {}): Post =>
  createPost({ ALLOW_PRIVATE_DESTINATIONS: '0' }, { ca: RECEIVER_PEM, ...options });

const letter = (url: string, given: Partial<OutboundMessage> = {}): OutboundMessage => ({
  url,
  headers: { 'content-type': 'text/plain' },
  body: 'Hello',
  ...given,
});

/** A name server of the test's own: any name leads to these addresses. */
const leadingTo =
  (...addresses: string[]): LookupFunction =>
  (_name, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

/** Sends any bytes as soon as a client connects. */
async function aSpeaker(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => speak(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a message on its way out', () => {
  it.each([false, true])(
    'arrives complete, and its response is returned (https: %s)',
    async (secure) => {
      const receiver = await aReceiver(answering(202, { 'x-rate': '3' }, 'Taken'), { secure });
      const answer = await open()(
        letter(`${receiver.url}hook?thread=7`, {
          headers: { 'content-type': 'text/plain', 'webhook-id': 'msg_1' },
        }),
      );
      expect(answer).toMatchObject({
        ok: true,
        status: 202,
        headers: { 'x-rate': '3' },
        body: 'Taken',
      });
      expect(receiver.received).toMatchObject([
        {
          method: 'POST',
          path: '/hook?thread=7',
          body: 'Hello',
          headers: { 'webhook-id': 'msg_1', 'user-agent': 'Claimboard', 'content-length': '5' },
        },
      ]);
    },
  );

  it('reuses the previous connection, or opens a new one if that was closed', async () => {
    const receiver = await aReceiver(answering(204));
    const post = open();
    for (let n = 0; n < 3; n += 1)
      expect(await post(letter(receiver.url))).toMatchObject({ ok: true, status: 204 });
    expect(receiver.connections()).toBe(1);

    let first = true;
    const impatient: Answering = (response, _message, socket) => {
      // It ends the connection when the second message arrives on it, as a server does whose patience is over.
      if (!first && receiver2.connections() === 1) return void socket.resetAndDestroy();
      first = false;
      response.writeHead(204).end();
    };
    const receiver2 = await aReceiver(impatient);
    for (let n = 0; n < 2; n += 1)
      expect(await post(letter(receiver2.url))).toMatchObject({ ok: true, status: 204 });
    expect(receiver2.connections()).toBe(2);
  });

  it('follows no redirect, to any target', async () => {
    const inside = await aReceiver(answering(200));
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await aReceiver(answering(status, { location: inside.url }));
      expect(await open()(letter(receiver.url))).toMatchObject({ ok: true, status });
    }
    expect(inside.received).toEqual([]);
  });

  it('keeps only the beginning of an answer, and ends one that never does', async () => {
    const long = await aReceiver(answering(200, {}, 'é'.repeat(10_000)));
    const kept = await open()(letter(long.url));
    expect(kept.ok && Buffer.byteLength(kept.body)).toBe(MAX_KEPT_BYTES);

    let closed: Promise<unknown> | null = null;
    const endless = await aReceiver((response, _message, socket) => {
      closed = new Promise((resolve) => socket.once('close', resolve));
      const more = (): void =>
        void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(more)));
      more();
    });
    expect(await open({ within_ms: 600_000 })(letter(endless.url))).toMatchObject({
      ok: true,
      status: 200,
    });
    await closed;
  });

  it('takes the status as the response, even if the body never arrives or breaks off', async () => {
    const dripping = await aReceiver((response) => void response.writeHead(200).write('Almost'));
    expect(await open({ within_ms: SHORT_MS })(letter(dripping.url))).toMatchObject({
      ok: true,
      status: 200,
      body: 'Almost',
    });
    const breaking = await aReceiver((response, _message, socket) => {
      response
        .writeHead(200, { 'content-length': '100' })
        .write('Almost', () => socket.resetAndDestroy());
    });
    expect(await open()(letter(breaking.url))).toMatchObject({ ok: true, status: 200 });
  });

  it('that says nothing of use says why', async () => {
    const hangs = await aReceiver(hanging);
    const resets = await aReceiver(resetting);
    const gone = await startReceiver(hanging);
    await gone.close();
    const silent = await aSpeaker(() => {});
    const polite = await aSpeaker((socket) => {
      const again = (): void =>
        void (
          socket.destroyed ||
          socket.write('HTTP/1.1 100 Continue\r\n\r\n', () => setImmediate(again))
        );
      again();
    });
    const garbled = await aSpeaker((socket) => void socket.end('220 smtp.example ESMTP\r\n'));
    const wide = await aSpeaker(
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
    );
    const other = await aSpeaker(
      (socket) =>
        void socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
        ),
    );
    const short = open({ within_ms: SHORT_MS });
    expect(await short(letter(hangs.url))).toEqual({ ok: false, error: 'timeout' });
    expect(await short(letter(silent))).toEqual({ ok: false, error: 'timeout' });
    expect(await short(letter(polite))).toEqual({ ok: false, error: 'timeout' });
    expect(await open()(letter(resets.url))).toEqual({ ok: false, error: 'reset' });
    expect(await open()(letter(gone.url))).toEqual({ ok: false, error: 'unreachable' });
    expect(await open()(letter(garbled))).toEqual({ ok: false, error: 'unreadable' });
    expect(await open()(letter(wide))).toEqual({ ok: false, error: 'unreadable' });
    expect(await open()(letter(other))).toEqual({ ok: false, error: 'unreadable' });
  });

  it('is not sent if it is too long, and a URL is never in the result', async () => {
    const receiver = await aReceiver(answering(204));
    expect(
      await open()(letter(receiver.url, { body: 'é'.repeat(MAX_SENT_BYTES / 2) })),
    ).toMatchObject({ ok: true });
    expect(
      await open()(letter(receiver.url, { body: 'é'.repeat(MAX_SENT_BYTES / 2 + 1) })),
    ).toEqual({ ok: false, error: 'tooLarge' });
    expect(receiver.received).toHaveLength(1);
    for (const url of [
      'not a url',
      'ftp://receiver.test/',
      'file:///etc/passwd',
      'https://',
      `${receiver.url}\u0000`,
    ]) {
      expect(await open()(letter(url))).toMatchObject(
        url.startsWith(receiver.url) ? {} : { ok: false, error: 'notAllowed' },
      );
    }
    expect(
      await open()(letter(receiver.url, { headers: { 'x-name': 'two\r\nx-lines: 1' } })),
    ).toEqual({ ok: false, error: 'notAllowed' });
  });

  it('ends when its caller aborts', async () => {
    const receiver = await aReceiver(hanging);
    const aborting = new AbortController();
    const answer = open()(letter(receiver.url, { signal: aborting.signal }));
    await expect.poll(() => receiver.received.length).toBe(1);
    aborting.abort();
    expect(await answer).toEqual({ ok: false, error: 'stopped' });
    expect(await open()(letter(receiver.url, { signal: aborting.signal }))).toEqual({
      ok: false,
      error: 'stopped',
    });
  });

  it('trusts only certificates that others vouch for, and only for their names', async () => {
    const receiver = await aReceiver(answering(204), { secure: true });
    expect(await createPost({ ALLOW_PRIVATE_DESTINATIONS: '1' })(letter(receiver.url))).toEqual({
      ok: false,
      error: 'tls',
    });
    const elsewhere = open({ lookup: leadingTo('127.0.0.1') });
    expect(await elsewhere(letter(`https://receiver.test:${receiver.port}/`))).toMatchObject({
      ok: true,
      status: 204,
    });
    expect(await elsewhere(letter(`https://other.test:${receiver.port}/`))).toEqual({
      ok: false,
      error: 'tls',
    });
    const plain = await aReceiver(answering(204));
    expect(await open()(letter(`https://127.0.0.1:${plain.port}/`))).toEqual({
      ok: false,
      error: 'tls',
    });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('the guard at the connection', () => {
  it('blocks this machine, in every spelling and under every name', async () => {
    const receiver = await aReceiver(answering(204), { secure: true });
    const { port } = receiver;
    const spellings = [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '127.0.0.1.',
      '127.255.255.254',
      '0.0.0.0',
      '0',
    ];
    const v6 = [
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      '[fd00::1]',
    ];
    for (const host of [...spellings, ...v6]) {
      expect({ host, ...(await guarded()(letter(`https://${host}:${port}/`))) }).toEqual({
        host,
        ok: false,
        error: 'private',
      });
    }
    expect(await guarded()(letter(`https://localhost:${port}/`))).toEqual({
      ok: false,
      error: 'private',
    });
    expect(receiver.connections()).toBe(0);
  });

  it.each([
    ['a private address', ['10.0.0.7']],
    ['this machine', ['127.0.0.1']],
    ['the cloud’s metadata', ['169.254.169.254']],
    ['a carrier’s own', ['100.64.0.1']],
    ['IPv6', ['::1']],
    ['IPv4 as IPv6', ['::ffff:192.168.0.1']],
    ['IPv4 as IPv6, the old way', ['::7f00:1']],
    ['what is thrown away', ['100:0:0:1::1']],
    ['what nobody was given', ['4000::1']],
    ['a public address and a private one', ['93.184.215.14', '127.0.0.1']],
    ['a private address and a public one', ['127.0.0.1', '93.184.215.14']],
  ])('refuses a name that leads to %s', async (_, addresses) => {
    const receiver = await aReceiver(answering(204), { secure: true });
    const url = `https://receiver.test:${receiver.port}/`;
    expect(await guarded({ lookup: leadingTo(...addresses) })(letter(url))).toEqual({
      ok: false,
      error: 'private',
    });
    expect(receiver.connections()).toBe(0);
  });

  it('resolves the name for each connection: one that resolved elsewhere when it was saved is blocked', async () => {
    const receiver = await aReceiver(answering(204), { secure: true });
    let aborting = 0;
    const rebinding: LookupFunction = (name, options, done) => {
      aborting += 1;
      leadingTo('127.0.0.1')(name, options, done);
    };
    const post = guarded({ lookup: rebinding });
    for (let n = 0; n < 2; n += 1)
      expect(await post(letter(`https://receiver.test:${receiver.port}/`))).toMatchObject({
        error: 'private',
      });
    expect(aborting).toBe(2);
  });

  it('refuses addresses without https, even of public hosts', async () => {
    const receiver = await aReceiver(answering(204));
    expect(await guarded()(letter(receiver.url))).toEqual({ ok: false, error: 'notAllowed' });
    expect(await guarded()(letter('http://receiver.test/'))).toEqual({
      ok: false,
      error: 'notAllowed',
    });
    expect(receiver.connections()).toBe(0);
  });

  it('fails for an unknown name', async () => {
    const unknown: LookupFunction = (_name, _options, done) =>
      done(Object.assign(new Error('nobody'), { code: 'ENOTFOUND' }), '');
    expect(await guarded({ lookup: unknown })(letter('https://receiver.test/'))).toEqual({
      ok: false,
      error: 'unknownHost',
    });
    // Like Node's own lookup, against its types.
    const silent: LookupFunction = (name, options, done) =>
      lookUpByThread(name, { ...options, hints: 0 }, (_error, ...found) =>
        done(Object.assign(new Error('nobody'), { code: 'ENOTFOUND' }), ...found),
      );
    expect(await guarded({ lookup: silent })(letter('https://nobody.invalid/'))).toEqual({
      ok: false,
      error: 'unknownHost',
    });
  });
});
