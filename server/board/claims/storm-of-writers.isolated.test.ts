import { sql } from 'kysely';
import supertest from 'supertest';
import { describe, expect, it, vi } from 'vitest';
import { aClaim, asMember, manyKeys, submit } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp } from '../../dev/test/test-app.ts';

/** No hour of it is over yet. */
const TOMORROW = '2026-11-22';
const MEMBERS = 700;
const WAITING = 100;

describe.each(databases)('a storm of writers on %s', (dialect) => {
  it('yields claims, conflicts and busy refusals; reads go on, the server stays ready, and acknowledged claims are stored', async () => {
    const app = await createTestApp(dialect, {
      context: { queue: { limit: WAITING, waitsMs: 60_000 } },
    });
    const members = await manyKeys(app, MEMBERS);
    const [reader] = members;
    const clock = app.ctx.bus.clock();
    let answered = 0;
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    // In a file a write is done before a test could look: one that takes its time keeps the others waiting.
    const holder = dialect === 'sqlite' ? app.ctx.writes.transaction(() => held) : null;
    const storm = members.map((key, n) =>
      submit(
        app,
        key,
        aClaim(key, {
          respawn_id: 1 + (n % 50),
          date: TOMORROW,
          hour_start: (n % 5) * 4,
          hour_end: (n % 5) * 4 + 4,
        }),
      ).then((answer) => {
        answered += 1;
        return answer;
      }),
    );
    // Once the first are through, the others wait.
    await Promise.race(storm);
    const [ready, board] = await Promise.all([
      supertest(app.url).get('/readyz'),
      app.api.get('/respawns').set(asMember(reader ?? { key_value: '' })),
    ]);
    const meanwhile = answered;
    letGo();
    await holder;
    const answers = await Promise.all(storm);

    expect([ready.status, board.status]).toEqual([200, 200]);
    expect(meanwhile).toBeLessThan(MEMBERS);
    const of = (status: number) => answers.filter((answer) => answer.status === status);
    expect(of(201).length + of(409).length + of(503).length).toBe(MEMBERS);
    expect(of(201).length).toBeGreaterThan(0);
    for (const { body, headers } of of(503))
      expect([body.code, headers['retry-after']]).toEqual(['server.busy', '2']);

    const stored = await app.ctx.db.selectFrom('claims').select(['id', 'character_name']).execute();
    const acknowledged = of(201).flatMap(({ body }) =>
      body.data.map((row: { id: number }) => row.id),
    );
    expect(stored.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
    expect(app.ctx.bus.clock()).toBe(clock + acknowledged.length);
  });
});

describe('while another server holds the clock', () => {
  it('queues writes; those beyond the limit get a Retry-After, and reads and /readyz are answered at once', async () => {
    const app = await createTestApp('postgres', { context: { queue: { limit: 3 } } });
    const members = await manyKeys(app, 6);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
    const holder = app.ctx.db.transaction().execute(async (tx) => {
      await tx.selectFrom('clock').select('value').forUpdate().execute();
      hasLocked();
      await held;
    });
    await locked;
    const sending = members.map(
      (key, n) => () =>
        submit(app, key, aClaim(key, { respawn_id: 1 + n })).then((answer) => answer),
    );
    const writes = sending.slice(0, 1).map((send) => send());
    // The first one runs, and waits for the clock row.
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitFor(async () => expect((await waiting.execute(app.ctx.db)).rows).toHaveLength(1));
    writes.push(...sending.slice(1).map((send) => send()));
    const first = await Promise.race(writes);
    expectRefusal(
      first,
      503,
      'server.busy',
      "The server is very busy, so this wasn't saved. Please try again in 2 seconds.",
    );
    expect(first.headers['retry-after']).toBe('2');
    await supertest(app.url).get('/readyz').expect(200);
    await app.api.get('/categories').expect(200);
    letGo();
    await holder;
    // Beside it three waited.
    expect((await Promise.all(writes)).map(({ status }) => status).sort()).toEqual([
      201, 201, 201, 201, 503, 503,
    ]);
  });
});
