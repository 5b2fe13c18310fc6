import { describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import { MAX_SKIPPED, type StandingClaim } from '../../../shared/schemas/standing-claim.ts';
import { undoLatest } from '../../activity/test/undo.ts';
import { write } from '../../db/unit-of-work.ts';
import {
  aClaim,
  aDestination,
  aKey,
  aMemberType,
  anActiveEvent,
  anEvent,
  asMember,
  disableRespawn,
  noActiveEvent,
  submitted,
} from '../../dev/test/builders.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { createMachine } from '../../dev/test/machine.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { replaceKey } from '../../members/access-keys.ts';
import { handover } from '../transfers/test/transfers.ts';
import {
  allowStanding,
  aStanding,
  claimsOf,
  datesOf,
  listStanding,
  putStanding,
} from './test/standing.ts';

/** Just after the server save of a date, Pacific time. */
const saveOf = (date: string, utc = '09'): string => `${date}T${utc}:00:01.000Z`;

async function goTo(app: TestApp, time: string): Promise<void> {
  app.setNow(time);
  await app.runDue();
}

/** What admins see of standing claims that go on. */
const allStanding = async (app: TestApp): Promise<StandingClaim[]> =>
  (await app.api.get('/admin/standing').set(app.admin).expect(200)).body.data;

/** Why standing claims ended, the latest first. */
async function reasons(app: TestApp): Promise<string[]> {
  const { body } = await app.api
    .get('/admin/activity-log?action=standing_ended')
    .set(app.admin)
    .expect(200);
  return body.data.logs.map(({ details }: { details: { reason: string } }) => details.reason);
}

async function aGuild(dialect: 'sqlite' | 'postgres', settings: object = {}): Promise<TestApp> {
  const app = await createTestApp(dialect);
  await allowStanding(app, settings);
  await app.runDue();
  return app;
}

describe.each(databases)('the claims of standing claims on %s', (dialect) => {
  it('R10.1: makes each date once, seven days ahead, at the server save', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    const standing = await aStanding(app, key, { weekdays: [2, 4] });
    expect(await claimsOf(app, key)).toMatchObject([
      {
        date: '2026-11-24',
        respawn_id: 1,
        hour_start: 10,
        hour_end: 14,
        standing_id: standing.id,
        event_id: null,
        voucher_duration: 4,
      },
      { date: '2026-11-26', standing_id: standing.id },
    ]);
    expect(standing).toMatchObject({
      next_date: '2026-12-01',
      skipped: [],
      weekdays: [2, 4],
      from: TODAY,
      until: null,
      is_paused: 0,
    });
    await goTo(app, '2026-11-24T08:59:59.000Z');
    expect(await datesOf(app, key)).toEqual(['2026-11-24', '2026-11-26']);
    await goTo(app, saveOf('2026-11-24'));
    expect(await datesOf(app, key)).toEqual(['2026-11-24', '2026-11-26', '2026-12-01']);
    expect(await listStanding(app, key)).toMatchObject([{ next_date: '2026-12-03' }]);
    await goTo(app, '2026-11-24T20:00:00.000Z');
    expect(await datesOf(app, key)).toHaveLength(3);
  });

  it('R10.1: makes no claim again that was deleted, and none of hours that have begun', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    const late = await aKey(app);
    await aStanding(app, key, { weekdays: [6, 7] });
    // It is SS+9: Saturday's hours have begun.
    await aStanding(app, late, { respawn_id: 2, hour_start: 9, hour_end: 12 });
    expect(await datesOf(app, late)).toEqual(['2026-11-28']);
    const [first] = await claimsOf(app, key);
    expect(first?.date).toBe(TODAY);
    await app.api.delete(`/admin/claims/${first?.id}`).set(app.admin).expect(200);
    await putStanding(app, key, { id: first?.standing_id ?? 0, join_waitlist: 1 }).expect(200);
    await goTo(app, saveOf('2026-11-22'));
    expect(await datesOf(app, key)).toEqual(['2026-11-22', '2026-11-28', '2026-11-29']);
  });

  it('keeps its sign when a deleted claim is restored, and is not made again', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    const standing = await aStanding(app, key, { weekdays: [7] });
    const [claim] = await claimsOf(app, key);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    const { body } = await app.api
      .get('/admin/activity-log?action=claim_deleted')
      .set(app.admin)
      .expect(200);
    await app.api
      .post(`/admin/activity-log/${body.data.logs[0].id}/undo`)
      .set(app.admin)
      .expect(200);
    expect(await claimsOf(app, key)).toMatchObject([{ id: claim?.id, standing_id: standing.id }]);
    await goTo(app, saveOf('2026-11-22'));
    expect(await datesOf(app, key)).toEqual(['2026-11-22', '2026-11-29']);
  });

  it('R10.3: makes the dates late that it missed while the server was away, as long as they lie ahead, once', async () => {
    const app = await aGuild(dialect, { standing_days_ahead: 2 });
    const key = await aKey(app);
    await aStanding(app, key, { weekdays: [1, 2, 3, 4, 5, 6, 7] });
    expect(await datesOf(app, key)).toEqual([TODAY, '2026-11-22', '2026-11-23']);
    // Away for three server saves; it is SS+11 of the 25th, so hours from SS+10 have begun.
    await goTo(app, '2026-11-25T20:30:00.000Z');
    expect(await datesOf(app, key)).toEqual([
      TODAY,
      '2026-11-22',
      '2026-11-23',
      '2026-11-26',
      '2026-11-27',
    ]);
    await goTo(app, '2026-11-25T20:31:00.000Z');
    expect(await datesOf(app, key)).toHaveLength(5);
    expect(await listStanding(app, key)).toMatchObject([{ next_date: '2026-11-28', skipped: [] }]);
  });

  it.each([
    // The clocks go forward on 14 March 2027: wall hour 2, SS+1, does not exist. They go back on 7 November.
    ['2027-03-07', '2027-03-14', '09'],
    ['2027-10-31', '2027-11-07', '08'],
  ])(
    'keeps the SS hours on a daylight-saving day (made on %s for %s)',
    async (made_on, date, utc) => {
      const app = await aGuild(dialect);
      const key = await aKey(app);
      const skipping = await aKey(app);
      // From the day before, when it is not due yet.
      await goTo(app, `${made_on}T07:30:00.000Z`);
      await aStanding(app, key, { weekdays: [7], from: date, hour_start: 0, hour_end: 4 });
      await aStanding(app, skipping, {
        weekdays: [7],
        from: date,
        respawn_id: 2,
        hour_start: 1,
        hour_end: 2,
      });
      expect(await datesOf(app, key)).toEqual([]);
      await goTo(app, saveOf(made_on, utc));
      expect(await claimsOf(app, key)).toMatchObject([{ date, hour_start: 0, hour_end: 4 }]);
      const skipped =
        date === '2027-03-14' ? [{ date, code: 'claim.hourSkipped', wait_id: null }] : [];
      expect((await listStanding(app, skipping))[0]?.skipped).toEqual(skipped);
      expect(await datesOf(app, skipping)).toEqual(skipped.length > 0 ? [] : [date]);
    },
  );

  it('R10.5: is made in the order of the standing claims, and a conflict is skipped with its code', async () => {
    const app = await aGuild(dialect);
    const first = await aKey(app);
    const second = await aKey(app);
    const third = await aKey(app);
    for (const key of [first, second])
      await aStanding(app, key, { weekdays: [7], from: '2026-11-29' });
    await aStanding(app, third, {
      weekdays: [7],
      from: '2026-11-29',
      hour_start: 12,
      hour_end: 15,
      join_waitlist: 1,
    });
    await goTo(app, saveOf('2026-11-22'));
    expect(await datesOf(app, first)).toEqual(['2026-11-29']);
    expect(await listStanding(app, second)).toMatchObject([
      {
        skipped: [{ date: '2026-11-29', code: 'claim.timeConflict', wait_id: null }],
        next_date: '2026-12-06',
      },
    ]);
    const [standing] = await listStanding(app, third);
    const { body } = await app.api.get('/waits').set(app.admin).expect(200);
    const joined = await app.ctx.db
      .selectFrom('activity')
      .select('actor_kind')
      .where('action', '=', 'wait_created')
      .execute();
    expect(joined).toEqual([{ actor_kind: 'server' }]);
    expect(body.data).toMatchObject([
      {
        id: standing?.skipped[0]?.wait_id,
        date: '2026-11-29',
        hour_start: 12,
        hour_end: 15,
        position: 1,
      },
    ]);
    await submitted(app, second, aClaim(second, { respawn_id: 3, date: '2026-12-06' }));
    await app.api
      .delete(`/admin/claims/${(await claimsOf(app, first))[0]?.id}`)
      .set(app.admin)
      .expect(200);
    await goTo(app, saveOf('2026-11-29'));
    expect((await listStanding(app, second))[0]?.skipped).toMatchObject([
      { date: '2026-12-06', code: 'claim.characterHasClaim' },
      { date: '2026-11-29' },
    ]);
    expect((await listStanding(app, second))[0]?.skipped).toHaveLength(2);
  });

  it('R10.6: belongs to the active event; outside its dates it is skipped, and made after the event', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    const event = await anActiveEvent(app, { start_time: '2026-11-21', end_time: '2026-11-25' });
    await aStanding(app, key, { weekdays: [2, 5] });
    expect(await claimsOf(app, key)).toMatchObject([{ date: '2026-11-24', event_id: event.id }]);
    const skipped = [{ date: '2026-11-27', code: 'claim.dateOutsideEvent', wait_id: null }];
    expect((await listStanding(app, key))[0]?.skipped).toEqual(skipped);
    await app.api
      .put(`/events/${event.id}`)
      .set(app.admin)
      .send({
        name: event.name,
        type: event.type,
        start_time: '2026-11-21',
        end_time: '2026-11-27',
      })
      .expect(200);
    await goTo(app, saveOf('2026-11-22'));
    expect(await claimsOf(app, key)).toMatchObject([
      { date: '2026-11-24' },
      { date: '2026-11-27', event_id: event.id },
    ]);
    expect((await listStanding(app, key))[0]?.skipped).toEqual([]);
    await noActiveEvent(app);
    const next = await anEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-20',
      end_time: '2026-12-30',
    });
    await app.api.post(`/events/${next.id}/activate`).set(app.admin).expect(200);
    // Activation does not touch existing claims; a single_claim event gets none.
    await goTo(app, saveOf('2026-11-24'));
    expect(await datesOf(app, key)).toEqual(['2026-11-24', '2026-11-27']);
    expect((await listStanding(app, key))[0]?.skipped).toMatchObject([
      { date: '2026-12-01', code: 'standing.singleClaim' },
    ]);
    await noActiveEvent(app);
    await goTo(app, saveOf('2026-11-25'));
    expect(await datesOf(app, key)).toEqual(['2026-11-24', '2026-11-27', '2026-12-01']);
  });

  it('R10.5: makes a date that the event refused as soon as the standing claim is changed after the event was', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    await anActiveEvent(app, { start_time: '2026-11-21', end_time: '2026-11-25' });
    const { id, skipped } = await aStanding(app, key, { weekdays: [5] });
    expect(skipped).toMatchObject([{ date: '2026-11-27', code: 'claim.dateOutsideEvent' }]);
    await noActiveEvent(app);
    const { body } = await putStanding(app, key, { id, hour_end: 12 }).expect(200);
    expect(body.data).toMatchObject({ skipped: [], next_date: '2026-12-04' });
    expect(await claimsOf(app, key)).toMatchObject([
      { date: '2026-11-27', hour_start: 10, hour_end: 12 },
    ]);
  });

  it('R10.2, R10.5: skips dates that the voucher, the budget or the member type no longer allows', async () => {
    const app = await aGuild(dialect);
    const type = await aMemberType(app, { voucher_duration_hours: 6 });
    const key = await aKey(app, undefined, type);
    await aStanding(app, key, {
      weekdays: [1, 2, 3],
      from: '2026-11-30',
      hour_start: 10,
      hour_end: 16,
    });
    const change = (fields: object) =>
      app.api.put(`/admin/member-types/${type}`).set(app.admin).send(fields).expect(200);
    await change({ voucher_duration_hours: 4 });
    await goTo(app, saveOf('2026-11-23'));
    await change({ voucher_duration_hours: 6, max_hours_per_day: 5 });
    await goTo(app, saveOf('2026-11-24'));
    await change({ max_hours_per_day: null, can_submit: 0 });
    await goTo(app, saveOf('2026-11-25'));
    expect(await datesOf(app, key)).toEqual([]);
    expect(
      (await listStanding(app, key))[0]?.skipped.map(({ date, code }) => [date, code]),
    ).toEqual([
      ['2026-12-02', 'claim.typeMayNotSubmit'],
      ['2026-12-01', 'budget.day'],
      ['2026-11-30', 'claim.durationOutOfRange'],
    ]);
  });

  it('R10.7: makes nothing while its spot is disabled, and the upcoming dates as soon as it is enabled again', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    await aStanding(app, key, { weekdays: [7], from: '2026-11-29' });
    await disableRespawn(app, 1);
    await goTo(app, saveOf('2026-11-22'));
    expect([await datesOf(app, key), await listStanding(app, key)]).toMatchObject([
      [],
      [{ skipped: [], next_date: '2026-11-29' }],
    ]);
    await app.api.put('/admin/respawns/1').set(app.admin).send({ is_enabled: 1 }).expect(200);
    await app.runDue();
    expect(await datesOf(app, key)).toEqual(['2026-11-29']);
  });

  it('keeps only the skipped dates that it shows', async () => {
    const app = await aGuild(dialect, { standing_days_ahead: 1 });
    const type = await aMemberType(app);
    const key = await aKey(app, undefined, type);
    await aStanding(app, key, { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '2026-11-23' });
    await app.api
      .put(`/admin/member-types/${type}`)
      .set(app.admin)
      .send({ can_submit: 0 })
      .expect(200);
    for (let day = 1; day <= 25; day++) await goTo(app, saveOf(addDays(TODAY, day)));
    const rows = await app.ctx.db
      .selectFrom('standing_occurrences')
      .select('date')
      .orderBy('date')
      .execute();
    const first = addDays(TODAY, 26 - MAX_SKIPPED + 1);
    const last = addDays(TODAY, 26);
    expect([rows.length, rows[0]?.date, rows.at(-1)?.date]).toEqual([MAX_SKIPPED, first, last]);
  });

  it('R10.7: makes nothing while the standing claim is paused or weekly claims are off', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    const standing = await aStanding(app, key, { weekdays: [7], from: '2026-11-29' });
    expect(
      (await putStanding(app, key, { id: standing.id, is_paused: 1 }).expect(200)).body.data,
    ).toMatchObject({ is_paused: 1, next_date: null });
    await goTo(app, saveOf('2026-11-22'));
    await app.api.put('/admin/config').set(app.admin).send({ standing_enabled: 0 }).expect(200);
    await goTo(app, saveOf('2026-11-23'));
    expect(await datesOf(app, key)).toEqual([]);
    await allowStanding(app);
    await putStanding(app, key, { id: standing.id, is_paused: 0 }).expect(200);
    expect(await datesOf(app, key)).toEqual(['2026-11-29']);
  });

  it('makes due claims as soon as weekly claims are switched on, or more days ahead', async () => {
    const app = await aGuild(dialect, { standing_days_ahead: 1 });
    const key = await aKey(app);
    await aStanding(app, key, { weekdays: [2] });
    await app.api.put('/admin/config').set(app.admin).send({ standing_days_ahead: 14 }).expect(200);
    await app.runDue();
    expect(await datesOf(app, key)).toEqual(['2026-11-24', '2026-12-01']);
  });

  it('makes more claims than one write makes, each once', async () => {
    const app = await aGuild(dialect);
    const keys = await Promise.all(Array.from({ length: 9 }, () => aKey(app)));
    for (const [nth, key] of keys.entries()) {
      for (const weekday of [1, 2, 3])
        await aStanding(app, key, { weekdays: [weekday], from: '2026-11-30', respawn_id: nth + 1 });
    }
    for (const second of [1, 2, 3]) await goTo(app, `2026-11-25T09:00:0${second}.000Z`);
    for (const key of keys)
      expect(await datesOf(app, key)).toEqual(['2026-11-30', '2026-12-01', '2026-12-02']);
  });

  it('R10.7: makes nothing while its key is revoked, says so, and goes on when it is enabled', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    await aStanding(app, key, { weekdays: [7], from: '2026-11-29' });
    await app.api.put(`/admin/access-keys/${key.id}/revoke`).set(app.admin).send({}).expect(200);
    await goTo(app, saveOf('2026-11-22'));
    expect([await datesOf(app, key), await allStanding(app)]).toMatchObject([
      [],
      [{ stopped: 'key', ended_at: null }],
    ]);
    const [standing] = await allStanding(app);
    for (const is_paused of [1, 0])
      await app.api.put(`/standing/${standing?.id}`).set(app.admin).send({ is_paused }).expect(200);
    expect(await datesOf(app, key)).toEqual([]);
    await app.api.put(`/admin/access-keys/${key.id}/enable`).set(app.admin).send({}).expect(200);
    await app.runDue();
    expect(await datesOf(app, key)).toEqual(['2026-11-29']);
    expect(await listStanding(app, key)).toMatchObject([
      { stopped: null, next_date: '2026-12-06' },
    ]);
    expect(await reasons(app)).toEqual([]);
  });

  it('R10.7: ends with the key, a ban and the spot, which the log names; claims stay', async () => {
    const app = await aGuild(dialect);
    const banned = await aKey(app);
    const deleted = await aKey(app);
    const onSpot = await aKey(app);
    const traded = await aKey(app);
    for (const [nth, key] of [banned, deleted, onSpot, traded].entries())
      await aStanding(app, key, { respawn_id: nth + 1, weekdays: [7] });
    const spot = (await listStanding(app, onSpot))[0]?.respawn_name;
    await app.api
      .post('/admin/ban-character')
      .set(app.admin)
      .send({ character_name: banned.character_name })
      .expect(200);
    await app.api
      .post('/admin/unban-character')
      .set(app.admin)
      .send({ character_name: banned.character_name })
      .expect(200);
    await app.api.delete(`/admin/access-keys/${deleted.id}`).set(app.admin).expect(200);
    await app.api.delete('/admin/respawns/3').set(app.admin).expect(200);
    const bought = await write(app.ctx, (unit) => replaceKey(unit, traded));
    expect(await allStanding(app)).toEqual([]);
    expect(await datesOf(app, banned)).toEqual(['2026-11-22']);
    expect(await reasons(app)).toEqual(['key', 'spot', 'key', 'banned']);
    const log = await app.api
      .get('/admin/activity-log?action=standing_ended')
      .set(app.admin)
      .expect(200);
    expect(log.body.data.logs[1].details.places).toEqual([
      { respawn_id: 3, respawn_name: spot, hour_start: 10, hour_end: 14 },
    ]);
    // The member is shown the spot; the buyer of a character learns nothing of the seller's standing claims.
    expect(await listStanding(app, onSpot)).toMatchObject([
      { end_reason: 'spot', respawn_name: spot },
    ]);
    expect(await listStanding(app, bought)).toEqual([]);
    await goTo(app, saveOf('2026-11-29'));
    expect(await datesOf(app, banned)).toEqual(['2026-11-22']);
  });

  it('R10.7: resumes when what ended it is undone, in any order', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    const other = await aKey(app);
    await aStanding(app, key, { weekdays: [7], from: '2026-11-29' });
    await aStanding(app, other, { respawn_id: 2, weekdays: [7], from: '2026-11-29' });
    await app.api.delete('/admin/respawns/1').set(app.admin).expect(200);
    await app.api.delete(`/admin/access-keys/${key.id}`).set(app.admin).expect(200);
    await undoLatest(app, 'respawn_deleted');
    expect(await allStanding(app)).toHaveLength(1);
    await undoLatest(app, 'access_key_deleted');
    expect(await listStanding(app, key)).toMatchObject([
      { ended_at: null, end_reason: null, next_date: '2026-11-29' },
    ]);
    const { body } = await app.api
      .post('/admin/verify-character')
      .set(app.admin)
      .send({ character_name: other.character_name });
    await app.api
      .post('/admin/verified-codes/bulk')
      .set(app.admin)
      .send({ ids: [body.data.id], command: { do: 'ban' } })
      .expect(200);
    expect((await allStanding(app)).map(({ character_name }) => character_name)).toEqual([
      key.character_name,
    ]);
    await undoLatest(app, 'characters_banned');
    await app.runDue();
    expect(await allStanding(app)).toHaveLength(2);
    await goTo(app, saveOf('2026-11-22'));
    expect([await datesOf(app, key), await datesOf(app, other)]).toEqual([
      ['2026-11-29'],
      ['2026-11-29'],
    ]);
  });

  it('ends when its last date has passed, and is deleted after 30 days; no clock that is ahead makes that final', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    await aStanding(app, key, { weekdays: [7], until: '2026-11-22' });
    await aStanding(app, key, { weekdays: [7], respawn_id: 2 });
    await goTo(app, saveOf('2026-11-22'));
    expect(await allStanding(app)).toHaveLength(2);
    await goTo(app, saveOf('2026-11-23'));
    expect(await listStanding(app, key)).toMatchObject([
      { end_reason: null },
      { end_reason: 'over', respawn_name: expect.stringMatching(/./) },
    ]);
    await goTo(app, saveOf('2026-11-22'));
    expect(await allStanding(app)).toHaveLength(2);
    await goTo(app, saveOf('2026-11-24'));
    expect(await allStanding(app)).toHaveLength(1);
    const page = async (query: string) =>
      (await app.api.get(`/admin/standing?${query}`).set(app.admin).expect(200)).body.data;
    expect(await page('state=ended')).toMatchObject([{ end_reason: 'over' }]);
    await goTo(app, '2026-12-25T10:00:00.000Z');
    expect(await app.ctx.db.selectFrom('standing_claims').select('id').execute()).toHaveLength(1);
  });

  it('is counted in the statistics and named in the claim history', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    const other = await aKey(app);
    const standing = await aStanding(app, key, { weekdays: [7], hour_end: 12 });
    await submitted(app, other, aClaim(other, { respawn_id: 2, date: '2026-11-22' }));
    const counted = async (): Promise<object> =>
      (await app.api.get('/statistics?from=2026-11-22&to=2026-11-22').set(app.admin).expect(200))
        .body.data;
    expect(await counted()).toMatchObject({
      standing_hours: 2,
      hours_by_type: [{ member_type: 'member', hours: 6 }],
    });
    // Hours that were used count after the claim was deleted.
    app.setNow('2026-11-22T22:30:00.000Z');
    const [claim] = await claimsOf(app, key);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    expect(await counted()).toMatchObject({ standing_hours: 2 });
    const { body } = await app.api.get('/endings/mine').set(asMember(key)).expect(200);
    expect(body.data.endings).toMatchObject([{ claim_id: claim?.id, standing_id: standing.id }]);
  });

  it('says in the domain event of the claim which standing claim made it', async () => {
    const app = await aGuild(dialect);
    const key = await aKey(app);
    await aDestination(app);
    const standing = await aStanding(app, key, { weekdays: [7] });
    const events = await app.ctx.db
      .selectFrom('outbox')
      .select('body')
      .where('type', '=', 'claim.created')
      .execute();
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
      { standing_id: standing.id, date: '2026-11-22', by: null },
    ]);
  });
});

