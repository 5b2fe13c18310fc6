import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aKey,
  aName,
  aSpot,
  asMember,
  changeUnheard,
  submit,
} from '../dev/test/builders.ts';
import { databases, freshDatabase } from '../dev/test/databases.ts';
import {
  createTestApp,
  NOW,
  type TestApp,
  type TestAppOptions,
  TODAY,
} from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';
import type { Dialect, Tx } from './database.ts';
import { type Unit, write } from './unit-of-work.ts';

/** An app of which as many writes as wait share a commit, however slow the machine is. */
const anApp = (
  dialect: Dialect,
  queue: NonNullable<TestAppOptions['context']>['queue'] = {},
): Promise<TestApp> =>
  createTestApp(dialect, {
    context: { queue: { togetherMs: Number.POSITIVE_INFINITY, ...queue } },
  });

const untilWaiting = async ({ ctx }: TestApp, many: number): Promise<void> => {
  await expect.poll(ctx.writes.waiting, { timeout: 20_000 }).toBe(many);
};

/** Queues `many` writes, then releases them at the same time. */
async function together<T>(app: TestApp, many: number, begin: () => T): Promise<T> {
  await app.ctx.writes.idle();
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = app.ctx.writes.transaction(() => promise);
  const begun = begin();
  await untilWaiting(app, many);
  resolve();
  await held;
  return begun;
}

const addCategory =
  (name: string, before: (tx: Tx) => Promise<unknown> = async () => {}) =>
  async ({ tx }: Unit): Promise<string> => {
    await before(tx);
    await tx.insertInto('categories').values({ name, name_key: name.toLowerCase() }).execute();
    return name;
  };
/** Nothing is wrong with it before the commit, which fails by it. */
async function spoil(tx: Tx): Promise<void> {
  await sql`create table spoiled (id integer primary key, other integer references spoiled deferrable initially deferred)`.execute(
    tx,
  );
  await sql`insert into spoiled values (1, 2)`.execute(tx);
}
const categories = async ({ ctx }: TestApp): Promise<string[]> =>
  (await ctx.db.selectFrom('categories').select('name').orderBy('id').execute()).map(
    ({ name }) => name,
  );
const storedClock = async ({ ctx }: TestApp): Promise<number> =>
  (await ctx.db.selectFrom('clock').select('value').executeTakeFirstOrThrow()).value;
const outcomes = async (writes: Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(writes)).map((each) =>
    each.status === 'fulfilled' ? each.value : (each.reason.code ?? each.reason.message),
  );

