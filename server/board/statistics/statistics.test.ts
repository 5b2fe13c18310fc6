import { describe, expect, it } from 'vitest';
import { MAX_RANKED, type Statistics } from '../../../shared/schemas/statistics.ts';
import { deleteClaim } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import { inBatches } from '../../db/database.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  aRespawn,
  asMember,
  aWait,
  change,
  changeUnheard,
  noActiveEvent,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { tidyUp } from '../../dev/test/jobs.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { COUNTED_AT_ONCE, readStatistics } from './statistics.ts';

/** A quarter of a minute later, when nothing that was counted is answered again. */
let moment = Date.parse(NOW);
const later = (app: TestApp, iso?: string): void => {
  moment = iso === undefined ? moment + 15_000 : Date.parse(iso);
  app.setNow(new Date(moment).toISOString());
};
async function of(app: TestApp, query: object = {}): Promise<Statistics> {
  later(app);
  return (await app.api.get('/statistics').set(app.admin).query(query).expect(200)).body.data;
}
const members = ({ hours_by_member }: Statistics) =>
  Object.fromEntries(
    hours_by_member.map(({ character_name, hours, no_shows }) => [
      character_name,
      [hours, no_shows],
    ]),
  );
const hoursOf = ({ hours_by_hour }: Statistics) =>
  Object.fromEntries(
    hours_by_hour.filter(({ hours }) => hours > 0).map(({ hour, hours }) => [hour, hours]),
  );
const day = { from: TODAY, to: TODAY };

