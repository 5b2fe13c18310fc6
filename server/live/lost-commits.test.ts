import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { CHANGE_SETS_KEPT, write } from '../db/unit-of-work.ts';
import { connected } from '../dev/test/board-watcher.ts';
import { aClaim, aKey, asMember, changeUnheard, submitted } from '../dev/test/builders.ts';
import { databases, freshDatabase } from '../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { connect, Watcher } from '../dev/test/watcher.ts';
import { readEnv } from '../env.ts';
import { openToolContext } from '../tool-context.ts';
import { changeSetsSince } from './bus.ts';

/** The result of a fail-over to a stand-by that lagged behind: the last writes are lost. */
async function loseCommits(app: TestApp, lost: number): Promise<void> {
  await changeUnheard(app, async (tx) => {
    const { value } = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    await tx
      .updateTable('clock')
      .set({ value: value - lost })
      .execute();
    await tx
      .deleteFrom('changes')
      .where('clock', '>', value - lost)
      .execute();
    for (const table of ['occupied_hours', 'occupied_days', 'claim_parts', 'claims'] as const)
      await tx.deleteFrom(table).execute();
  });
}

/** Writes of another process that this server gets no notice of. */
async function writesElsewhere({ settings }: TestApp, writes: number): Promise<void> {
  const later = (): Date => new Date('2026-11-21T18:30:00.000Z');
  const tool = await openToolContext({
    env: readEnv({ ...settings }),
    log: pino({ level: 'silent' }),
    now: later,
  });
  try {
    for (let at = 0; at < writes; at += 1) await write(tool, async () => {});
  } finally {
    await tool.close();
  }
}

async function looked({ ctx }: TestApp): Promise<void> {
  ctx.bus.wake();
  await ctx.bus.idle();
}

/** A watching member, and a promise of their disconnection. */
async function aWatcher(app: TestApp, access_key: string) {
  const watcher = new Watcher(app.url, { access_key });
  await watcher.connect();
  const bare = connect(app.url, { access_key });
  const sentAway = new Promise((resolve) => bare.once('disconnect', resolve));
  await bare.emitWithAck('sync', app.ctx.bus.clock());
  return { watcher, sentAway };
}

async function expectStartsOver(
  app: TestApp,
  { watcher, sentAway }: Awaited<ReturnType<typeof aWatcher>>,
  access_key: string,
): Promise<void> {
  expect(await sentAway).toBe('io server disconnect');
  watcher.disconnect();
  await watcher.connect();
  await watcher.reached(app.ctx.bus.clock());
  const fresh = new Watcher(app.url, { access_key });
  await fresh.connect();
  expect(watcher.epoch).toBe(app.ctx.bus.epoch);
  expect(watcher.records('claim')).toEqual(fresh.records('claim'));
  expect(watcher.snapshots).toBe(2);
}

describe.each(databases)('a database on %s that lost commits', (dialect) => {
  it('is noticed by the next write: every watcher starts over and sees it, and no ETag of before holds', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const other = await aKey(app);
    await submitted(app, key, aClaim(key));
    await looked(app);
    const watching = await aWatcher(app, key.key_value);
    const { etag = '' } = (await app.api.get('/respawns').set(asMember(key)).expect(200)).headers;
    const { epoch } = app.ctx.bus;
    await loseCommits(app, 1);
    const [claim] = await submitted(app, other, aClaim(other));
    await app.ctx.bus.idle();
    expect(app.ctx.bus.epoch).not.toBe(epoch);
    await expectStartsOver(app, watching, key.key_value);
    expect([...watching.watcher.records('claim').keys()]).toEqual([String(claim?.id)]);
    await app.api.get('/respawns').set(asMember(key)).set('If-None-Match', etag).expect(200);
  });

  it('is noticed by the first of several writes, though the clock has passed the old one before the next poll', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    await looked(app);
    const watching = await aWatcher(app, key.key_value);
    const { epoch } = app.ctx.bus;
    const before = app.ctx.bus.clock() - 1;
    await loseCommits(app, 1);
    await writesElsewhere(app, 2);
    // As if they were this server's own.
    for (const set of await changeSetsSince(app.ctx.db, before)) app.ctx.bus.offer(set);
    await app.ctx.bus.idle();
    expect(app.ctx.bus.epoch).not.toBe(epoch);
    await expectStartsOver(app, watching, key.key_value);
    expect(watching.watcher.records('claim').size).toBe(0);
  });

  it('is noticed without a write', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    await looked(app);
    const watching = await aWatcher(app, key.key_value);
    expect(watching.watcher.records('claim').size).toBe(1);
    await loseCommits(app, 2);
    await looked(app);
    await expectStartsOver(app, watching, key.key_value);
    expect(watching.watcher.records('claim').size).toBe(0);
  });

  it.each([0, 3])(
    'is noticed though its clock has risen again, to %i more than before',
    async (more) => {
      const app = await createTestApp(dialect);
      const key = await aKey(app);
      await submitted(app, key, aClaim(key));
      await looked(app);
      const watching = await aWatcher(app, key.key_value);
      const { epoch } = app.ctx.bus;
      await loseCommits(app, 2);
      await writesElsewhere(app, 2 + more);
      await looked(app);
      expect(app.ctx.bus.epoch).not.toBe(epoch);
      await expectStartsOver(app, watching, key.key_value);
      await looked(app);
      expect(app.ctx.bus.epoch).toBe(watching.watcher.epoch);
    },
  );

  it('authenticates keys again although the clock is unchanged', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await app.api.get('/respawns').set(asMember(key)).expect(200);
    await looked(app);
    await loseCommits(app, 1);
    await changeUnheard(app, (tx) =>
      tx.deleteFrom('access_keys').where('id', '=', key.id).execute(),
    );
    await writesElsewhere(app, 1);
    await looked(app);
    await app.api.get('/respawns').set(asMember(key)).expect(401);
  });

  it('answers board requests before it is noticed and after, including those already waiting', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    await looked(app);
    await app.ctx.readModel.snapshot('admins');
    const { epoch } = app.ctx.bus;
    await loseCommits(app, 2);
    expect((await app.api.get('/respawns').set(asMember(key)).expect(200)).text).not.toContain(
      key.character_name,
    );
    // Asked before it is noticed, and read while it is.
    const snapshot = app.ctx.readModel.snapshot('members');
    await looked(app);
    expect(app.ctx.bus.epoch).not.toBe(epoch);
    expect((await snapshot).records.claim).toEqual([]);
    expect(await app.ctx.readModel.snapshot('members')).toMatchObject({
      epoch: app.ctx.bus.epoch,
      clock: app.ctx.bus.clock(),
    });
  });

  it("announces no new epoch while it is the same: neither for own writes nor for others'", async () => {
    const app = await createTestApp(dialect);
    const { epoch } = app.ctx.bus;
    await Promise.all(Array.from({ length: 20 }, () => aKey(app)));
    await writesElsewhere(app, 5);
    await Promise.all([looked(app), looked(app), aKey(app), aKey(app), looked(app)]);
    await looked(app);
    expect(app.ctx.bus.epoch).toBe(epoch);
  });
});