describe.each(databases)('writes that wait at the same moment on %s', (dialect) => {
  it('share a commit: none is visible before all are stored, and each has its own clock and change set', async () => {
    const app = await anApp(dialect);
    const before = { clock: await storedClock(app), categories: await categories(app) };
    const published: number[] = [];
    app.ctx.bus.listen(({ clock }) => published.push(clock));
    const seen: unknown[] = [];
    const look = async (tx: Tx): Promise<void> => {
      const { value } = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
      seen.push({
        inside: value,
        outside: await storedClock(app),
        categories: await categories(app),
        published: [...published],
      });
    };
    const names = [aName('One'), aName('Two'), aName('Three')];
    const writes = await together(app, 3, () =>
      names.map((name) => write(app.ctx, addCategory(name, look))),
    );
    expect(await outcomes(writes)).toEqual(names);
    expect(seen).toEqual(
      [1, 2, 3].map((n) => ({
        inside: before.clock + n,
        outside: before.clock,
        categories: before.categories,
        published: [],
      })),
    );
    expect(await categories(app)).toEqual([...before.categories, ...names]);
    expect(published).toEqual([1, 2, 3].map((n) => before.clock + n));
    const sets = await app.ctx.db
      .selectFrom('changes')
      .select('clock')
      .where('clock', '>', before.clock)
      .orderBy('clock')
      .execute();
    expect(sets.map(({ clock }) => clock)).toEqual(published);
  });

  it("fail alone: one's writes and clock are undone, and it is refused only when the others are stored", async () => {
    const app = await anApp(dialect);
    const clock = await storedClock(app);
    const published: string[] = [];
    const names = [aName('One'), aName('Two'), aName('Three'), aName('Four')];
    const writes = await together(app, 4, () =>
      names.map((name, at) =>
        write(app.ctx, async (unit) => {
          if (at === 3) published.push('the last begins');
          await addCategory(name)(unit);
          if (at === 1) throw new Error('two fails');
          // Its name is taken, which the database itself refuses.
          if (at === 2) await addCategory(name)(unit);
        }).then(
          () => published.push(`${at} stored ${at < 3}`),
          () => published.push(`${at} refused`),
        ),
      ),
    );
    await Promise.all(writes);
    expect(published).toEqual([
      'the last begins',
      '0 stored true',
      '1 refused',
      '2 refused',
      '3 stored false',
    ]);
    expect((await categories(app)).slice(-2)).toEqual([names[0], names[3]]);
    expect([await storedClock(app), app.ctx.bus.clock()]).toEqual([clock + 2, clock + 2]);
  });

  it('are all refused when their commit fails: nothing is stored, published or answered, including a duplicate of one', async () => {
    const app = await anApp(dialect);
    const key = await aKey(app);
    const before = [await storedClock(app), app.ctx.bus.clock()];
    const send = () =>
      submit(app, key, aClaim(key, { respawn_id: aSpot() })).set('Idempotency-Key', 'once');
    const claim = aClaim(key, { respawn_id: aSpot() });
    const twin = () =>
      submit(app, key, claim)
        .set('Idempotency-Key', 'once')
        .then(({ status }) => status);
    const answers = await together(app, 3, () => [
      twin(),
      twin(),
      write(app.ctx, ({ tx }) => spoil(tx)).catch(() => 'failed'),
    ]);
    expect(await Promise.all(answers)).toEqual([500, 500, 'failed']);
    expect([await storedClock(app), app.ctx.bus.clock()]).toEqual(before);
    expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
    await submit(app, key, claim).set('Idempotency-Key', 'once').expect(201);
    expect((await send()).status).toBe(409);
  });

  it('are in no board, snapshot, answer or live sync that is read before they are stored', async () => {
    const app = await anApp(dialect);
    const key = await aKey(app);
    const reader = await aKey(app);
    const spot = aSpot();
    const watcher = new Watcher(app.url, { access_key: reader.key_value });
    await watcher.connect();
    const clock = app.ctx.bus.clock();
    const boards: unknown[] = [];
    const lookAround = async (): Promise<void> => {
      const get = async (path: string) =>
        (await app.api.get(path).set(asMember(reader)).expect(200)).body;
      const other = new Watcher(app.url, { access_key: reader.key_value });
      await other.connect();
      boards.push({
        day: (await get(`/respawns/${spot}/claims/${TODAY}`)).data,
        own: (await get(`/claims/check-character-claims/${key.character_name}?date=${TODAY}`)).data
          .claimsForDate,
        board: JSON.stringify(await get('/respawns')).includes(key.character_name),
        snapshots: await Promise.all(
          (['members', 'admins'] as const).map(
            async (role) => (await app.ctx.readModel.snapshot(role)).clock,
          ),
        ),
        live: [watcher, other].map((each) => [each.board.clock, each.records('claim').size]),
      });
    };
    const answers = await together(app, 2, () => [
      submit(app, key, aClaim(key, { respawn_id: spot })).then(({ status }) => status),
      // It comes later, sees the claim, and fails by the commit that it spoils.
      untilWaiting(app, 1).then(() =>
        write(app.ctx, async ({ tx }) => {
          boards.push(await tx.selectFrom('claims').select('character_name').execute());
          await lookAround();
          await spoil(tx);
        }).catch(() => 'failed'),
      ),
    ]);
    expect(await Promise.all(answers)).toEqual([500, 'failed']);
    const nothing = {
      day: [],
      own: [],
      board: false,
      snapshots: [clock, clock],
      live: [
        [clock, 0],
        [clock, 0],
      ],
    };
    expect(boards).toEqual([[{ character_name: key.character_name }], nothing]);
    await lookAround();
    expect(boards.at(-1)).toEqual(nothing);
    await submit(app, key, aClaim(key, { respawn_id: spot })).expect(201);
    await watcher.reached(clock + 1);
    expect(watcher.records('claim').size).toBe(1);
  });

  it.each([
    ['so many', { together: 2 }, [0, 0, 2, 2, 4]],
    ['so long', { togetherMs: -1 }, [0, 1, 2, 3, 4]],
  ])('share it up to %s, so that the first is answered', async (_what, queue, expected) => {
    const app = await anApp(dialect, queue);
    const clock = await storedClock(app);
    const stored: number[] = [];
    const writes = await together(app, 5, () =>
      expected.map(() =>
        write(app.ctx, async () => {
          stored.push((await storedClock(app)) - clock);
        }),
      ),
    );
    await Promise.all(writes);
    expect(stored).toEqual(expected);
  });
});

