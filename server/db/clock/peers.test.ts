import { describe, expect, it } from 'vitest';
import { aClaim, aKey, aWait, submitted } from '../../dev/test/builders.ts';
import { databases, filledDatabase, freshDatabase } from '../../dev/test/databases.ts';
import { createJumpingClock } from '../../dev/test/jumping-clock.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { startUsualServer } from '../../dev/test/usual-server.ts';
import { Watcher } from '../../dev/test/watcher.ts';

const DAY_MS = 86_400_000;
const LATER = '2026-11-21T18:00:01.000Z';

const boardDate = async ({ ctx }: TestApp): Promise<string> =>
  (await ctx.db.selectFrom('clock').select('board_date').executeTakeFirstOrThrow()).board_date;
const statuses = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('waits').select('status').orderBy('id').execute()).map(
    ({ status }) => status,
  );
const readiness = async ({ url }: Pick<TestApp, 'url'>) => {
  const answer = await fetch(`${url}/readyz`);
  return { httpStatus: answer.status, ...(await answer.json()) };
};

describe('two servers on one PostgreSQL whose settings differ', () => {
  /** The second one begins the day two hours later. */
  async function twoServers() {
    const database = await freshDatabase('postgres');
    const first = await createTestApp('postgres', { on: database });
    const second = await createTestApp('postgres', {
      on: database,
      env: { SS_HOUR: '3', HORIZON_DAYS: '9' },
      now: LATER,
    });
    const setNow = (iso: string): void => {
      first.setNow(iso);
      second.setNow(iso);
    };
    setNow(LATER);
    return { first, second, setNow };
  }

  it('the later one says so, at /readyz and on the System tab of both', async () => {
    const { first, second } = await twoServers();
    expect(await readiness(first)).toMatchObject({ status: 'ready' });
    expect(await readiness(second)).toEqual({
      httpStatus: 200,
      status: 'ready',
      warning:
        'runs no jobs: settings differ from those of the server that started first: SS_HOUR, HORIZON_DAYS',
    });
    for (const app of [first, second]) {
      const { body } = await app.api.get('/admin/system').set(first.admin).expect(200);
      const servers = body.data.servers.map(
        ({ is_this, differing }: { is_this: boolean; differing: string[] }) => [is_this, differing],
      );
      expect(servers).toEqual([
        [app === first, []],
        [app === second, ['SS_HOUR', 'HORIZON_DAYS']],
      ]);
    }
  });

  it("the board's day moves forward only, and by the first server's settings, for writes of every server", async () => {
    const { first, second, setNow } = await twoServers();
    // SS+0 of the 22nd for the first; for the second it is still the 21st.
    setNow('2026-11-22T09:00:00.000Z');
    const dates: string[] = [];
    await aKey(second);
    dates.push(await boardDate(first));
    for (const app of [first, second, first, second]) {
      await aKey(app);
      await app.beat();
      await app.runDue();
      dates.push(await boardDate(first));
    }
    expect(dates).toEqual(['2026-11-21', '2026-11-22', '2026-11-22', '2026-11-22', '2026-11-22']);
  });

  it('the later one runs no jobs, but expires holds and hands over to the other one', async () => {
    const { first, second } = await twoServers();
    const holder = await aKey(first);
    const waiting = await aKey(first);
    const next = await aKey(first);
    const [claim] = await submitted(first, holder, aClaim(holder));
    for (const key of [waiting, next]) await aWait(first, key);
    await second.api.delete(`/admin/claims/${claim?.id}`).set(first.admin).expect(200);
    expect(await statuses(first)).toEqual(['waiting', 'waiting']);
    await second.runDue();
    expect(await statuses(first)).toEqual(['waiting', 'waiting']);
    await first.runDue();
    expect(await statuses(first)).toEqual(['offered', 'waiting']);
    second.setNow('2026-11-21T18:10:01.000Z');
    await second.runDue();
    await aKey(second);
    expect(await statuses(first)).toEqual(['lapsed', 'waiting']);
    first.setNow('2026-11-21T18:10:01.000Z');
    await first.runDue();
    expect(await statuses(first)).toEqual(['lapsed', 'offered']);
  });

  it('once the first has stopped, the other runs jobs and turns the day', async () => {
    const database = await filledDatabase('postgres');
    const first = await startUsualServer(database.settings);
    const second = await createTestApp('postgres', {
      on: database,
      env: { SS_HOUR: '3' },
      now: LATER,
    });
    expect(second.ctx.peers.differing()).toEqual(['SS_HOUR']);
    await first.close();
    await second.beat();
    expect([second.ctx.peers.differing(), await readiness(second)]).toMatchObject([
      [],
      { status: 'ready' },
    ]);
    second.setNow('2026-11-22T11:00:00.000Z');
    await second.runDue();
    expect(await boardDate(second)).toBe('2026-11-22');
  });

  it('once the first was killed, the other notices it without a heartbeat, and reschedules deadlines by its own settings', async () => {
    const database = await filledDatabase('postgres');
    const first = await createTestApp('postgres', { on: database });
    const key = await aKey(first);
    await submitted(first, key, aClaim(key));
    await aWait(first, await aKey(first));
    const nextDue = async () =>
      (await first.ctx.db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow())
        .next_due;
    // SS+14, by the first one's settings.
    expect(await nextDue()).toBe('2026-11-21T23:00:00.000Z');
    const second = await createTestApp('postgres', {
      on: database,
      env: { SS_HOUR: '3' },
      now: LATER,
      serve: { pulseMs: 5 },
    });
    expect(second.ctx.peers.differing()).toEqual(['SS_HOUR']);
    second.setNow('2026-11-21T18:00:30.000Z');
    await expect.poll(second.ctx.peers.differing).toEqual([]);
    await expect.poll(nextDue).toBe('2026-11-22T01:00:00.000Z');
  });
});

