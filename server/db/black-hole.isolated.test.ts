import { sql } from 'kysely';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aClaim, aKey, asMember, submit } from '../dev/test/builders.ts';
import { freshDatabase } from '../dev/test/databases.ts';
import { expectRefusal } from '../dev/test/expect-refusal.ts';
import { type FaultProxy, startFaultProxy } from '../dev/test/fault-proxy.ts';
import { runServer } from '../dev/test/run-server.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';

const AWAY = "The database isn't responding, so nothing was saved. Please try again in a moment.";
const UNKNOWN =
  "The database didn't respond in time. Check whether this was saved before you try again.";

interface Faulty {
  settings: { DATA_DIR: string; DATABASE_URL: string };
  proxy: FaultProxy;
  drop: () => Promise<void>;
}

/** A database that is reached through the proxy only. */
async function faultyDatabase(): Promise<Faulty> {
  const { settings, drop } = await freshDatabase('postgres');
  const proxy = await startFaultProxy(settings.DATABASE_URL ?? '');
  onTestFinished(async () => {
    await proxy.close();
    await drop();
  });
  return { settings: { ...settings, DATABASE_URL: proxy.url }, proxy, drop };
}

async function faultyApp(): Promise<{ app: TestApp; proxy: FaultProxy }> {
  const on = await faultyDatabase();
  const app = await createTestApp('postgres', {
    on,
    context: { queue: { togetherMs: Number.POSITIVE_INFINITY } },
  });
  // Before the app closes, which it could not do cleanly otherwise.
  onTestFinished(() => on.proxy.become('pass', { kept: true }));
  return { app, proxy: on.proxy };
}

const readyz = (app: TestApp) => supertest(app.url).get('/readyz');
const rows = async ({ ctx }: TestApp): Promise<number> =>
  (await ctx.db.selectFrom('claims').selectAll().execute()).length;

/** Asks until it is served; how often is the machine's affair. */
const servedAgain = (app: TestApp): Promise<unknown> =>
  vi.waitFor(() => readyz(app).expect(200), { timeout: 20_000, interval: 200 });

