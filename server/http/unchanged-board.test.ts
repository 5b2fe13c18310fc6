import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import BetterSqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aKey, asMember, change } from '../dev/test/builders.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../dev/test/test-app.ts';

const BOARD = '/api/respawns';

interface FetchOptions {
  path?: string;
  method?: string;
  headers: Record<string, string>;
}

async function ask(
  { url }: { url: string },
  { path = BOARD, method = 'GET', headers }: FetchOptions,
): Promise<IncomingMessage> {
  const asking = request(url + path, { method, headers, agent: false });
  asking.end();
  const [answer] = await once(asking, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer;
}

async function aBoard(
  env: TestAppOptions['env'] = {},
): Promise<{ app: TestApp; member: Record<string, string>; etag: string }> {
  const app = await createTestApp('sqlite', { env, context: { build: () => 'a1b2' } });
  const member = asMember(await aKey(app));
  // The first request of a member looks the key up.
  const { headers } = await ask(app, { headers: member });
  // Read the admins' board into memory, too: without it, their ETag is unknown before the handler runs.
  await ask(app, { headers: { ...app.admin } });
  return { app, member, etag: headers.etag ?? '' };
}

/** Statements that timers send each second and minute. */
const OF_TIMERS = /"?(kysely_migration|clock|heartbeats|servers|jobs)"?/;

/** The statements that SQLite runs from now on. */
function watchStatements(): string[] {
  const ran: string[] = [];
  const prototype: BetterSqlite.Statement = Object.getPrototypeOf(
    new BetterSqlite(':memory:').prepare('select 1'),
  );
  for (const method of ['all', 'get', 'run', 'iterate'] as const) {
    const original = prototype[method];
    const spy = vi.spyOn(prototype, method).mockImplementation(function watched(
      this: BetterSqlite.Statement,
      ...values: unknown[]
    ) {
      ran.push(this.source);
      return Reflect.apply(original, this, values);
    });
    onTestFinished(() => spy.mockRestore());
  }
  return ran;
}

const timesCounted = async ({ ctx }: TestApp): Promise<Record<string, number>> => {
  const { values } = await ctx.metrics.requests.get();
  const counts = values.filter(
    ({ metricName, labels }) => metricName?.endsWith('_count') && labels.route === BOARD,
  );
  return Object.fromEntries(
    counts.map(({ labels, value }) => [`${labels.method} ${labels.status}`, value]),
  );
};

describe('the refresh of an unchanged board', () => {
  it.each(['members', 'public'])(
    'is answered and counted by who asks and how, where the board is visible to %s',
    async (BOARD_VISIBILITY) => {
      const { app, member, etag } = await aBoard({ BOARD_VISIBILITY });
      const isPublic = BOARD_VISIBILITY === 'public';
      const callers: [who: string, credentials: Record<string, string>, refused: number | null][] =
        [
          ['member', member, null],
          [
            'a member who types it in their way',
            { 'x-access-key': ` ${member['X-Access-Key']?.toLowerCase()} ` },
            null,
          ],
          ['admin', { ...app.admin }, null],
          ['an admin who has a key, too', { ...app.admin, ...member }, null],
          ['visitor', {}, isPublic ? null : 401],
          ['a wrong key', { 'x-access-key': 'WRONG' }, 401],
          ['a wrong token', { authorization: 'Bearer wrong' }, 401],
          ['a wrong token beside a key', { authorization: 'Bearer wrong', ...member }, 401],
          [
            'a member in a browser that asks caches not to answer',
            { ...member, 'cache-control': 'no-cache', pragma: 'no-cache' },
            null,
          ],
          ['a member behind a proxy', { ...member, 'x-forwarded-for': '10.1.2.3' }, null],
        ];
      for (const [who, credentials, refused] of callers) {
        for (const method of ['GET', 'HEAD']) {
          for (const [tag, fresh] of [
            [etag, 304],
            [`"0", ${etag.replace('W/', '')}`, 304],
            ['W/"0"', 200],
            ['', 200],
          ] as const) {
            const before = await timesCounted(app);
            const answer = await ask(app, {
              method,
              headers: { ...credentials, ...(tag && { 'if-none-match': tag }) },
            });
            const status = refused ?? fresh;
            expect([who, method, tag, answer.statusCode]).toEqual([who, method, tag, status]);
            const counted = `${method} ${status}`;
            expect((await timesCounted(app))[counted]).toBe((before[counted] ?? 0) + 1);
            if (status === 304) {
              expect(answer.headers).toMatchObject({
                etag,
                'cache-control': 'private, no-cache',
                vary: 'Accept-Encoding',
                'x-build': 'a1b2',
              });
              expect(answer.headers['content-security-policy']).toContain("default-src 'self'");
            }
          }
        }
        expect(
          (await ask(app, { method: 'POST', headers: { ...credentials, 'if-none-match': etag } }))
            .statusCode,
        ).toBe(404);
      }
    },
  );

  it('touches no table, for members whose key was looked up and for visitors of a public board', async () => {
    const { app, member, etag } = await aBoard({ BOARD_VISIBILITY: 'public' });
    const statements = watchStatements();
    for (const credentials of [member, {}]) {
      expect(
        (await ask(app, { headers: { ...credentials, 'if-none-match': etag } })).statusCode,
      ).toBe(304);
    }
    expect(statements.filter((sql) => !OF_TIMERS.test(sql))).toEqual([]);
    await ask(app, { headers: { ...app.admin, 'if-none-match': etag } });
    expect(statements.some((sql) => sql.includes('admin_sessions'))).toBe(true);
    // Another member's key changes nothing that this one sees.
    await aKey(app);
    expect((await ask(app, { headers: { ...member, 'if-none-match': etag } })).statusCode).toBe(
      304,
    );
    await change(app, async ({ changes }) =>
      changes.put({ kind: 'category', record: { id: 1, name: 'Renamed' } }),
    );
    expect((await ask(app, { headers: { ...member, 'if-none-match': etag } })).statusCode).toBe(
      200,
    );
  });

  it('is read again by the member whose own records changed, and by no other', async () => {
    const { app, member, etag } = await aBoard();
    const other = asMember(await aKey(app, 'Old Bram'));
    const refreshed = async (headers: Record<string, string>, tag: string) => {
      const answer = await ask(app, { headers: { ...headers, 'if-none-match': tag } });
      return { status: answer.statusCode, etag: answer.headers.etag ?? '' };
    };
    expect((await refreshed(other, etag)).status).toBe(304);
    await app.api
      .post('/stars')
      .set(member)
      .send({ respawn_ids: [3] })
      .expect(200);
    const changed = await refreshed(member, etag);
    expect(changed.status).toBe(200);
    expect((await refreshed(member, changed.etag)).status).toBe(304);
    expect((await refreshed(other, etag)).status).toBe(304);
  });

  it('is refused as soon as the key is revoked, and by another name than the board’s own', async () => {
    const { app, member, etag } = await aBoard({ PUBLIC_URL: 'http://board.example' });
    const headers = { ...member, 'if-none-match': etag, host: 'board.example' };
    expect((await ask(app, { headers })).statusCode).toBe(200);
    const { etag: newest = '' } = (await ask(app, { headers })).headers;
    expect((await ask(app, { headers: { ...headers, 'if-none-match': newest } })).statusCode).toBe(
      304,
    );
    expect(
      (await ask(app, { headers: { ...headers, 'if-none-match': newest, host: 'other.example' } }))
        .statusCode,
    ).toBe(421);
    const [key] = (await app.api.get('/admin/access-keys').set(app.admin).expect(200)).body.data;
    await app.api.put(`/admin/access-keys/${key.id}/revoke`).set(app.admin).expect(200);
    expect((await ask(app, { headers: { ...headers, 'if-none-match': newest } })).statusCode).toBe(
      403,
    );
  });
});