it('with SQLite a killed server does not keep the next one, which has other settings, from running jobs', async () => {
  const database = await filledDatabase('sqlite');
  const first = await startUsualServer(database.settings);
  // It stops without a word, as if it was killed.
  first.ctx.peers.leave = async () => {};
  await first.close();
  const second = await createTestApp('sqlite', { on: database, env: { SS_HOUR: '3' }, now: LATER });
  expect([second.ctx.peers.differing(), (await second.ctx.peers.list()).length]).toEqual([[], 1]);
});

it('a server is counted no longer than 30 seconds after it was seen', async () => {
  const app = await createTestApp('postgres');
  const row = { started_at: '2026-01-01T00:00:00.000Z', build: null, settings: '{"SS_HOUR":5}' };
  const seen = (id: string, seen_at: string) => ({ id, seen_at, ...row });
  await app.ctx.writes.transaction((tx) =>
    tx
      .insertInto('servers')
      .values([seen('here', NOW), seen('ahead', '2027-01-01T00:00:00.000Z')])
      .execute(),
  );
  await app.beat();
  expect(app.ctx.peers.differing()).toEqual(['SS_HOUR']);
  app.setNow('2026-11-21T18:00:30.000Z');
  await app.beat();
  expect(app.ctx.peers.differing()).toEqual([]);
});

describe.each(databases)('a board’s day that a wrong clock stored, on %s', (dialect) => {
  it('is corrected at once with SQLite, else once the clock has run normally for ten minutes, and every board reloads', async () => {
    const { app, run, jump } = await createJumpingClock(dialect);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const watcher = new Watcher(app.url, { access_key: key.key_value });
    await watcher.connect();
    await jump(10 * DAY_MS);
    await aKey(app);
    expect(await boardDate(app)).toBe('2026-12-01');
    await run(1);
    await jump(0);
    await run(1);
    await aKey(app);
    await app.runDue();
    // Of several servers on one database, another one may be right.
    const meanwhile = dialect === 'sqlite' ? '2026-11-21' : '2026-12-01';
    expect(await boardDate(app)).toBe(meanwhile);
    await run(9);
    expect(await boardDate(app)).toBe(meanwhile);
    await run(2);
    expect(await boardDate(app)).toBe('2026-11-21');
    await watcher.reached(app.ctx.bus.clock());
    expect(watcher.records('claim').size).toBe(1);
  });
});
