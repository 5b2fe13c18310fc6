import { beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn<typeof fetch>(async () => Response.json({ success: true }));
/** The sent reports, once the secret finder is loaded. */
async function sent(): Promise<unknown[]> {
  await vi.dynamicImportSettled();
  return fetched.mock.calls.map(([, init]) => JSON.parse(String(init?.body)));
}

let report: typeof import('./report-error.ts');
beforeEach(async () => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockClear();
  // A reloaded tab.
  vi.resetModules();
  report = await import('./report-error.ts');
});

it('reports each error once, without keys, cookies or secrets of the address', async () => {
  window.history.replaceState(null, '', '/login?type=access-key');
  const error = new Error('no claim of K7QM-2F9A-XW3C');
  report.reportError(error);
  report.reportError(error);
  expect(await sent()).toMatchObject([{ message: 'no claim of …', page: '/login' }]);
  expect(fetched.mock.calls[0]).toMatchObject([
    '/api/client-errors',
    { method: 'POST', credentials: 'omit' },
  ]);
  expect(fetched.mock.calls[0]?.[1]?.headers).toEqual({ 'Content-Type': 'application/json' });
});

it('reports no part of the session’s key, in any form', async () => {
  const { setCredentials } = await import('./request.ts');
  setCredentials({ access_key: 'HUNT-TRAP-CAVE', admin_token: null });
  report.reportError(new Error('no claim of hunttrapcave, hunt-trap-cave or aHVudHRyYXBjYXZl'));
  expect(await sent()).toMatchObject([{ message: 'no claim of …, … or …' }]);
});

it('names the request that was answered last before, for the server’s log', async () => {
  const { request } = await import('./request.ts');
  fetched.mockResolvedValueOnce(
    Response.json({ data: null }, { headers: { 'X-Request-Id': '4f2a9c3b7d5e1068' } }),
  );
  await request('/config');
  fetched.mockClear();
  report.reportError(new Error('x'));
  expect((await sent()).at(-1)).toMatchObject({ message: 'x', request_id: '4f2a9c3b7d5e1068' });
});

it('reports ten errors at most, each within the server’s length limits', async () => {
  for (let count = 0; count < 30; count++)
    report.reportError(new Error(`${count} ${'x '.repeat(5_000)}`));
  expect(await sent()).toHaveLength(10);
  for (const [, init] of fetched.mock.calls) expect(String(init?.body).length).toBeLessThan(3_000);
});

it('reports uncaught errors, but not those of the network or of an extension', async () => {
  const listen = vi.spyOn(window, 'addEventListener').mockImplementation(() => {});
  report.watchErrors();
  expect(listen.mock.calls.map(([type]) => type)).toEqual(['error', 'unhandledrejection']);
  listen.mockRestore();
  const ours = await import('./request.ts');
  report.reportError(new ours.ApiError(0, 'network.failed', {}, 'Network error'));
  report.reportError(new DOMException('aborted', 'AbortError'));
  report.reportError('Script error.');
  report.reportError(new Error('ResizeObserver loop completed with undelivered notifications.'));
  report.reportError(
    Object.assign(new Error('x'), { stack: 'at chrome-extension://abc/content.js:1:2' }),
  );
  expect(await sent()).toEqual([]);
});

it('reports a response that our code failed to read, but no refusal and no network failure', async () => {
  const { LoadError } = await import('./load-error.ts');
  const { ApiError } = await import('./request.ts');
  report.reportError(
    new LoadError('respawns', new ApiError(502, 'server.failed', {}, 'Bad Gateway')),
  );
  expect(await sent()).toEqual([]);
  report.reportError(new LoadError('respawns', new TypeError('x is not a function')));
  expect(await sent()).toMatchObject([{ message: 'x is not a function' }]);
});

it('ignores a failure to report', async () => {
  fetched.mockRejectedValueOnce(new TypeError('no network'));
  expect(() => report.reportError(new Error('x'))).not.toThrow();
  expect(await sent()).toHaveLength(1);
});
