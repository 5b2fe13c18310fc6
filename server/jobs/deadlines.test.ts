import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { nameKey } from '../../shared/rules/names.ts';
import { freedHours } from '../board/freed-hours.ts';
import { holdsDue } from '../board/waitlist/deadlines.ts';
import { failedOffersRetried } from '../board/waitlist/offer-freed-hours.ts';
import { createBackOff } from '../db/back-off.ts';
import type { Dialect } from '../db/database.ts';
import { DatabaseAway } from '../db/errors.ts';
import { type DeadlineSource, write } from '../db/unit-of-work.ts';
import {
  aClaim,
  aKey,
  aName,
  aSpot,
  aWait,
  changeUnheard,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';
import { deadlineMoved, expireDeadlines } from './deadlines.ts';
import { wakeTimes } from './job-store.ts';

const seconds = (n: number): string => new Date(Date.parse(NOW) + n * 1_000).toISOString();
const statusesOf = async (app: TestApp) =>
  (await app.ctx.db.selectFrom('waits').select('status').orderBy('id').execute()).map(
    ({ status }) => status,
  );
const nextDue = async (app: TestApp) =>
  (await app.ctx.db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow()).next_due;

/** Replaces the server's deadlines. @returns the log of failures */
function setDeadlines(
  app: TestApp,
  sources: readonly DeadlineSource[],
  isInCharge = (): boolean => true,
) {
  const log = { error: vi.fn() };
  const deadlines = [...sources, failedOffersRetried];
  Object.assign(app.ctx, { deadlines, backOff: createBackOff(log), isInCharge });
  return log;
}

/** A hold of ten minutes, a second member on its waitlist, and a source that is due when the hold expires. */
async function createGuildWith(app: TestApp, source: Partial<DeadlineSource>) {
  const holder = await aKey(app);
  const first = await aKey(app);
  const second = await aKey(app);
  const [claim] = await submitted(app, holder, aClaim(holder));
  for (const key of [first, second]) await aWait(app, key);
  const expire = vi.fn(source.expire ?? (async () => {}));
  const log = setDeadlines(app, [
    { name: 'a fault', earliest: async () => seconds(600), ...source, expire },
    holdsDue,
  ]);
  await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
  expect(await statusesOf(app)).toEqual(['offered', 'waiting']);
  return { log, expire };
}

describe.each(databases)('a deadline that fails, on %s', (dialect) => {
  it('fails neither the write nor the other deadlines; it backs off for a minute and is logged every ten minutes', async () => {
    const app = await createTestApp(dialect);
    const { log, expire } = await createGuildWith(app, {});
    app.setNow(seconds(600));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['lapsed', 'offered']);
    expect([expire.mock.calls.length, await nextDue(app)]).toEqual([1, seconds(660)]);
    app.setNow(seconds(659));
    await aKey(app);
    expect(expire).toHaveBeenCalledTimes(1);
    for (const at of [660, 720, 1_140]) {
      app.setNow(seconds(at));
      await aKey(app);
      expect(await nextDue(app)).toBe(seconds(at + 60));
    }
    expect(expire).toHaveBeenCalledTimes(4);
    expect(log.error.mock.calls).toEqual([
      [{ err: expect.any(Error), due: 'a fault' }, expect.any(String)],
    ]);
    app.setNow(seconds(1_200));
    await aKey(app);
    expect(log.error).toHaveBeenCalledTimes(2);
    expect(await statusesOf(app)).toEqual(['lapsed', 'lapsed']);
  });

  it('leaves nothing behind if it fails halfway: no row, no change, no freed hours', async () => {
    const app = await createTestApp(dialect);
    const name = aName('Half');
    const { log } = await createGuildWith(app, {
      expire: async ({ tx, changes }) => {
        const record = await tx
          .insertInto('categories')
          .values({ name, name_key: nameKey(name) })
          .returningAll()
          .executeTakeFirstOrThrow();
        changes.put({ kind: 'category', record: { id: record.id, name } });
        changes.collect(wakeTimes).push(seconds(601));
        changes.collect(freedHours).everywhere();
        await sql`select * from nowhere`.execute(tx);
      },
    });
    const watcher = new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) });
    await watcher.connect();
    app.setNow(seconds(600));
    await aKey(app);
    await watcher.reached(app.ctx.bus.clock());
    expect(
      [...watcher.records('category').values()].filter((category) => category.name === name),
    ).toEqual([]);
    expect(
      await app.ctx.db.selectFrom('categories').select('id').where('name', '=', name).execute(),
    ).toEqual([]);
    expect(await statusesOf(app)).toEqual(['lapsed', 'offered']);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(await nextDue(app)).toBe(seconds(660));
  });

  it('backs off, too, if its next moment cannot be read', async () => {
    const app = await createTestApp(dialect);
    const { log } = await createGuildWith(app, {
      earliest: async () => new Date('never').toISOString(),
    });
    app.setNow(seconds(600));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['lapsed', 'offered']);
    expect([log.error.mock.calls.length, await nextDue(app)]).toEqual([2, seconds(660)]);
  });

  it('fails the write if the database is away', async () => {
    const app = await createTestApp(dialect);
    await createGuildWith(app, {
      expire: async () => {
        throw new DatabaseAway(new Error('gone'));
      },
    });
    app.setNow(seconds(600));
    const { status, body } = await app.api
      .post('/admin/access-keys')
      .set(app.admin)
      .send({ characterName: aName(), memberType: 'member' });
    expect([status, body.code]).toEqual([503, 'server.databaseAway']);
    expect(await statusesOf(app)).toEqual(['offered', 'waiting']);
  });

  it('is retried at once if the clock ran ahead when it failed', async () => {
    const app = await createTestApp(dialect);
    const { expire } = await createGuildWith(app, { earliest: async () => seconds(300) });
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
    expect(expire).toHaveBeenCalledTimes(2);
  });

  it('in offering hours keeps no member from claiming or joining; all waitlists are looked at a minute later', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const other = await aKey(app);
    const waits = await aKey(app);
    const waitsToo = await aKey(app);
    const first = aSpot();
    const second = aSpot();
    const [bad] = await submitted(app, holder, aClaim(holder, { respawn_id: first }));
    const [good] = await submitted(app, other, aClaim(other, { respawn_id: second }));
    await aWait(app, waits, { respawn_id: first });
    await aWait(app, waitsToo, { respawn_id: second });
    const { id } = await app.ctx.db
      .selectFrom('waits')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    await changeUnheard(app, (tx) => breakOffer(dialect, id).execute(tx));
    const log = setDeadlines(app, [holdsDue]);
    const watcher = new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) });
    await watcher.connect();
    // Frees both spots in one write.
    const ids = [bad?.id, good?.id];
    await app.api
      .post('/admin/claims/bulk')
      .set(app.admin)
      .send({ ids, command: { do: 'delete' } })
      .expect(200);
    expect(await statusesOf(app)).toEqual(['waiting', 'waiting']);
    expect(log.error.mock.calls.map(([{ due }]) => due)).toEqual(['waitlists']);
    expect(await nextDue(app)).toBe(seconds(60));
    await watcher.reached(app.ctx.bus.clock());
    expect([...watcher.records('wait').values()].map(({ status }) => status)).toEqual([
      'waiting',
      'waiting',
    ]);
    // Later writes on that spot, and one who joins its waitlist, succeed while offering backs off.
    const third = await aKey(app);
    await submitted(app, third, aClaim(third, { respawn_id: first, hour_start: 20, hour_end: 21 }));
    const joined = await aWait(app, await aKey(app), {
      respawn_id: first,
      hour_start: 20,
      hour_end: 21,
    });
    expect(joined).toMatchObject({ status: 'waiting', position: 2 });
    expect(log.error).toHaveBeenCalledTimes(1);
    await changeUnheard(app, (tx) => repairOffer(dialect).execute(tx));
    app.setNow(seconds(59));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['waiting', 'waiting', 'waiting']);
    app.setNow(seconds(60));
    await aKey(app);
    expect(await statusesOf(app)).toEqual(['offered', 'offered', 'waiting']);
  });
});

