import { afterEach, expect, it, vi } from 'vitest';
import * as adminCalls from './admin-calls.ts';
import * as calls from './calls.ts';

afterEach(() => vi.unstubAllGlobals());

/** Calls of the dashboard; the active event is everyone's. */
const ADMIN_FETCH = /^\/api\/(admin\/|events(?!\/active))/;

it('“Admin fetches add a timestamp to avoid caching”: each call that reads has one', async () => {
  const read: string[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit) => {
    if (method === 'GET') read.push(address);
    return Response.json({ success: true, data: [] });
  });
  // In place of every argument: an id, a query or the signal.
  const { signal } = new AbortController();
  for (const [name, call] of [...Object.entries(calls), ...Object.entries(adminCalls)]) {
    if (name.startsWith('get') || name === 'verifyAdmin')
      await Reflect.apply(call, undefined, [signal, signal, signal]);
  }
  const ofAdmins = read.filter((address) => ADMIN_FETCH.test(address));
  expect(ofAdmins.length).toBeGreaterThan(15);
  expect(ofAdmins.filter((address) => !/[?&]at=\d+/.test(address))).toEqual([]);
});
