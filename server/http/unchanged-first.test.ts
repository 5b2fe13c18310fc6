import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiRoutes } from '../api.ts';
import { aKey, asMember, change } from '../dev/test/builders.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../dev/test/test-app.ts';
import { securityHeaders } from './security-headers.ts';
import { unchangedFirst } from './unchanged-first.ts';

const BOARD = '/api/respawns';
/** Names the same call, and no shortcut knows it. */
const THE_LONG_WAY = `${BOARD}?long`;

interface Asked {
  path?: string;
  method?: string;
  headers: Record<string, string>;
}

async function ask({ url }: { url: string }, { path = BOARD, method = 'GET', headers }: Asked): Promise<IncomingMessage> {
  const asking = request(url + path, { method, headers, agent: false });
  asking.end();
  const [answer] = await once(asking, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer;
}

const ONLY_THIS_ANSWER = /^(date|x-request-id): /;

/** All that an answer says, but for its own time and id. */
function saidBy({ statusCode, rawHeaders }: IncomingMessage): unknown {
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name.toLowerCase()}: ${rawHeaders[at + 1]}`] : []));
  return { statusCode, lines: lines.filter((line) => !ONLY_THIS_ANSWER.test(line)) };
}

async function aBoard(env: TestAppOptions['env'] = {}): Promise<{ app: TestApp; member: Record<string, string>; etag: string }> {
  const app = await createTestApp('sqlite', { env, context: { build: () => 'a1b2' } });
  const member = asMember(await aKey(app));
  // Whoever asks the first time is looked up, and what is said to a host is worked out.
  const { headers } = await ask(app, { headers: member });
  // The admins' board is read into memory, too: without it, their tag is not known before the handler runs.
  await ask(app, { headers: { ...app.admin } });
  return { app, member, etag: headers.etag ?? '' };
}

/** A server that has nothing but the shortcut, for the board of another; 404 where that leaves a request to others. */
async function theShortcutAlone({ ctx }: TestApp): Promise<{ url: string }> {
  const security = securityHeaders(ctx.env);
  const isUnchanged = unchangedFirst(ctx, '/api', apiRoutes(), security);
  const server = createServer((req, res) => {
    Object.assign(req, { headers: { ...req.headers, host: 'board' } });
    if (!isUnchanged(req, res)) security.handler(Object.assign(req), Object.assign(res), () => res.writeHead(404).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  await ask({ url }, { headers: {} });
  return { url };
}

const timesCounted = async ({ ctx }: TestApp): Promise<Record<string, number>> => {
  const { values } = await ctx.metrics.requests.get();
  const counts = values.filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.route === BOARD);
  return Object.fromEntries(counts.map(({ labels, value }) => [`${labels.method} ${labels.status}`, value]));
};

describe('the refresh of an unchanged board', () => {
  it('is answered and counted as by the whole chain, to whoever asks and however', async () => {
    for (const BOARD_VISIBILITY of ['members', 'public']) {
      const { app, member, etag } = await aBoard({ BOARD_VISIBILITY });
      const askers = {
        member,
        'a member who types it in their way': { 'x-access-key': ` ${member['X-Access-Key']?.toLowerCase()} ` },
        admin: app.admin,
        'an admin who has a key, too': { ...app.admin, ...member },
        visitor: {},
        'a wrong key': { 'x-access-key': 'WRONG' },
        'a wrong token': { authorization: 'Bearer wrong' },
        'a wrong token beside a key': { authorization: 'Bearer wrong', ...member },
        'a proxy': { ...member, 'x-forwarded-for': '10.1.2.3' },
        'another host': { ...member, host: 'other.example' },
      };
      for (const [who, credentials] of Object.entries(askers)) {
        for (const method of ['GET', 'HEAD', 'POST']) {
          for (const tag of [etag, `"0", ${etag.replace('W/', '')}`, 'W/"0"', '']) {
            const headers: Record<string, string> = { ...credentials, ...(tag && { 'if-none-match': tag }) };
            const before = await timesCounted(app);
            const long = await ask(app, { path: THE_LONG_WAY, method, headers });
            const between = await timesCounted(app);
            const short = await ask(app, { method, headers });
            const after = await timesCounted(app);
            expect([who, method, tag, saidBy(short)]).toEqual([who, method, tag, saidBy(long)]);
            const counted = `${method} ${long.statusCode}`;
            const more = (one: Record<string, number>, other: Record<string, number>): number =>
              (one[counted] ?? 0) - (other[counted] ?? 0);
            expect([who, method, tag, more(after, between)]).toEqual([who, method, tag, more(between, before)]);
          }
        }
      }
    }
  });

  it('is told at once to members who are known, and to anybody where the board is public; all else goes the long way', async () => {
    const { app, member, etag } = await aBoard();
    const shortcut = await theShortcutAlone(app);
    const status = async (headers: Record<string, string>, asked: Partial<Asked> = {}): Promise<number | undefined> =>
      (await ask(shortcut, { ...asked, headers: { 'if-none-match': etag, ...headers } })).statusCode;
    expect(await status(member)).toBe(304);
    expect(await status(member, { method: 'HEAD' })).toBe(304);
    for (const [headers, asked] of [
      [{}],
      [app.admin],
      [{ ...member, ...app.admin }],
      [{ 'x-access-key': 'WRONG' }],
      [{ ...member, 'if-none-match': 'W/"0"' }],
      [{ ...member, 'x-forwarded-for': '10.1.2.3' }],
      [{ ...member, 'transfer-encoding': 'chunked' }, { method: 'HEAD' }],
      [member, { path: THE_LONG_WAY }],
      [member, { path: '/api/snapshot' }],
      [member, { method: 'POST' }],
    ] satisfies [Record<string, string>, Partial<Asked>?][]) {
      expect([headers, asked, await status(headers, asked)]).toEqual([headers, asked, 404]);
    }
    // Another member's key changes nothing that this one sees.
    await aKey(app);
    expect(await status(member)).toBe(304);
    await change(app, async (_tx, changes) => changes.put({ kind: 'category', record: { id: 1, name: 'Renamed' } }));
    expect(await status(member)).toBe(404);

    const open = await aBoard({ BOARD_VISIBILITY: 'public' });
    const openShortcut = await theShortcutAlone(open.app);
    expect((await ask(openShortcut, { headers: { 'if-none-match': open.etag } })).statusCode).toBe(304);
  });

  it('is refused as soon as the key is revoked, and by another name than the board’s own', async () => {
    const { app, member, etag } = await aBoard({ PUBLIC_URL: 'http://board.example' });
    const headers = { ...member, 'if-none-match': etag, host: 'board.example' };
    expect((await ask(app, { headers })).statusCode).toBe(200);
    const { etag: newest = '' } = (await ask(app, { headers })).headers;
    expect((await ask(app, { headers: { ...headers, 'if-none-match': newest } })).statusCode).toBe(304);
    // The second time all that would be said to that host is known.
    for (let times = 0; times < 2; times += 1) {
      expect((await ask(app, { headers: { ...headers, 'if-none-match': newest, host: 'other.example' } })).statusCode).toBe(421);
    }
    const [key] = (await app.api.get('/admin/access-keys').set(app.admin).expect(200)).body.data;
    await app.api.put(`/admin/access-keys/${key.id}/revoke`).set(app.admin).expect(200);
    expect((await ask(app, { headers: { ...headers, 'if-none-match': newest } })).statusCode).toBe(403);
  });
});