/** A guild whose clock a test sets; time goes by in steps that leave heartbeats. */
async function aMachine() {
  const machine = createMachine(NOW);
  const app = await createTestApp('sqlite', { machine });
  await allowStanding(app, { transfers_enabled: 1 });
  const pass = async (minutes: number): Promise<void> => {
    for (let left = minutes; left > 0; left -= 2) {
      machine.pass(Math.min(left, 2) * 60_000);
      await app.beat();
    }
    await app.runDue();
  };
  return { app, machine, pass };
}

describe('a clock that jumps ahead and comes back', () => {
  it('makes no standing claim claim beyond its days ahead, and takes no next date from it', async () => {
    const { app, machine, pass } = await aMachine();
    const key = await aKey(app);
    await aStanding(app, key, { weekdays: [1, 2, 3, 4, 5, 6, 7] });
    const made = await datesOf(app, key);
    machine.setWall(2 * 86_400_000);
    await pass(30);
    expect(await datesOf(app, key)).toEqual(made);
    machine.setWall(0);
    await pass(2);
    expect(await listStanding(app, key)).toMatchObject([{ next_date: '2026-11-29' }]);
    // A standing claim changed meanwhile makes more: it still has a next date afterwards.
    machine.setWall(2 * 86_400_000);
    await putStanding(app, key, {
      id: (await listStanding(app, key))[0]?.id ?? 0,
      join_waitlist: 1,
    }).expect(200);
    machine.setWall(0);
    await putStanding(app, key, {
      id: (await listStanding(app, key))[0]?.id ?? 0,
      join_waitlist: 0,
    }).expect(200);
    expect(await listStanding(app, key)).toMatchObject([{ next_date: '2026-12-01' }]);
  });

  it('deletes no outcome of a date while deletion by age is paused', async () => {
    const { app, machine } = await aMachine();
    const key = await aKey(app);
    await aStanding(app, key, { weekdays: [1, 2, 3, 4, 5, 6, 7] });
    const outcomes = async () =>
      (await app.ctx.db.selectFrom('standing_occurrences').select('date').orderBy('date').execute())
        .length;
    const made = await outcomes();
    machine.setWall(400 * 86_400_000);
    await app.runDue();
    machine.pass(10 * 60_000);
    await app.runDue();
    expect(await outcomes()).toBe(made);
  });

  it('ends no open transfer, and shows today’s claims as soon as it is back', async () => {
    const { app, machine, pass } = await aMachine();
    const from = await aKey(app);
    const to = await aKey(app);
    const [claim] = await submitted(app, from, aClaim(from, { date: '2026-11-24' }));
    await submitted(app, to, aClaim(to, { date: TODAY, respawn_id: 2 }));
    await handover(app, from, { claim_id: claim?.id ?? 0, to }).expect(201);
    const open = async () =>
      (await app.api.get('/transfers').set(asMember(to)).expect(200)).body.data.length;
    machine.setWall(2 * 86_400_000);
    await pass(10);
    expect(await open()).toBe(1);
    machine.setWall(0);
    await pass(2);
    expect(await open()).toBe(1);
    expect(await app.ctx.db.selectFrom('clock').select('board_date').execute()).toEqual([
      { board_date: TODAY },
    ]);
    await pass(24 * 60);
    expect(await open()).toBe(0);
  });
});

describe('two servers on one PostgreSQL', () => {
  it('make each claim once', async () => {
    const database = await freshDatabase('postgres');
    const one = await createTestApp('postgres', { on: database });
    const other = await createTestApp('postgres', { on: database });
    await allowStanding(one);
    const key = await aKey(one);
    await aStanding(one, key, { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '2026-11-29' });
    for (const app of [one, other]) app.setNow(saveOf('2026-11-22'));
    await Promise.all([one.runDue(), other.runDue(), one.runDue(), other.runDue()]);
    expect(await datesOf(one, key)).toEqual(['2026-11-29']);
    for (const app of [one, other]) app.setNow(saveOf('2026-11-24'));
    await Promise.all([one.runDue(), other.runDue()]);
    expect(await datesOf(one, key)).toEqual(['2026-11-29', '2026-11-30', '2026-12-01']);
    const rows = await one.ctx.db
      .selectFrom('standing_occurrences')
      .select('date')
      .orderBy('date')
      .execute();
    expect(rows.map(({ date }) => date)).toEqual(['2026-11-29', '2026-11-30', '2026-12-01']);
    expect(await listStanding(other, key)).toHaveLength(1);
  });
});
