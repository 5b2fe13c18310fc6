import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestApp } from '../dev/test/test-app.ts';
import { CONNECTION_LIMITS } from './connection-limits.ts';
import { createPipelines } from './pipelines.ts';
import { serveAssets } from './static-files.ts';

const WAITING = CONNECTION_LIMITS.waiting_requests;
const FULL = WAITING + 1;

const get = (address: string, ...headers: string[]): string =>
  `${[`GET ${address} HTTP/1.1`, 'Host: board', ...headers].join('\r\n')}\r\n\r\n`;

/** @returns a connection that has sent these requests and reads nothing */
async function send(port: number, ...requests: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(requests.join(''));
  return socket;
}

const sendOften = (count: number, port: number, ...requests: string[]): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => send(port, ...requests)));

async function serve(answer: RequestListener): Promise<number> {
  const ctx = {
    env: { TRUST_PROXY: '0' as const },
    log: { info: () => {} },
    hashAddress: async () => '',
  };
  const http = createServer(createPipelines(answer, CONNECTION_LIMITS, ctx).listener);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Collects what a connection reads. */
function reading(socket: Socket): { text: () => string } {
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  return { text: () => text };
}

describe('the requests of a connection', () => {
  it('start one after the other, in their order, each after the answer before it', async () => {
    const started: string[] = [];
    const answers: (() => void)[] = [];
    const port = await serve((req, res) => {
      started.push(req.url ?? '');
      answers.push(() => res.end(`answer ${req.url}.`));
    });
    const { text } = reading(await send(port, get('/1'), get('/2'), get('/3')));
    for (const [at, address] of ['/1', '/2', '/3'].entries()) {
      await vi.waitFor(() => expect(started[at]).toBe(address));
      expect(started).toHaveLength(at + 1);
      answers[at]?.();
      await vi.waitFor(() => expect(text()).toContain(`answer ${address}.`));
    }
  });

  it('are not started after an answer that closes it, nor when too many wait', async () => {
    const started: string[] = [];
    const port = await serve((req, res) => {
      started.push(req.url ?? '');
      if (req.url === '/closing') res.end('closing');
    });
    const closing = reading(await send(port, get('/closing', 'Connection: close'), get('/behind')));
    await vi.waitFor(() => expect(closing.text()).toContain('closing'));
    const greedy = await send(port, get('/first'), get('/more').repeat(WAITING + 1));
    await once(greedy.resume(), 'close');
    expect(started).toEqual(['/closing', '/first']);
  });

  it('do not hold up other connections, however many wait', async () => {
    let accepted = 0;
    let started = 0;
    const port = await serve((req, res) => {
      if (req.url === '/many') started += 1;
      else accepted += 1;
      res.end(`answer ${req.url}.`);
    });
    const [other, ...greedy] = await sendOften(31, port, get('/one'));
    await vi.waitFor(() => expect(accepted).toBe(31));
    for (const socket of greedy) socket.resume().write(get('/many').repeat(FULL));
    if (!other) throw new Error('no connection');
    const { text } = reading(other);
    other.write(get('/other'));
    await vi.waitFor(() => expect(text()).toContain('answer /other.'), { interval: 1 });
    expect(started).toBeLessThan((greedy.length * FULL) / 2);
  });
});

describe('a connection that reads nothing', () => {
  const descriptors = (): number => readdirSync('/proc/self/fd').length;

  it.runIf(process.platform === 'linux')('and closes leaves no file open', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-pipelines-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // More than the machine's own buffers hold.
    await writeFile(path.join(folder, 'large.woff2'), Buffer.alloc(16 * 1024 * 1024));
    const port = await serve(express().use('/static', serveAssets(folder)));
    const before = descriptors();
    const sockets = await sendOften(10, port, get('/static/large.woff2').repeat(FULL));
    // Both ends of each connection, and the file of its first request.
    await vi.waitFor(() => expect(descriptors()).toBe(before + 30));
    for (const socket of sockets) socket.resetAndDestroy();
    await vi.waitFor(() => expect(descriptors()).toBe(before));
  });

  it('holds no copies of the documents that anyone may read', async () => {
    const app = await createTestApp('sqlite');
    const addresses = ['/api/openapi.json', '/api/docs/swagger-ui-bundle.js'];
    for (const address of addresses) await app.api.get(address.replace('/api', '')).expect(200);
    const before = process.memoryUsage().external;
    const port = Number(new URL(app.url).port);
    const sockets = await Promise.all(
      addresses.map((address) => sendOften(50, port, get(address).repeat(FULL))),
    );
    await vi.waitFor(() =>
      expect(sockets.flat().every(({ bytesRead }) => bytesRead > 0)).toBe(true),
    );
    // Copies for only one request of each connection would take 50 MB.
    expect(process.memoryUsage().external - before).toBeLessThan(20 * 1024 * 1024);
    for (const socket of sockets.flat()) socket.destroy();
  });
});
