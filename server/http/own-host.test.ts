import { once } from 'node:events';
import { connect } from 'node:net';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp } from '../dev/test/test-app.ts';
import { isOwn, socketOrigin } from './security-headers.ts';

const OTHER = "This server doesn't serve this address.";
const PUBLIC_URL = 'https://board.example';

describe('with PUBLIC_URL', () => {
  const app = createSuiteApp('sqlite', { env: { PUBLIC_URL } });
  const get = (path: string, host: string) => supertest(app.url).get(path).set('Host', host);

  it('requests to its host are answered, to any other refused, be it a page or a call', async () => {
    for (const host of ['board.example', 'BOARD.example', 'board.example:443'])
      await get('/api/config', host).expect(200);
    for (const host of [
      'evil.example',
      'board.example.evil.example',
      'board.example:8443',
      '127.0.0.1',
      '[::1]',
      'a b',
    ]) {
      for (const path of ['/api/config', '/', '/assets/respawns/x.gif']) {
        expectRefusal(await get(path, host), 421, 'request.otherHost', OTHER, {});
      }
    }
  });

  it("this machine still reads the server's health, under every host name", async () => {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      await get(path, '127.0.0.1').expect(200);
  });

  it("the live connection accepts its own pages and programs, and refuses other sites' pages", async () => {
    const first = async (host: string, ...headers: string[]): Promise<string> => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const requests = [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ];
      socket.write(
        `${['GET /socket.io/?EIO=4&transport=websocket HTTP/1.1', `Host: ${host}`, ...requests, ...headers].join('\r\n')}\r\n\r\n`,
      );
      const [bytes] = await once(socket, 'data');
      return String(bytes).slice(0, 12);
    };
    expect(await first('board.example')).toBe('HTTP/1.1 101');
    expect(await first('board.example', 'Origin: https://board.example')).toBe('HTTP/1.1 101');
    expect(await first('board.example', 'Origin: https://evil.example')).toBe('HTTP/1.1 421');
    expect(await first('board.example', 'Origin: http://board.example')).toBe('HTTP/1.1 421');
    expect(await first('evil.example')).toBe('HTTP/1.1 421');
  });

  it('pages may connect to their own host only', async () => {
    const { headers } = await get('/healthz', 'board.example');
    expect(headers['content-security-policy']).toMatch(
      /connect-src 'self' wss:\/\/board\.example($|;)/,
    );
  });
});

describe('without PUBLIC_URL', () => {
  it('any host is the board’s own, and the page may connect to the host it came from', () => {
    expect(isOwn({ headers: { host: 'anything' } }, {})).toBe(true);
    expect(socketOrigin({ headers: { host: 'localhost:3000' } }, {})).toBe(
      'ws://localhost:3000 wss://localhost:3000',
    );
    expect(socketOrigin({ headers: { host: '[::1]:3000' } }, {})).toBe(
      'ws://[::1]:3000 wss://[::1]:3000',
    );
  });

  it('an invalid host adds nothing to the policy', () => {
    for (const host of [
      '',
      '*',
      "x; script-src 'unsafe-inline'",
      'a b',
      'https://evil.example',
      'evil.example/path',
    ]) {
      expect(socketOrigin({ headers: { host } }, {})).toBe("'self'");
    }
  });
});
