import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../../shared/schemas/respawn.ts';
import { freePorts } from '../../dev/test/free-ports.ts';
import { aGifOf } from '../../dev/test/gifs.ts';
import { RECEIVER_PEM } from '../../dev/test/receiver.ts';
import { startUsualServer, type UsualServer, usual } from '../../dev/test/usual-server.ts';
import { createBuildName } from '../../http/static-files.ts';
import { type Answer, ask } from './test/ask.ts';
import { find } from './test/programs.ts';
import { type RunningProxy, startProxy } from './test/proxies.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A form with one picture, as a browser sends it. */
function aPicture(name: string, bytes: number): { headers: Record<string, string>; body: Buffer } {
  const text = `--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\n${name}\r\n--edge\r\nContent-Disposition: form-data; name="image"; filename="a.gif"\r\nContent-Type: image/gif\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(text), aGifOf(bytes), Buffer.from('\r\n--edge--\r\n')]);
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=edge' }, body };
}

for (const name of ['nginx', 'caddy'] as const) {
  const found = await find(name);
  if ('why' in found) {
    describe(`the sample for ${name}`, () => {
      it.skip(`is not tested: ${found.why}`, () => {});
    });
    continue;
  }

  describe(`the real ${name} with the sample, before a server`, () => {
    let proxy: RunningProxy;
    let server: UsualServer;
    let admin: Record<string, string>;
    let start: () => Promise<UsualServer>;
    let DATA_DIR: string;

    beforeAll(async () => {
      DATA_DIR = await mkdtemp(path.join(tmpdir(), 'claimboard-proxied-'));
      const [port = 0] = await freePorts(1);
      proxy = await startProxy(name, found, port);
      const env = { PORT: String(port), TRUST_PROXY: '1', PUBLIC_URL: proxy.url };
      start = () => startUsualServer({ DATA_DIR }, { env, context: { build: createBuildName() } });
      server = await start();
      const { json } = await ask(`${proxy.url}/api/login`, {
        method: 'POST',
        body: { username: 'admin', password: usual.password },
      });
      admin = { Authorization: `Bearer ${json.data?.token}` };
    });

    afterAll(async () => {
      await proxy?.stop();
      await server?.close();
      await rm(DATA_DIR, { recursive: true, force: true });
    });

    const aKey = (characterName: string): Promise<Answer> =>
      ask(`${proxy.url}/api/admin/access-keys`, {
        method: 'POST',
        headers: admin,
        body: { characterName },
      });

    it('gives the page, and its parts packed once and kept for long', async () => {
      const page = await ask(`${proxy.url}/some/screen`, {
        headers: { 'Accept-Encoding': 'gzip' },
      });
      expect([page.status, page.headers['content-type']]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      const parts = [...page.body.matchAll(/\/static\/[\w./-]+\.js/g)].map(([part]) => part);
      const sized = await Promise.all(
        parts.map(async (part) => ({ part, size: (await ask(`${proxy.url}${part}`)).body.length })),
      );
      const [largest] = sized.sort((a, b) => b.size - a.size);
      const part = largest?.part;
      const { status, headers, body } = await ask(`${proxy.url}${part}`, {
        headers: { 'Accept-Encoding': 'gzip' },
      });
      expect([status, headers['content-encoding'], headers['cache-control']]).toEqual([
        200,
        'gzip',
        'public, max-age=31536000, immutable',
      ]);
      expect(body).toMatch(/import|export|function/);
      const plain = await ask(`${proxy.url}${part}`, {
        headers: { 'Accept-Encoding': 'identity' },
      });
      expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, body]);
    });

    it('answers calls, and an unchanged board with 304', async () => {
      const board = await ask(`${proxy.url}/api/respawns`, { headers: admin });
      expect([board.status, typeof board.headers.etag]).toEqual([200, 'string']);
      const again = await ask(`${proxy.url}/api/respawns`, {
        headers: { ...admin, 'If-None-Match': `${board.headers.etag}` },
      });
      expect([again.status, again.body]).toEqual([304, '']);
    });

    it("shows the server the client's address at login, despite forged headers", async () => {
      const tries = (from: string, forwardedFor: string): Promise<Answer> =>
        ask(`${proxy.url}/api/login`, {
          method: 'POST',
          from,
          headers: { 'X-Forwarded-For': forwardedFor },
          body: { accessKey: 'WRONG' },
        });
      const statuses = new Set<number>();
      for (let nth = 0; nth < 31; nth += 1)
        statuses.add((await tries('127.0.0.2', `10.0.0.${nth}`)).status);
      expect((await tries('127.0.0.2', '10.0.1.1')).status).toBe(429);
      expect(statuses).toEqual(new Set([401, 429]));
      expect((await tries('127.0.0.3', '127.0.0.2')).status).toBe(401);
    });

    it('takes a picture of as many bytes as the server does, and lets the server refuse one more', async () => {
      const send = (picture: string, bytes: number): Promise<Answer> => {
        const { headers, body } = aPicture(picture, bytes);
        return ask(`${proxy.url}/api/respawns/admin`, {
          method: 'POST',
          headers: { ...admin, ...headers },
          body,
        });
      };
      expect((await send('Largest', MAX_IMAGE_BYTES)).status).toBe(201);
      const refused = await send('Too large', MAX_IMAGE_BYTES + 1);
      expect([refused.status, refused.json.code]).toEqual([413, 'request.tooLarge']);
      expect((await send('Far too large', 2 * MAX_IMAGE_BYTES)).status).toBe(413);
    });

    it('passes the live connection, over a restart of the server too, and reports that it is away meanwhile', async () => {
      const { token } = { token: admin.Authorization?.slice('Bearer '.length) };
      const socket: Socket = io(proxy.url, {
        transports: ['websocket'],
        auth: { admin_token: token },
        ca: RECEIVER_PEM,
        reconnectionDelay: 100,
        reconnectionDelayMax: 200,
      });
      onTestFinished(() => void socket.close());
      await new Promise((resolve) => socket.once('connect', () => resolve(null)));
      const { clock } = await socket.emitWithAck('sync', null);
      const change = new Promise<{ clock: number }>((resolve) => socket.once('changes', resolve));
      expect((await aKey(`Live by ${name}`)).status).toBe(201);
      expect((await change).clock).toBe(clock + 1);

      const lost = new Promise((resolve) => socket.once('disconnect', resolve));
      await server.close();
      await lost;
      for (const path of ['/', '/api/config']) {
        const away = await ask(`${proxy.url}${path}`);
        expect([path, away.status, away.headers['retry-after']]).toEqual([path, 503, '5']);
        expect(away.body).toContain('The board is starting.');
      }

      const back = new Promise((resolve) => socket.once('connect', () => resolve(null)));
      server = await start();
      await back;
      expect((await aKey(`Again by ${name}`)).status).toBe(201);
      const missed = await socket.emitWithAck('sync', clock);
      expect(missed.change_sets.map((set: { clock: number }) => set.clock)).toEqual([
        clock + 1,
        clock + 2,
      ]);
    });
  });
}
