import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import { affectedWaitlists } from '../../board/waitlist/affected-waitlists.ts';
import { holdsDue } from '../../board/waitlist/due.ts';
import { serveLines } from '../../board/waitlist/serve.ts';
import { DatabaseAway } from '../../db/failures.ts';
import type { Dialect } from '../../db/open.ts';
import { aClaim, aKey, aName, aSpot, aWait, changeUnheard, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import { addedJobs } from '../added-jobs.ts';
import type { DueSource } from './source.ts';
import { createTroubled } from './troubled.ts';
import { createUpkeep } from './upkeep.ts';

const seconds = (n: number): string => new Date(Date.parse(NOW) + n * 1_000).toISOString();
const statusesOf = async (app: TestApp) =>
  (await app.ctx.db.selectFrom('waits').select('status').orderBy('id').execute()).map(({ status }) => status);
const nextDue = async (app: TestApp) => (await app.ctx.db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow()).next_due;
const jobsOf = (app: TestApp) => app.ctx.db.selectFrom('jobs').select('due_at').where('kind', '=', 'due.ends').execute();

/** Hours that are held for ten minutes, somebody else who waits for them, and a source of things that are due as they lapse. */
async function aGuildWith(app: TestApp, source: Partial<DueSource>) {
  const [holder, first, second] = [await aKey(app), await aKey(app), await aKey(app)];
  const [claim] = await submitted(app, holder, aClaim(holder));
  for (const key of [first, second]) await aWait(app, key);
  const log = { error: vi.fn() };
  const settle = vi.fn(source.settle ?? (async () => {}));
  const faulty = { name: 'a fault', earliest: async () => seconds(600), ...source, settle };
  app.ctx.upkeep = createUpkeep([faulty, holdsDue], serveLines, createTroubled(log));
  await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
  expect(await statusesOf(app)).toEqual(['offered', 'waiting']);
  return { log, settle };
}

describe.each(databases)('what is due and does not end, on %s', (dialect) => {
  it('stops neither the write nor what else is due; it is let be for a minute, and the log is told once in a while', async () => {
    const app = await createTestApp(dialect);
    const { log, settle } = await aGuildWith(app, {});
    app.setNow(seconds(600));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['lapsed', 'offered']);
    expect([settle.mock.calls.length, await nextDue(app), await jobsOf(app)]).toEqual([1, seconds(660), [{ due_at: seconds(660) }]]);
    app.setNow(seconds(659));
    await aKey(app);
    expect(settle).toHaveBeenCalledTimes(1);
    for (const at of [660, 720, 1_140]) {
      app.setNow(seconds(at));
      await aKey(app);
      expect(await nextDue(app)).toBe(seconds(at + 60));
    }
    expect(settle).toHaveBeenCalledTimes(4);
    expect(log.error.mock.calls).toEqual([[{ err: expect.any(Error), due: 'a fault' }, expect.any(String)]]);
    app.setNow(seconds(1_200));
    await aKey(app);
    expect(log.error).toHaveBeenCalledTimes(2);
    expect(await statusesOf(app)).toEqual(['lapsed', 'lapsed']);
  });

  it('leaves nothing behind where it fails halfway: no row, nothing told, nothing noted as free', async () => {
    const app = await createTestApp(dialect);
    const name = aName('Half');
    const { log } = await aGuildWith(app, {
      settle: async (_ctx, tx, changes) => {
        const record = await tx
          .insertInto('categories')
          .values({ name, name_key: nameKey(name) })
          .returningAll()
          .executeTakeFirstOrThrow();
        changes.put({ kind: 'category', record: { id: record.id, name } });
        changes.collect(addedJobs).push(seconds(601));
        changes.collect(affectedWaitlists).all();
        await sql`select * from nowhere`.execute(tx);
      },
    });
    const watcher = new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) });
    await watcher.connect();
    app.setNow(seconds(600));
    await aKey(app);
    await watcher.reached(app.ctx.bus.clock());
    expect([...watcher.records('category').values()].filter((category) => category.name === name)).toEqual([]);
    expect(await app.ctx.db.selectFrom('categories').select('id').where('name', '=', name).execute()).toEqual([]);
    expect(await statusesOf(app)).toEqual(['lapsed', 'offered']);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(await nextDue(app)).toBe(seconds(660));
  });

  it('is let be, too, where nobody can say when it is due', async () => {
    const app = await createTestApp(dialect);
    const { log } = await aGuildWith(app, {
      earliest: async () => new Date('never').toISOString(),
    });
    app.setNow(seconds(600));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['lapsed', 'offered']);
    expect([log.error.mock.calls.length, await nextDue(app)]).toEqual([2, seconds(660)]);
  });

  it('fails the write where the database is away', async () => {
    const app = await createTestApp(dialect);
    await aGuildWith(app, {
      settle: async () => {
        throw new DatabaseAway(new Error('gone'));
      },
    });
    app.setNow(seconds(600));
    const { status, body } = await app.api.post('/admin/access-keys').set(app.admin).send({ characterName: aName(), memberType: 'member' });
    expect([status, body.code]).toEqual([503, 'server.databaseAway']);
    expect(await statusesOf(app)).toEqual(['offered', 'waiting']);
  });

  it('is tried again at once where the clock ran ahead when it failed', async () => {
    const app = await createTestApp(dialect);
    const { settle } = await aGuildWith(app, { earliest: async () => seconds(300) });
    app.setNow(seconds(86_400));
    await aKey(app);
    app.setNow(seconds(300));
    await changeUnheard(app, (tx) =>
      tx
        .updateTable('clock')
        .set({ next_due: seconds(300) })
        .execute(),
    );
    await aKey(app);
    expect(settle).toHaveBeenCalledTimes(2);
  });

  it('stops no write if it cannot be offered; all waitlists are looked at a minute later', async () => {
    const app = await createTestApp(dialect);
    await aGuildWith(app, {});
    const log = { error: vi.fn() };
    let fails = true;
    const serve: typeof serveLines = async (ctx, tx, changes, isServed) => {
      await serveLines(ctx, tx, changes, isServed);
      if (fails) await sql`select * from nowhere`.execute(tx);
    };
    app.ctx.upkeep = createUpkeep([holdsDue], serve, createTroubled(log));
    app.setNow(seconds(600));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['lapsed', 'waiting']);
    expect([await nextDue(app), await jobsOf(app)]).toEqual([seconds(660), [{ due_at: seconds(660) }]]);
    expect(log.error.mock.calls.map(([{ due }]) => due)).toEqual([expect.stringMatching(/^waitlist \d+ /), 'waitlists']);
    fails = false;
    app.setNow(seconds(659));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['lapsed', 'waiting']);
    app.setNow(seconds(660));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['lapsed', 'offered']);
    expect(await nextDue(app)).toBe(seconds(1_260));
  });

  it('keeps nobody from claiming or joining where one waitlist entry cannot be offered; the other waitlists are served', async () => {
    const app = await createTestApp(dialect);
    const [holder, other, waits, waitsToo] = [await aKey(app), await aKey(app), await aKey(app), await aKey(app)];
    const [first, second] = [aSpot(), aSpot()];
    const [bad] = await submitted(app, holder, aClaim(holder, { respawn_id: first }));
    const [good] = await submitted(app, other, aClaim(other, { respawn_id: second }));
    await aWait(app, waits, { respawn_id: first });
    await aWait(app, waitsToo, { respawn_id: second });
    const { id } = await app.ctx.db.selectFrom('waits').select('id').orderBy('id').executeTakeFirstOrThrow();
    await changeUnheard(app, (tx) => cannotBeOffered(dialect, id).execute(tx));
    const log = { error: vi.fn() };
    app.ctx.upkeep = createUpkeep([holdsDue], serveLines, createTroubled(log));
    const watcher = new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) });
    await watcher.connect();
    // In one write: both spots come free.
    const ids = [bad?.id, good?.id];
    await app.api
      .post('/admin/claims/bulk')
      .set(app.admin)
      .send({ ids, deed: { do: 'delete' } })
      .expect(200);
    expect(await statusesOf(app)).toEqual(['waiting', 'offered']);
    expect(log.error.mock.calls.map(([{ due }]) => due)).toEqual([expect.stringMatching(new RegExp(`^waitlist ${first} `))]);
    expect(await nextDue(app)).toBe(seconds(60));
    await watcher.reached(app.ctx.bus.clock());
    expect([...watcher.records('wait').values()].map(({ status }) => status)).toEqual(['waiting', 'offered']);
    // Later writes on that spot, and one who joins its waitlist, succeed while it backs off.
    const third = await aKey(app);
    await submitted(app, third, aClaim(third, { respawn_id: first, hour_start: 20, hour_end: 21 }));
    const joined = await aWait(app, await aKey(app), { respawn_id: first, hour_start: 20, hour_end: 21 });
    expect(joined).toMatchObject({ status: 'waiting', position: 2 });
    expect(log.error).toHaveBeenCalledTimes(1);
    await changeUnheard(app, (tx) => canBeOffered(dialect).execute(tx));
    app.setNow(seconds(60));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['offered', 'offered', 'waiting']);
  });
});

/** What makes the offer of one waitlist entry fail, as damaged data would. */
const cannotBeOffered = (dialect: Dialect, id: number) =>
  dialect === 'postgres'
    ? sql`alter table waits add constraint bad_entry check (id <> ${sql.lit(id)} or status <> 'offered')`
    : sql`create trigger bad_entry before update on waits when new.id = ${sql.lit(id)} and new.status = 'offered'
          begin select raise(abort, 'bad entry'); end`;
const canBeOffered = (dialect: Dialect) =>
  dialect === 'postgres' ? sql`alter table waits drop constraint bad_entry` : sql`drop trigger bad_entry`;
