import { expect, it } from 'vitest';
import { createTestApp } from '../dev/test/test-app.ts';

/** Headers of every answer but the build's scripts and styles. */
const HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
];

it('every response has the same security headers, each for its requested host', async () => {
  const app = await createTestApp('sqlite');
  const as = async (host: string): Promise<unknown[]> => {
    const { headers } = await app.api.get('/config').set('Host', host).expect(200);
    return HEADERS.map((name) => headers[name]);
  };
  const hosts = ['board.example', 'board.example', 'other.example', 'board.example'];
  const responses: unknown[][] = [];
  for (const host of hosts) responses.push(await as(host));
  const [first, again, other, back] = responses;
  expect(first?.every((value) => typeof value === 'string')).toBe(true);
  expect(again).toEqual(first);
  expect(back).toEqual(first);
  expect(String(other?.[0])).toContain('ws://other.example ');
  expect(String(other?.[0])).not.toContain('board.example');
  expect(other?.slice(1)).toEqual(first?.slice(1));
});

it('scripts and styles have only the headers that browsers read of them', async () => {
  const app = await createTestApp('sqlite');
  const { headers } = await fetch(`${app.url}/early.js`);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('content-security-policy')).toBeNull();
  for (const path of ['/service-worker.js', '/static/picture.svg', '/', '/static/']) {
    const answer = await fetch(`${app.url}${path}`);
    expect(answer.headers.get('content-security-policy'), path).toContain("default-src 'self'");
  }
});