describe.each(databases)(
  'a server on %s that slept past all the changes that are kept',
  (dialect) => {
    it('authenticates all clients again in the same history: a revoked key is disconnected', async () => {
      const app = await createTestApp(dialect);
      const key = await aKey(app);
      const revoked = await aKey(app);
      await looked(app);
      const watching = await aWatcher(app, key.key_value);
      const lost = connect(app.url, { access_key: revoked.key_value });
      const gone = new Promise((resolve) => lost.once('disconnect', resolve));
      await lost.emitWithAck('sync', null);
      const { epoch } = app.ctx.bus;
      await changeUnheard(app, async (tx) => {
        await tx
          .updateTable('access_keys')
          .set({ is_revoked: 1 })
          .where('id', '=', revoked.id)
          .execute();
        const { value } = await tx
          .updateTable('clock')
          .set((eb) => ({ value: eb('value', '+', CHANGE_SETS_KEPT + 3) }))
          .returning('value')
          .executeTakeFirstOrThrow();
        await tx.deleteFrom('changes').execute();
        await tx
          .insertInto('changes')
          .values({ clock: value, body: '[]', at: '2026-11-21T18:30:00.000Z' })
          .execute();
      });
      await looked(app);
      expect(await gone).toBe('io server disconnect');
      const back = connect(app.url, { access_key: revoked.key_value });
      await expect(connected(back)).rejects.toMatchObject({ data: { code: 'session.keyRevoked' } });
      expect(app.ctx.bus.epoch).toBe(epoch);
      await expectStartsOver(app, watching, key.key_value);
    });
  },
);

describe('two servers on a PostgreSQL database that lost commits', () => {
  it('go by one new name of its history, which a third one learns', async () => {
    const on = await freshDatabase('postgres');
    const here = await createTestApp('postgres', { on });
    const there = await createTestApp('postgres', { on });
    await aKey(here);
    await Promise.all([looked(here), looked(there)]);
    const { epoch } = here.ctx.bus;
    expect(there.ctx.bus.epoch).toBe(epoch);
    await loseCommits(here, 2);
    const starts: string[] = [];
    for (const { ctx } of [here, there]) ctx.bus.onNewHistory(() => starts.push(ctx.bus.epoch));
    await Promise.all([looked(here), looked(there)]);
    await Promise.all([looked(here), looked(there)]);
    expect(starts).toEqual([here.ctx.bus.epoch, here.ctx.bus.epoch]);
    expect(here.ctx.bus.epoch).not.toBe(epoch);
    expect(there.ctx.bus.epoch).toBe(here.ctx.bus.epoch);
    const third = await createTestApp('postgres', { on });
    expect(third.ctx.bus.epoch).toBe(here.ctx.bus.epoch);
  });

  it('learn it of each other: one that saw nothing of the lost commits takes the other’s new name', async () => {
    const on = await freshDatabase('postgres');
    const here = await createTestApp('postgres', { on });
    const there = await createTestApp('postgres', { on });
    await aKey(here);
    await Promise.all([looked(here), looked(there)]);
    await loseCommits(here, 2);
    await looked(here);
    await expect.poll(() => there.ctx.bus.epoch).toBe(here.ctx.bus.epoch);
  });
});