describe('a PostgreSQL that takes connections and never answers', () => {
  it.each([{ kept: true }, { kept: false }])(
    'answers 503 while it is away, and 200 as soon as it is back (old connections live: $kept)',
    async ({ kept }) => {
      const { app, proxy } = await faultyApp();
      const key = await aKey(app);
      // Several connections idle in the pool.
      await Promise.all(Array.from({ length: 30 }, () => app.api.get('/categories').expect(200)));
      proxy.become('swallow');
      const [read, written, waiting, ready] = await Promise.all([
        app.api.get('/categories'),
        submit(app, key, aClaim(key)),
        app.api.post('/categories').set(app.admin).send({ name: 'Later' }),
        readyz(app),
      ]);
      for (const answer of [read, written, waiting]) {
        expectRefusal(answer, 503, 'server.databaseAway', AWAY);
        expect(answer.headers['retry-after']).toBe('2');
      }
      expect({ status: ready.status, body: ready.body }).toEqual({
        status: 503,
        body: { status: 'not ready', reason: 'the database does not answer' },
      });
      proxy.become('pass', { kept });
      await servedAgain(app);
      // None of the connections that died meanwhile is used again.
      const answers = await Promise.all([
        ...Array.from({ length: 30 }, () => app.api.get('/categories')),
        submit(app, key, aClaim(key)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([...Array(30).fill(200), 201]);
      expect(await rows(app)).toBe(1);
    },
  );

  it('listens again for the other servers’ changes, although a try to connect met the silence', async () => {
    const { app, proxy } = await faultyApp();
    const listeners = async (): Promise<unknown> =>
      (
        await sql`select 1 from pg_stat_activity where datname = current_database() and query ~* '^(listen|select pg_notify)'`.execute(
          app.ctx.db,
        )
      ).rows.length;
    expect(await listeners()).toBe(1);
    proxy.become('cut');
    proxy.become('swallow');
    await expect(readyz(app)).resolves.toMatchObject({ status: 503 });
    proxy.become('pass');
    await vi.waitFor(async () => expect(await listeners()).toBe(1), {
      timeout: 30_000,
      interval: 200,
    });
  });
});

describe('a PostgreSQL that falls silent at the commit', () => {
  it.each(['before', 'after'] as const)(
    'leaves a claim neither refused nor confirmed; the retry with its Idempotency-Key tells (silent %s the commit arrived)',
    async (when) => {
      const { app, proxy } = await faultyApp();
      const key = await aKey(app);
      const send = () => submit(app, key, aClaim(key)).set('Idempotency-Key', 'once');
      const clock = app.ctx.bus.clock();
      proxy.swallowAt('commit', when);
      const first = await send();
      expectRefusal(first, 503, 'server.outcomeUnknown', UNKNOWN);
      expect(first.headers['retry-after']).toBeUndefined();
      proxy.become('pass');
      await servedAgain(app);
      const second = await vi.waitFor(() => send().expect(201), { timeout: 20_000, interval: 200 });
      expect(await rows(app)).toBe(1);
      const board = await app.api
        .get('/respawns/1/claims/2026-11-21')
        .set(asMember(key))
        .expect(200);
      expect(board.body.data).toMatchObject([{ id: second.body.data[0].id }]);
      // Watchers get it from the table, even if no write is retried.
      await vi.waitFor(() => expect(app.ctx.bus.clock()).toBe(clock + 1), {
        timeout: 20_000,
        interval: 200,
      });
    },
  );
});

describe('a PostgreSQL that falls silent at the commit of several writes', () => {
  it.each(['before', 'after'] as const)(
    'leaves each of them neither refused nor confirmed (silent %s the commit arrived)',
    async (when) => {
      const { app, proxy } = await faultyApp();
      const keys = [await aKey(app), await aKey(app)];
      const third = await aKey(app);
      const { writes, bus } = app.ctx;
      await writes.idle();
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      void writes.transaction(() => held);
      const silenced = writes
        .transaction(async () => proxy.swallowAt('commit', when))
        .catch(({ code }: { code: string }) => code);
      const submissions = keys.map((key, n) =>
        submit(app, key, aClaim(key, { respawn_id: 1 + n })).then((answer) => answer),
      );
      // The hours of a possibly stored claim are not lost to others yet.
      const late = submit(app, third, aClaim(third, { respawn_id: 1 })).then((answer) => answer);
      await vi.waitFor(() => expect(writes.waiting()).toBe(4), { timeout: 20_000 });
      letGo();
      for (const answer of await Promise.all([...submissions, late]))
        expectRefusal(answer, 503, 'server.outcomeUnknown', UNKNOWN);
      expect(await silenced).toBe('server.outcomeUnknown');
      proxy.become('pass');
      await servedAgain(app);
      const stored = await vi.waitFor(() => rows(app), { timeout: 20_000, interval: 200 });
      expect(stored).toBe(when === 'after' ? 2 : 0);
      const clock = (await app.ctx.db.selectFrom('clock').select('value').executeTakeFirstOrThrow())
        .value;
      await vi.waitFor(() => expect(bus.clock()).toBe(clock), { timeout: 20_000, interval: 200 });
    },
  );
});

describe('SIGTERM', () => {
  it('ends the process although the database never answers', async () => {
    const { settings, proxy } = await faultyDatabase();
    const server = runServer({ ...settings, ADMIN_PASSWORD: 'hunting-at-night' });
    const url = await server.ready;
    proxy.become('swallow');
    const status = fetch(`${url}/api/categories`).then(({ status }) => status);
    const hung = fetch(`${url}/readyz`).then(({ status }) => status);
    await fetch(`${url}/healthz`);
    server.child.kill('SIGTERM');
    expect([0, 1]).toContain(await server.ended);
    expect(await Promise.all([status, hung].map((each) => each.catch(() => 'cut')))).toEqual([
      503, 503,
    ]);
  });
});