it('two servers that lock the heartbeats and the clock in opposite orders do not deadlock', async () => {
  const database = await freshDatabase('postgres');
  const one = await createTestApp('postgres', {
    on: database,
    context: { queue: { togetherMs: Number.POSITIVE_INFINITY } },
  });
  const other = await createTestApp('postgres', { on: database });
  const beat_at = new Date().toISOString();
  const beat = async (tx: Tx): Promise<void> => {
    await tx
      .insertInto('heartbeats')
      .values({ began_at: NOW, beat_at })
      .onConflict((on) => on.column('began_at').doUpdateSet({ beat_at }))
      .execute();
  };
  await changeUnheard(one, beat);
  const waitingForLock = async (): Promise<number> => {
    const { rows } =
      await sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        one.ctx.db,
      );
    return rows.length;
  };
  const begun = Promise.withResolvers<void>();
  const heartbeatFirst = async (tx: Tx): Promise<void> => {
    await beat(tx);
    begun.resolve();
    await expect.poll(waitingForLock).toBe(1);
  };
  const group = together(one, 2, () => [
    one.ctx.writes.transaction(heartbeatFirst),
    write(one.ctx, addCategory('Joined')),
  ]);
  await begun.promise;
  const clockFirst = write(other.ctx, ({ tx }) => beat(tx));
  expect(await outcomes([...(await group), clockFirst])).toEqual([undefined, 'Joined', undefined]);
});

it('nothing is written to SQLite but by way of the queue: who reads has a connection that only reads', async () => {
  const app = await anApp('sqlite');
  await expect(app.ctx.db.deleteFrom('categories').execute()).rejects.toMatchObject({
    code: 'SQLITE_READONLY',
  });
});

describe('a full disk in the middle of writes that share a commit', () => {
  it('a full disk fails all writes that SQLite’s rollback undid, and no others', async () => {
    const app = await anApp('sqlite');
    const clock = await storedClock(app);
    const before = await categories(app);
    const pages = await changeUnheard(app, (tx) =>
      sql<{ page_count: number }>`pragma page_count`.execute(tx),
    );
    const room = Number(pages.rows[0]?.page_count) + 20;
    await changeUnheard(app, (tx) => sql.raw(`pragma max_page_count = ${room}`).execute(tx));
    const names = [aName('Small'), 'x'.repeat(1_000_000), aName('Last')];
    const writes = await together(app, 3, () =>
      names.map((name) => write(app.ctx, addCategory(name))),
    );
    // The last one was not started yet: it is written alone, and fits.
    expect(await outcomes(writes)).toEqual(['SQLITE_FULL', 'SQLITE_FULL', names[2]]);
    expect(await categories(app)).toEqual([...before, names[2]]);
    expect([await storedClock(app), app.ctx.bus.clock()]).toEqual([clock + 1, clock + 1]);
  });
});