describe.each(databases)('statistics on %s', (dialect) => {
  it('count the hours of primary claims by member, by type and by hour of the day, on the requested dates', async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    const ann = await aKey(app, 'Ann');
    const ben = await aKey(app, 'Ben', 'elite');
    const spot = await aRespawn(app);
    const other = await aRespawn(app);
    await submitted(
      app,
      ann,
      aClaim(ann, { respawn_id: spot.id }),
      aClaim(ann, { respawn_id: spot.id, date: '2026-11-22' }),
    );
    const split_parts = [
      { part_number: 1, respawn_id: spot.id, hour_start: 14, duration: 2 },
      { part_number: 2, respawn_id: other.id, hour_start: 20, duration: 1 },
    ];
    await submitted(
      app,
      ben,
      aClaim(ben, { is_split_claim: 1, split_parts }),
      aClaim(ben, { respawn_id: 1, hour_start: 12, is_secondary_claim: 1 }),
    );
    const today = await of(app, day);
    expect(today).toMatchObject({ event_id: null, ...day, no_shows: [], wanted_spots: [] });
    expect(today.hours_by_member).toEqual([
      { character_name: 'Ann', member_type: 'member', hours: 4, no_shows: 0 },
      { character_name: 'Ben', member_type: 'elite', hours: 3, no_shows: 0 },
    ]);
    expect(today.hours_by_type).toEqual([
      { member_type: 'member', hours: 4 },
      { member_type: 'elite', hours: 3 },
    ]);
    expect(today.hours_by_hour).toHaveLength(24);
    expect(hoursOf(today)).toEqual({ 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1, 20: 1 });
    expect(members(await of(app, { from: TODAY, to: '2026-11-22' }))).toEqual({
      Ann: [8, 0],
      Ben: [3, 0],
    });
    // Of nothing given the 30 days up to today.
    expect(await of(app)).toMatchObject({
      event_id: null,
      event_name: null,
      from: '2026-10-23',
      to: TODAY,
    });
  });

  it('keep the past hours of claims that were deleted with their spot or event or cleared, and no more of them', async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    const ann = await aKey(app, 'Ann');
    const spot = await aRespawn(app);
    const event = await anActiveEvent(app, { start_time: '2026-11-20', end_time: '2026-11-28' });
    await submitAsAdmin(
      app,
      'member',
      aClaim(ann, { respawn_id: spot.id, date: '2026-11-20' }),
    ).expect(201);
    await submitted(
      app,
      ann,
      aClaim(ann, { respawn_id: spot.id }),
      aClaim(ann, { respawn_id: spot.id, date: '2026-11-22' }),
    );
    expect(members(await of(app))).toEqual({ Ann: [12, 0] });
    // SS+12 runs: two hours of today are over.
    later(app, '2026-11-21T21:30:00.000Z');
    await admin(app, `delete /claims/admin/respawn/${spot.id}`).expect(200);
    expect(members(await of(app, { event_id: event.id }))).toEqual({ Ann: [6, 0] });
    expect(hoursOf(await of(app, day))).toEqual({ 10: 1, 11: 1 });
    await admin(app, `delete /events/${event.id}`).expect(200);
    expect(members(await of(app, day))).toEqual({ Ann: [2, 0] });
  });

  it('count a claim of a whole event on each of its dates, also when it is archived, and up to its end where it was deleted', async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    const ann = await aKey(app, 'Ann');
    const ben = await aKey(app, 'Ben');
    const spot = await aRespawn(app);
    const event = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-19',
      end_time: '2026-11-24',
    });
    const named = { event_id: event.id, event_name: event.name };
    const whole = (hour_start: number) => ({
      respawn_id: spot.id,
      date: null,
      hour_start,
      hour_end: hour_start + 2,
    });
    await submitted(app, ann, aClaim(ann, whole(20)));
    const [gone] = await submitted(app, ben, aClaim(ben, whole(8)));
    const other = { from: '2026-11-22', to: '2026-12-05' };
    expect(members(await of(app, { event_id: event.id }))).toEqual({ Ann: [12, 0], Ben: [12, 0] });
    expect(members(await of(app, other))).toEqual({ Ann: [6, 0], Ben: [6, 0] });
    // SS+9 runs: two dates, and one hour of today, are over.
    later(app, NOW);
    await deleteClaim(app, gone);
    expect(members(await of(app, { event_id: event.id }))).toEqual({ Ann: [12, 0], Ben: [5, 0] });
    expect(members(await of(app, day))).toEqual({ Ann: [2, 0], Ben: [1, 0] });
    expect(members(await of(app, other))).toEqual({ Ann: [6, 0] });
    expect(await of(app)).toMatchObject(named);
    await noActiveEvent(app);
    await submitted(app, ben, aClaim(ben, { respawn_id: spot.id, date: '2026-11-23' }));
    const before = [members(await of(app, { event_id: event.id })), members(await of(app, other))];
    Object.assign(app.ctx.env, { ARCHIVE_AFTER_DAYS: 10 });
    later(app, '2026-12-15T18:00:00.000Z');
    while (await tidyUp(app));
    expect([members(await of(app, { event_id: event.id })), members(await of(app, other))]).toEqual(
      before,
    );
    expect(before[1]).toEqual({ Ann: [6, 0], Ben: [4, 0] });
    expect(await of(app, { event_id: event.id })).toMatchObject(named);
    expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
  });

  it('count no-shows without their hours, and not what was released or removed by an edit', async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    await admin(app, 'put /admin/config', { confirm_enabled: 1, release_enabled: 1 }).expect(200);
    const ann = await aKey(app, 'Ann');
    const ben = await aKey(app, 'Ben');
    const spot = await aRespawn(app);
    await submitted(app, ann, aClaim(ann, { respawn_id: spot.id, hour_end: 12 }));
    const [back] = await submitted(
      app,
      ben,
      aClaim(ben, { respawn_id: spot.id, hour_start: 14, hour_end: 18 }),
    );
    await app.api.post(`/claims/${back?.id}/release`).set(asMember(ben)).send({}).expect(200);
    const [edited] = await submitted(
      app,
      ben,
      aClaim(ben, { respawn_id: spot.id, hour_start: 20, hour_end: 23 }),
    );
    await admin(app, `put /claims/admin/${edited?.id}`, { hour_start: 20, hour_end: 21 }).expect(
      200,
    );
    later(app, '2026-11-21T19:10:00.000Z');
    await change(app, async () => {});
    const today = await of(app, day);
    expect(members(today)).toEqual({ Ben: [1, 0], Ann: [0, 1] });
    expect(today.no_shows).toEqual([{ character_name: 'Ann', count: 1 }]);
  });

  it('count a no-show of one part of a split claim once, though a secondary claim follows', async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    await admin(app, 'put /admin/config', { confirm_enabled: 1 }).expect(200);
    const cleo = await aKey(app, 'Cleo', 'elite');
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const split_parts = [10, 20].map((hour_start, nth) => ({
      part_number: nth + 1,
      respawn_id: one.id,
      hour_start,
      duration: 2,
    }));
    const secondary = aClaim(cleo, { respawn_id: two.id, hour_start: 12, is_secondary_claim: 1 });
    await submitted(app, cleo, aClaim(cleo, { is_split_claim: 1, split_parts }), secondary);
    later(app, '2026-11-21T19:10:00.000Z');
    await change(app, async () => {});
    const today = await of(app, day);
    expect(members(today)).toEqual({ Cleo: [2, 1] });
    expect(today.no_shows).toEqual([{ character_name: 'Cleo', count: 1 }]);
  });

  it('count neither holds nor ended secondary claims', async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    const ann = await aKey(app, 'Ann');
    const eve = await aKey(app, 'Eve', 'elite');
    const spot = await aRespawn(app);
    const other = await aRespawn(app);
    const primary = aClaim(eve, { respawn_id: spot.id });
    const [claim] = await submitted(
      app,
      eve,
      primary,
      aClaim(eve, { respawn_id: other.id, hour_start: 10, is_secondary_claim: 1 }),
    );
    await aWait(app, ann, { respawn_id: spot.id });
    await deleteClaim(app, claim);
    expect(members(await of(app, day))).toEqual({});
    later(app, '2026-11-21T21:30:00.000Z');
    await admin(app, `delete /claims/admin/respawn/${other.id}`).expect(200);
    expect(members(await of(app, day))).toEqual({});
  });

  it('list the spots with waitlists: hours requested, received and missed', async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    const spot = await aRespawn(app);
    const wait = {
      respawn_id: spot.id,
      date: TODAY,
      hour_start: 10,
      hour_end: 12,
      min_hours: 1,
      position: 0,
      member_type: 'member',
    };
    const who = { character_name: 'Ann', character_key: 'ann', created_at: NOW, ended_at: NOW };
    for (const status of ['accepted', 'lapsed', 'withdrawn', 'waiting'] as const)
      await changeUnheard(app, (tx) =>
        tx
          .insertInto('waits')
          .values({ ...wait, ...who, status })
          .execute(),
      );
    const wanted = [{ respawn_id: spot.id, respawn_name: spot.name, asked: 4, got: 1, lost: 2 }];
    expect((await of(app, day)).wanted_spots).toEqual(wanted);
    expect((await of(app, { from: '2026-11-22', to: '2026-11-22' })).wanted_spots).toEqual([]);
  });

  it(`name no more than the first ${MAX_RANKED} members, types, spots and no-shows`, async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    const many = Array.from({ length: MAX_RANKED + 1 }, (_, n) => n);
    const endings = many.map((n) => ({
      claim_id: 900_000 + n,
      part_number: 1,
      character_name: `Hunter ${n}`,
      character_key: `hunter ${n}`,
      member_type: `type ${n}`,
      is_secondary_claim: 0 as const,
      respawn_id: n,
      respawn_name: 'Spot',
      event_id: null,
      date: TODAY,
      first_date: TODAY,
      last_date: TODAY,
      hour_start: 2,
      hour_end: 3,
      made_at: NOW,
      ended_at: NOW,
      ended_date: TODAY,
      ended_hour: 4,
      ended_by: null,
    }));
    const waits = many.map((n) => ({
      respawn_id: n,
      date: TODAY,
      hour_start: 10,
      hour_end: 12,
      min_hours: 1,
      position: 0,
      member_type: 'member',
      character_name: 'Ann',
      character_key: 'ann',
      status: 'lapsed' as const,
      created_at: NOW,
      ended_at: NOW,
    }));
    await changeUnheard(app, async (tx) => {
      for (const reason of ['admin', 'no_show'] as const)
        for (const some of inBatches(endings, 100))
          await tx
            .insertInto('claim_endings')
            .values(some.map((row) => ({ ...row, reason })))
            .execute();
      for (const some of inBatches(waits, 100)) await tx.insertInto('waits').values(some).execute();
    });
    const { hours_by_member, hours_by_type, wanted_spots, no_shows } = await of(app, day);
    const lengths = [hours_by_member, hours_by_type, wanted_spots, no_shows].map(
      (list) => list.length,
    );
    expect(lengths).toEqual([MAX_RANKED, MAX_RANKED, MAX_RANKED, MAX_RANKED]);
  });

  it("are for callers who see the board, for up to the longest event's dates, and concurrent requests share one count", async () => {
    const app = await createTestApp(dialect);
    later(app, NOW);
    const ask = (query: object) => app.api.get('/statistics').set(app.admin).query(query);
    await expectNoTick(app, async () => {
      await ask({ from: '2026-01-01', to: '2027-01-01' }).expect(200);
      for (const wrong of [
        { from: TODAY },
        { to: TODAY },
        { from: TODAY, to: '2026-11-20' },
        { from: '2026-01-01', to: '2027-01-02' },
      ])
        expect((await ask(wrong).expect(400)).body).toMatchObject({ code: 'request.invalid' });
      expectRefusal(
        await ask({ event_id: 4711 }),
        404,
        'event.notFound',
        'This event no longer exists.',
      );
    });
    const same = { from: '2026-10-01', to: '2026-10-01' };
    const [one, other] = await Promise.all([
      readStatistics(app.ctx)(same),
      readStatistics(app.ctx)(same),
    ]);
    expect(one).toBe(other);
    const many = Array.from({ length: COUNTED_AT_ONCE + 1 }, (_, nth) => {
      const date = `2026-09-${String(nth + 1).padStart(2, '0')}`;
      return readStatistics(app.ctx)({ from: date, to: date });
    });
    const refused = (await Promise.allSettled(many)).filter(({ status }) => status === 'rejected');
    expect(refused[0]).toMatchObject({ reason: { code: 'server.busy', params: { seconds: 2 } } });
    later(app);
    await readStatistics(app.ctx)({ from: '2026-08-01', to: '2026-08-01' });
  });
});
