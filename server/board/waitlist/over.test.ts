import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { aClaim, aKey, asMember, aWait, submitted, waitFor } from '../../dev/test/builders.ts';
import { databases, filledDatabase } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { startUsualServer } from '../../dev/test/usual-server.ts';
import { Watcher } from '../../dev/test/watcher.ts';

const AT_11 = '2026-11-21T20:00:00.000Z';
const AT_12 = '2026-11-21T21:00:00.000Z';
const open = async (app: TestApp) =>
  app.ctx.db
    .selectFrom('waits')
    .select(['id', 'position'])
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();

describe.each(databases)('R9.9: an entry whose hours have passed, on %s', (dialect) => {
  it('becomes void at that moment, without any other write, and all watchers see it', async () => {
    const app = await createTestApp(dialect, { serve: { jobs: { everyMs: 20 } } });
    const holder = await aKey(app);
    const first = await aKey(app);
    const second = await aKey(app);
    await submitted(app, holder, aClaim(holder));
    const { id } = await aWait(app, first, { hour_start: 10, hour_end: 11 });
    const later = await aWait(app, second, { hour_start: 10, hour_end: 12 });
    expect(await app.ctx.db.selectFrom('clock').select('next_due').execute()).toEqual([
      { next_due: AT_11 },
    ]);
    const watcher = new Watcher(app.url, { access_key: holder.key_value });
    await watcher.connect();
    app.setNow(AT_11);
    await expect.poll(() => open(app)).toEqual([{ id: later.id, position: 1 }]);
    await expect
      .poll(() => [...watcher.records('wait').values()])
      .toMatchObject([{ id: later.id, position: 1 }]);
    expect(
      await app.ctx.db
        .selectFrom('waits')
        .select(['status', 'ended_at'])
        .where('id', '=', id)
        .execute(),
    ).toEqual([{ status: 'void', ended_at: AT_11 }]);
    app.setNow(AT_12);
    await expect.poll(() => open(app)).toEqual([]);
    expect(
      await app.ctx.db.selectFrom('clock').select(['open_waits', 'next_due']).execute(),
    ).toEqual([{ open_waits: 0, next_due: null }]);
  });

  it("no longer counts towards its character's limit of three, even before a write has expired it", async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    for (const respawn_id of [1, 2, 3, 4]) {
      const holder = await aKey(app);
      await submitted(app, holder, aClaim(holder, { respawn_id, hour_start: 9, hour_end: 13 }));
    }
    for (const respawn_id of [1, 2, 3])
      await aWait(app, key, { respawn_id, hour_start: 9, hour_end: 11 });
    const again = () => waitFor(app, key, { respawn_id: 4, hour_start: 11, hour_end: 13 });
    expect((await again()).body.code).toBe('wait.tooMany');
    app.setNow(AT_11);
    expect((await again().expect(201)).body.data).toMatchObject({ status: 'waiting', position: 1 });
    expect(await open(app)).toHaveLength(1);
  });

  it('has hours no longer that are held for it', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const key = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder));
    const { id } = await aWait(app, key, { hour_start: 10, hour_end: 11 });
    app.setNow('2026-11-21T19:59:30.000Z');
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    expect(await app.ctx.db.selectFrom('waits').select(['status', 'held_until']).execute()).toEqual(
      [{ status: 'offered', held_until: '2026-11-21T20:01:30.000Z' }],
    );
    app.setNow(AT_11);
    expect(
      (await app.api.post(`/waits/${id}/accept`).send({ access_key: key.key_value })).body.code,
    ).toBe('wait.notOpen');
    await aKey(app);
    expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
  });

  it('R4.14: cannot become a claim of past hours; an admin can accept it', async () => {
    const app = await createTestApp(dialect);
    const early = await aKey(app);
    const later = await aKey(app);
    const key = await aKey(app);
    const [claim] = await submitted(app, early, aClaim(early, { hour_end: 11 }));
    await submitted(app, later, aClaim(later, { hour_start: 11 }));
    const { id } = await aWait(app, key);
    app.setNow('2026-11-21T19:59:30.000Z');
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    app.setNow(AT_11);
    const accept = (by: Record<string, string>) =>
      app.api.post(`/waits/${id}/accept`).set(by).send({});
    expect((await accept(asMember(key))).body).toMatchObject({
      code: 'claim.hoursOver',
      params: { hour: 10, end: 11 },
    });
    await accept(app.admin).expect(200);
  });

  it('ends when its hours have passed by the settings after a restart', async () => {
    const database = await filledDatabase(dialect);
    const started: { close: () => Promise<void> }[] = [];
    onTestFinished(async () => {
      await started.at(-1)?.close();
      await database.drop();
    });
    /** Stops the one before. */
    const start = async (env: Record<string, string> = {}): Promise<TestApp> => {
      await started.pop()?.close();
      const usual = await startUsualServer(database.settings, { env });
      started.push(usual);
      const admin = { Authorization: `Bearer ${inject('templates').token[dialect]}` };
      const { connections, runDue, beat } = usual.server;
      return { ...usual, admin, settings: database.settings, connections, runDue, beat };
    };
    const before = await start();
    const holder = await aKey(before);
    const key = await aKey(before);
    await submitted(before, holder, aClaim(holder));
    await aWait(before, key);
    const dueOf = async (app: TestApp) =>
      (await app.ctx.db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow()).next_due;
    expect(await dueOf(before)).toBe('2026-11-21T23:00:00.000Z');
    const clock = before.ctx.bus.clock();
    const same = await start();
    expect(same.ctx.bus.clock()).toBe(clock);
    const after = await start({ SS_HOUR: '0' });
    expect(await dueOf(after)).toBe('2026-11-21T22:00:00.000Z');
  });
});