describe.each(databases)('the timer of deadlines on %s', (dialect) => {
  it('expires items once, writes nothing before, and returns the next deadline', async () => {
    const app = await createTestApp(dialect);
    await createGuildWith(app, { earliest: async () => null });
    const clock = app.ctx.bus.clock();
    expect(await expireDeadlines(app.ctx)).toBe(seconds(600));
    expect(app.ctx.bus.clock()).toBe(clock);
    app.setNow(seconds(600));
    // Two servers may notice it at the same time.
    expect(await Promise.all([expireDeadlines(app.ctx), expireDeadlines(app.ctx)])).toEqual([
      seconds(1_200),
      seconds(1_200),
    ]);
    expect(await statusesOf(app)).toEqual(['lapsed', 'offered']);
    expect(app.ctx.bus.clock()).toBeLessThanOrEqual(clock + 2);
  });

  it('is stored by a server that is not in charge only if nothing is due yet', async () => {
    const app = await createTestApp(dialect);
    setDeadlines(app, [], () => false);
    const storedAfterWrite = async (next_due: string): Promise<string | null> => {
      await changeUnheard(app, (tx) => tx.updateTable('clock').set({ next_due }).execute());
      await write(app.ctx, async (unit) => deadlineMoved(unit));
      return nextDue(app);
    };
    app.setNow(seconds(600));
    expect(await storedAfterWrite(seconds(900))).toBe(seconds(600));
    expect(await storedAfterWrite(seconds(590))).toBe(seconds(590));
  });

  it('logs a failure of each look once a minute', async () => {
    const app = await createTestApp(dialect, { serve: { jobs: { everyMs: 600_000 } } });
    const beat = vi.fn().mockRejectedValue(new Error('no'));
    Object.assign(app.ctx, { heartbeats: { ...app.ctx.heartbeats, beat } });
    const error = vi.spyOn(app.ctx.log, 'error').mockImplementation(() => {});
    await changeUnheard(app, (tx) => tx.updateTable('clock').set({ next_due: NOW }).execute());
    for (let look = 0; look < 3; look += 1) await app.runDue();
    expect(beat.mock.calls.length).toBeGreaterThanOrEqual(3);
    const messages = error.mock.calls
      .map(([, message]) => String(message))
      .filter((message) => message.startsWith('expiring deadlines'));
    expect(messages).toEqual(['expiring deadlines failed; retry in 600 s']);
  });

  it('learns of a deadline that another server stored, and of one that was stored before it started', async () => {
    const app = await createTestApp(dialect, { serve: { jobs: { everyMs: 20 } } });
    await createGuildWith(app, { earliest: async () => null });
    // As another server stores it: this one gets no notice.
    await changeUnheard(app, async (tx) => {
      await tx
        .updateTable('waits')
        .set({ held_until: seconds(60) })
        .where('held_until', 'is not', null)
        .execute();
      await tx
        .updateTable('clock')
        .set({ next_due: seconds(60) })
        .execute();
    });
    app.setNow(seconds(60));
    await expect.poll(() => statusesOf(app)).toEqual(['lapsed', 'offered']);
  });
});

/** Makes the offer of one waitlist entry fail, as damaged data would. */
const breakOffer = (dialect: Dialect, id: number) =>
  dialect === 'postgres'
    ? sql`alter table waits add constraint bad_entry check (id <> ${sql.lit(id)} or status <> 'offered')`
    : sql`create trigger bad_entry before update on waits when new.id = ${sql.lit(id)} and new.status = 'offered'
          begin select raise(abort, 'bad entry'); end`;
const repairOffer = (dialect: Dialect) =>
  dialect === 'postgres'
    ? sql`alter table waits drop constraint bad_entry`
    : sql`drop trigger bad_entry`;
