import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { wait as waitSchema } from '../../../shared/schemas/wait.ts';
import { admin } from '../../activity/test/write.ts';
import { aClaim, aKey, asMember, aWait, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { signInUsualAdmin } from '../../dev/test/usual-server.ts';
import { Watcher } from '../../dev/test/watcher.ts';

const TOMORROW = '2026-11-22';
/** 19:00 there by now. */
const BERLIN = 'Europe/Berlin';
const NIGHT = { quiet_from: '18:30', quiet_until: '08:00', time_zone: BERLIN };
/** When that ends. */
const MORNING = '2026-11-22T07:00:00.000Z';
const NONE = { quiet_from: null, quiet_until: null };

const prefer = (app: TestApp, key: AccessKey, fields: object) =>
  app.api.put('/push/preferences').set(asMember(key)).send(fields).expect(200);
const open = async (app: TestApp) =>
  (await app.api.get('/waits').set(app.admin).expect(200)).body.data;
const statuses = async (app: TestApp) =>
  (await open(app)).map(({ status }: { status: string }) => status);
const nextDue = async (app: TestApp) =>
  (await app.ctx.db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow()).next_due;
const decline = (app: TestApp, key: AccessKey, id: number) =>
  app.api.post(`/waits/${id}/decline`).set(asMember(key)).send({}).expect(200);

/** Taken hours of a date and their waitlist, whose first member has quiet hours. */
async function aLine(app: TestApp, { date = TOMORROW, quiet = NIGHT as object, others = 1 } = {}) {
  const holder = await aKey(app);
  const sleeper = await aKey(app);
  const [claim] = await submitted(app, holder, aClaim(holder, { date }));
  await prefer(app, sleeper, quiet);
  const wait = await aWait(app, sleeper, { date });
  const rest = [];
  for (let n = 0; n < others; n += 1) {
    const key = await aKey(app);
    rest.push({ key, wait: await aWait(app, key, { date }) });
  }
  return {
    holder,
    sleeper,
    wait,
    rest,
    free: () => admin(app, `delete /admin/claims/${claim?.id}`).expect(200),
  };
}

describe.each(databases)('R9.13: a member with quiet hours, on %s', (dialect) => {
  /** At another time, at which the usual admin has signed in again. */
  async function appAt(now: string): Promise<TestApp> {
    const app = await createTestApp(dialect);
    app.setNow(now);
    app.admin = { Authorization: `Bearer ${await signInUsualAdmin(app.api)}` };
    return app;
  }

  it('is skipped even without a subscribed browser, keeps the position, and gets an offer when they end', async () => {
    const app = await createTestApp(dialect, { serve: { jobs: { everyMs: 20 } } });
    const { sleeper, wait, rest, free } = await aLine(app);
    await free();
    expect(await open(app)).toMatchObject([
      { id: wait.id, status: 'waiting', position: 1 },
      { id: rest[0]?.wait.id, status: 'offered', position: 2 },
    ]);
    app.setNow('2026-11-21T18:01:00.000Z');
    if (rest[0]) await decline(app, rest[0].key, rest[0].wait.id);
    expect([await statuses(app), await nextDue(app)]).toEqual([['waiting'], MORNING]);
    app.setNow(MORNING);
    await expect
      .poll(() => open(app))
      .toMatchObject([
        { id: wait.id, status: 'offered', position: 1, held_until: '2026-11-22T07:10:00.000Z' },
      ]);
    await app.api.post(`/waits/${wait.id}/accept`).set(asMember(sleeper)).send({}).expect(200);
    expect(await nextDue(app)).toBeNull();
  });

  it('leaves the hours free if all entries are skipped; hours taken meanwhile are not offered', async () => {
    const app = await createTestApp(dialect);
    const { wait, free } = await aLine(app, { others: 0 });
    await free();
    const passer = await aKey(app);
    await submitted(app, passer, aClaim(passer, { date: TOMORROW, hour_end: 13 }));
    app.setNow(MORNING);
    await app.runDue();
    expect(
      await app.ctx.db
        .selectFrom('claims')
        .select('id')
        .where('held_until', 'is not', null)
        .execute(),
    ).toHaveLength(1);
    expect(await open(app)).toMatchObject([{ id: wait.id, status: 'offered' }]);
    await admin(app, `delete /waits/${wait.id}`).expect(200);
    const late = await aLine(app, { date: '2026-11-23', others: 0 });
    app.setNow('2026-11-22T18:00:00.000Z');
    await late.free();
    await submitted(app, passer, aClaim(passer, { date: '2026-11-23' }));
    app.setNow('2026-11-23T07:00:00.000Z');
    await app.runDue();
    expect(await open(app)).toMatchObject([{ id: late.wait.id, status: 'waiting', position: 1 }]);
  });

  it('keeps an existing hold, and a declined one goes to the next', async () => {
    const app = await createTestApp(dialect);
    const { wait, free } = await aLine(app, { quiet: { ...NIGHT, quiet_from: '19:01' } });
    await free();
    app.setNow('2026-11-21T18:05:00.000Z');
    await aKey(app);
    expect(await open(app)).toMatchObject([
      { id: wait.id, status: 'offered' },
      { status: 'waiting' },
    ]);
    app.setNow('2026-11-21T18:10:00.000Z');
    await app.runDue();
    expect(await statuses(app)).toEqual(['offered']);
  });

  it('gets an offer in the same write when quiet hours are switched off or moved to the past', async () => {
    for (const change of [NONE, { time_zone: 'Asia/Tokyo' }, { quiet_until: '19:00' }]) {
      const app = await createTestApp(dialect);
      const { sleeper, wait, free } = await aLine(app, {
        others: 0,
        quiet: { ...NIGHT, quiet_until: '20:00' },
      });
      await free();
      const clock = app.ctx.bus.clock();
      await prefer(app, sleeper, change);
      expect(app.ctx.bus.clock(), JSON.stringify(change)).toBe(clock + 1);
      expect(await open(app), JSON.stringify(change)).toMatchObject([
        { id: wait.id, status: 'offered' },
      ]);
      expect(await nextDue(app)).toBe('2026-11-21T18:10:00.000Z');
    }
  });

  it('gets an offer later or sooner when their end is changed', async () => {
    const app = await createTestApp(dialect);
    const { sleeper, free } = await aLine(app, { others: 0 });
    await free();
    await prefer(app, sleeper, { quiet_until: '09:30' });
    expect([await statuses(app), await nextDue(app)]).toEqual([
      ['waiting'],
      '2026-11-22T08:30:00.000Z',
    ]);
    await prefer(app, sleeper, { quiet_until: '19:30' });
    expect([await statuses(app), await nextDue(app)]).toEqual([
      ['waiting'],
      '2026-11-21T18:30:00.000Z',
    ]);
    app.setNow('2026-11-21T18:30:00.000Z');
    await app.runDue();
    expect(await statuses(app)).toEqual(['offered']);
  });

  it('does not advance the clock for other preferences, nor without a waitlist entry; a refused change changes nothing', async () => {
    const app = await createTestApp(dialect);
    const { sleeper, free } = await aLine(app, { others: 0 });
    await expectNoTick(app, () => prefer(app, sleeper, { ...NIGHT, quiet_until: '07:00' }));
    await free();
    await expectNoTick(app, () => prefer(app, sleeper, { hunt_begins: 0 }));
    await expectNoTick(app, () =>
      app.api
        .put('/push/preferences')
        .set(asMember(sleeper))
        .send({ quiet_from: null })
        .expect(400),
    );
    expect([await statuses(app), await nextDue(app)]).toEqual([
      ['waiting'],
      '2026-11-22T06:00:00.000Z',
    ]);
  });

  it('gets an offer with the next write there, if a wrong clock had put them into quiet hours', async () => {
    const app = await createTestApp(dialect);
    const { free } = await aLine(app, { others: 0, quiet: { ...NIGHT, quiet_from: '20:00' } });
    app.setNow('2026-11-21T19:30:00.000Z');
    await free();
    expect(await nextDue(app)).toBe(MORNING);
    app.setNow('2026-11-21T18:10:00.000Z');
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { date: TOMORROW, hour_start: 20, hour_end: 22 }));
    expect(await statuses(app)).toEqual(['waiting']);
    await admin(app, 'put /admin/config', { hold_minutes: 20 }).expect(200);
    expect([await statuses(app), await nextDue(app)]).toEqual([
      ['offered'],
      '2026-11-21T18:30:00.000Z',
    ]);
    const marks = app.ctx.db.selectFrom('waits').select('quiet_until');
    expect(await marks.execute()).toEqual([{ quiet_until: null }]);
  });

  it('are private: not in the record, in live changes or in the log', async () => {
    const app = await createTestApp(dialect);
    const { holder, sleeper, free } = await aLine(app, { others: 0 });
    const watcher = new Watcher(app.url, { access_key: holder.key_value });
    await watcher.connect();
    await free();
    await prefer(app, sleeper, { quiet_until: '09:00' });
    await watcher.reached(app.ctx.bus.clock());
    const [record] = await open(app);
    expect(Object.keys(record).sort()).toEqual(Object.keys(waitSchema.shape).sort());
    expect([...watcher.records('wait').values()]).toEqual([record]);
    const type = 'elite';
    await admin(app, `put /admin/access-keys/${sleeper.id}/member-type`, {
      memberType: type,
    }).expect(200);
    await watcher.reached(app.ctx.bus.clock());
    expect([...watcher.records('wait').values()]).toEqual([{ ...record, member_type: type }]);
    const log = (await app.api.get('/admin/activity-log').set(app.admin).expect(200)).body.data
      .logs;
    expect(JSON.stringify(log)).not.toMatch(/quiet/);
  });

  it('gets an offer when they end, also across clock changes in the member’s or the guild’s zone', async () => {
    for (const [now, date, zone, until, end] of [
      // Their night is an hour shorter, or ends as the clock jumps over its end.
      ['2027-03-27T22:00:00.000Z', '2027-03-29', BERLIN, '08:00', '2027-03-28T06:00:00.000Z'],
      ['2027-03-27T22:00:00.000Z', '2027-03-29', BERLIN, '02:30', '2027-03-28T01:00:00.000Z'],
      // An hour longer.
      ['2027-10-30T21:00:00.000Z', '2027-11-01', BERLIN, '08:00', '2027-10-31T07:00:00.000Z'],
      // The guild's clock goes forward, theirs does not.
      ['2027-03-13T22:00:00.000Z', '2027-03-15', BERLIN, '13:00', '2027-03-14T12:00:00.000Z'],
    ] as const) {
      const app = await appAt(now);
      const { free } = await aLine(app, {
        date,
        others: 0,
        quiet: { quiet_from: '22:00', quiet_until: until, time_zone: zone },
      });
      await free();
      expect([await statuses(app), await nextDue(app)], now).toEqual([['waiting'], end]);
      app.setNow(new Date(Date.parse(end) - 1).toISOString());
      await app.runDue();
      expect(await statuses(app), now).toEqual(['waiting']);
      app.setNow(end);
      await app.runDue();
      expect(await statuses(app), now).toEqual(['offered']);
    }
  });

  it('apply to both occurrences of an hour that occurs twice', async () => {
    const app = await appAt('2027-10-30T21:00:00.000Z');
    const quiet = { quiet_from: '22:00', quiet_until: '02:30', time_zone: BERLIN };
    const { free } = await aLine(app, { date: '2027-11-01', others: 0, quiet });
    await free();
    // 02:10 there; it is 02:30 twenty minutes later, and 02:00 once more after that.
    app.setNow('2027-10-31T00:10:00.000Z');
    expect(await nextDue(app)).toBe('2027-10-31T00:30:00.000Z');
    await admin(app, 'put /admin/config', { submission_enabled: 0 }).expect(200);
    app.setNow('2027-10-31T01:10:00.000Z');
    await admin(app, 'put /admin/config', { submission_enabled: 1 }).expect(200);
    expect([await statuses(app), await nextDue(app)]).toEqual([
      ['waiting'],
      '2027-10-31T01:30:00.000Z',
    ]);
  });

  it('sets no timer for a waitlist that has moved on', async () => {
    const app = await createTestApp(dialect);
    const { wait, free } = await aLine(app, {
      date: TODAY,
      others: 0,
      quiet: { ...NIGHT, quiet_until: '22:00' },
    });
    await free();
    expect(await nextDue(app)).toBe('2026-11-21T21:00:00.000Z');
    await admin(app, 'put /admin/config', { waits_enabled: 0 }).expect(200);
    app.setNow('2026-11-21T21:00:00.000Z');
    await app.runDue();
    // The end of its own hours comes next.
    expect([await statuses(app), await nextDue(app)]).toEqual([
      ['waiting'],
      '2026-11-21T23:00:00.000Z',
    ]);
    await admin(app, 'put /admin/config', { waits_enabled: 1 }).expect(200);
    expect(await open(app)).toMatchObject([{ id: wait.id, status: 'offered' }]);
  });
});
