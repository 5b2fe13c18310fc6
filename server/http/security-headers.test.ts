import { expect, it } from 'vitest';
import { createTestApp } from '../dev/test/test-app.ts';

/** Headers of every answer. */
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
