import { expect, it, vi } from 'vitest';
import { ApiError, request, requestIfChanged } from './request.ts';

async function refusedWith(page: string): Promise<ApiError> {
  vi.stubGlobal(
    'fetch',
    async () => new Response(page, { status: 502, statusText: 'Bad Gateway' }),
  );
  const error = await request('/config').catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw error;
  return error;
}

it('shows the text of a portal’s page without markup, styles and scripts, 200 characters at most', async () => {
  const page = `<html><head><title>Gate</title></head><body><style>p { color: red }</style><p>Pay for\n the <b>Wi-Fi</b>${'!'.repeat(500)}</p></body></html>`;
  const { code, responseText } = await refusedWith(page);
  expect(code).toBe('');
  expect(responseText).toMatch(/^Pay for the Wi-Fi !+$/);
  expect(responseText).toHaveLength(200);
});

it('does not read a stranger’s long page of tags that never end to its end, which would take minutes', async () => {
  expect((await refusedWith('<script'.repeat(500_000))).responseText).toHaveLength(200);
});

it('asks whether an answer changed without forcing the proxies on the way to load it again, as browsers would', async () => {
  const sent: Headers[] = [];
  vi.stubGlobal('fetch', async (_path: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers));
    return sent.length === 1
      ? Response.json([], { headers: { ETag: 'W/"a-1"' } })
      : new Response(null, { status: 304 });
  });
  const first = await requestIfChanged('/respawns', null);
  expect(first).toEqual({ body: [], etag: 'W/"a-1"' });
  expect(await requestIfChanged('/respawns', 'W/"a-1"')).toBeNull();
  expect(
    sent.map((headers) => [headers.get('if-none-match'), headers.get('cache-control')]),
  ).toEqual([
    [null, null],
    ['W/"a-1"', 'max-age=0'],
  ]);
});
