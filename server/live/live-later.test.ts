import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Live, type LiveLater, serveLiveLater } from './live-later.ts';

const NEVER_MS = 1_000_000;

interface Stage {
  http: HttpServer;
  live: LiveLater;
  /** What loads ends so, from now on. */
  load: (how: 'well' | Error) => void;
  failed: unknown[];
  made: () => number;
}

/** A server whose live part greets whoever comes, in the way of a live server: it listens for upgrades itself. */
async function stage({ afterMs = NEVER_MS } = {}): Promise<Stage> {
  const http = createServer((_req, res: ServerResponse) => res.end('a page'));
  let loaded = Promise.withResolvers<void>();
  const failed: unknown[] = [];
  let made = 0;
  const make = (): Live => {
    made += 1;
    http.on('upgrade', (_req, socket: Duplex) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nlive'));
    return { engine: { close: () => {} } };
  };
  const load = async () => {
    await loaded.promise;
    return make;
  };
  const live = serveLiveLater(http, load, (error) => failed.push(error), afterMs);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return {
    http,
    live,
    load: (how) => {
      if (how === 'well') loaded.resolve();
      else {
        loaded.reject(how);
        loaded = Promise.withResolvers();
      }
    },
    failed,
    made: () => made,
  };
}

const UPGRADE = 'GET /socket.io/ HTTP/1.1\r\nHost: board\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Asks to go live. @returns the connection, and all that it is told until it ends */
function comeLive(http: HttpServer): { socket: Socket; told: Promise<string> } {
  const address = http.address();
  const socket = connect(address && typeof address === 'object' ? address.port : 0, '127.0.0.1');
  let text = '';
  socket.on('data', (some) => {
    text += String(some);
  });
  socket.on('error', () => {});
  socket.write(UPGRADE);
  onTestFinished(() => void socket.destroy());
  return { socket, told: new Promise((resolve) => socket.once('close', () => resolve(text))) };
}

const arrived = (http: HttpServer): Promise<unknown> => new Promise((resolve) => http.once('upgrade', resolve));

describe('live connections that come before what serves them is loaded', () => {
  it('have it loaded, once, wait for it, and are served in their order', async () => {
    const { http, load, made } = await stage();
    const [first, second] = [comeLive(http), comeLive(http)];
    await arrived(http);
    load('well');
    expect(await Promise.all([first.told, second.told])).toEqual([expect.stringMatching(/live$/), expect.stringMatching(/live$/)]);
    expect(await comeLive(http).told).toMatch(/live$/);
    expect(made()).toBe(1);
    expect(http.listenerCount('upgrade')).toBe(1);
  });

  it('do not keep pages waiting', async () => {
    const { http } = await stage();
    comeLive(http);
    await arrived(http);
    const address = http.address();
    const page = await fetch(`http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/`);
    expect(await page.text()).toBe('a page');
  });

  it('are ended where it cannot be loaded, and for the next ones it is tried again', async () => {
    const { http, load, failed } = await stage();
    const unlucky = comeLive(http);
    await arrived(http);
    load(new Error('the disk is gone'));
    expect(await unlucky.told).toBe('');
    expect(failed).toEqual([new Error('the disk is gone')]);
    load('well');
    expect(await comeLive(http).told).toMatch(/live$/);
  });

  it('are ended when the server stops, and nothing is made any more', async () => {
    const { http, live, load, made } = await stage();
    const waiting = comeLive(http);
    await arrived(http);
    const stopped = live.stop();
    expect(await waiting.told).toBe('');
    expect(await comeLive(http).told).toBe('');
    load('well');
    await stopped;
    expect(made()).toBe(0);
  });
});

it('what serves live connections is loaded although none comes', async () => {
  const { http, load, made } = await stage({ afterMs: 1 });
  const listening = new Promise((resolve) => http.once('newListener', resolve));
  load('well');
  await listening;
  await new Promise((resolve) => setImmediate(resolve));
  expect(made()).toBe(1);
});
