import { describe, expect, it } from 'vitest';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  anActiveEvent,
  aRespawn,
  asMember,
  aWait,
  noActiveEvent,
  submit,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';

const DATES = ['2026-11-22', '2026-11-23', '2026-11-24'];

/** Hours that are held for a member of a type. */
async function anOffer(app: TestApp, type: string, date: string, respawn_id: number) {
  const holder = await aKey(app);
  const key = await aKey(app, undefined, type);
  const [claim] = await submitted(app, holder, aClaim(holder, { respawn_id, date }));
  const { id } = await aWait(app, key, { respawn_id, date });
  await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
  return { key, id };
}

describe.each(databases)('a budget of hours on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('R9.27: of a day is kept by members, split claims too; an admin gives more', async () => {
    const type = await aMemberType(app, { max_hours_per_day: 3 });
    const key = await aKey(app, undefined, type);
    const spot = await aRespawn(app);
    const sentence = `Your member type gets 3 h on ${TODAY}. You asked for 4 h; 3 h are left.`;
    const split_parts = [
      { part_number: 1, respawn_id: spot.id, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: spot.id, hour_start: 16, duration: 2 },
    ];
    await expectNoTick(app, async () => {
      const whole = await submit(app, key, aClaim(key, { respawn_id: spot.id }));
      expect(whole.body).toMatchObject({
        code: 'budget.day',
        params: { limit: 3, left: 3, asked: 4, date: TODAY },
      });
      expectRefusal(whole, 409, 'budget.day', sentence, { limit: 3 });
      expect(
        (await submit(app, key, aClaim(key, { is_split_claim: 1, split_parts }))).body.code,
      ).toBe('budget.day');
    });
    await submitted(app, key, aClaim(key, { respawn_id: spot.id, hour_end: 13 }));
    await submitAsAdmin(
      app,
      type,
      aClaim(key, { respawn_id: spot.id, date: DATES[0] ?? '' }),
    ).expect(201);
  });

  it('R9.28: of an event counts the claims in it, including those by admins, and no others', async () => {
    const type = await aMemberType(app, { max_hours_per_event: 10 });
    const key = await aKey(app, undefined, type);
    const spot = await aRespawn(app);
    const on = (date: string | undefined, hours = 4) =>
      aClaim(key, { respawn_id: spot.id, date: date ?? '', hour_end: 10 + hours });
    await submitted(app, key, on(TODAY));
    await anActiveEvent(app, { start_time: TODAY, end_time: '2026-11-28' });
    await submitAsAdmin(app, type, on(DATES[0])).expect(201);
    const [claim] = await submitted(app, key, on(DATES[1]));
    await expectNoTick(app, async () => {
      const sentence = 'Your member type gets 10 h in this event. You asked for 4 h; 2 h are left.';
      expectRefusal(await submit(app, key, on(DATES[2])), 409, 'budget.event', sentence, {
        limit: 10,
        left: 2,
        asked: 4,
      });
      const both = await submit(app, key, on(DATES[2], 1), on('2026-11-25', 2));
      expect(both.body).toMatchObject({ code: 'budget.event', params: { left: 2, asked: 3 } });
    });
    await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    await submitted(app, key, on(DATES[2]));
    await noActiveEvent(app);
    await submitted(app, key, on('2026-12-05'));
  });

  it('R9.28: of an event counts a claim of all of it on each of its dates', async () => {
    const type = await aMemberType(app, { max_hours_per_event: 11 });
    const key = await aKey(app, undefined, type);
    const spot = await aRespawn(app);
    await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2027-02-01',
      end_time: '2027-02-03',
    });
    const whole = (hours: number) =>
      aClaim(key, { respawn_id: spot.id, date: null, hour_end: 10 + hours });
    expect((await submit(app, key, whole(4))).body).toMatchObject({
      code: 'budget.event',
      params: { left: 11, asked: 12 },
    });
    await submitted(app, key, whole(3));
    await noActiveEvent(app);
  });

  it('R9.27, R9.28: applies when accepting an offer, which counts from then on; an admin may accept beyond it', async () => {
    const type = await aMemberType(app, { max_hours_per_day: 4 });
    const spot = await aRespawn(app);
    const accept = (headers: Record<string, string>, id: number) =>
      app.api.post(`/waits/${id}/accept`).set(headers).send({});
    const long = await anOffer(app, type, DATES[0] ?? '', spot.id);
    await admin(app, `put /admin/member-types/${type}`, { max_hours_per_day: 3 }).expect(200);
    const refused = { code: 'budget.day', params: { limit: 3, left: 3, asked: 4, date: DATES[0] } };
    await expectNoTick(app, async () =>
      expect((await accept(asMember(long.key), long.id).expect(409)).body).toMatchObject(refused),
    );
    await accept(app.admin, long.id).expect(200);

    const inEvent = await aMemberType(app, { max_hours_per_event: 6 });
    await anActiveEvent(app, { start_time: TODAY, end_time: '2026-11-28' });
    const { key, id } = await anOffer(app, inEvent, DATES[1] ?? '', spot.id);
    const on = (date: string | undefined, hours: number) =>
      aClaim(key, { respawn_id: spot.id, date: date ?? '', hour_end: 10 + hours });
    const [, other] = await submitted(app, key, on('2026-11-25', 1), on('2026-11-26', 2));
    const tooMuch = { code: 'budget.event', params: { limit: 6, left: 3, asked: 4 } };
    await expectNoTick(app, async () =>
      expect((await accept(asMember(key), id).expect(409)).body).toMatchObject(tooMuch),
    );
    await admin(app, `delete /admin/claims/${other?.id}`).expect(200);
    await accept(asMember(key), id).expect(200);
    expect((await submit(app, key, on(DATES[2], 2))).body).toMatchObject({
      code: 'budget.event',
      params: { left: 1, asked: 2 },
    });
    await noActiveEvent(app);
  });

  it('R9.27, R9.28: leaves secondary claims out', async () => {
    const change = (fields: object) =>
      admin(app, 'put /admin/member-types/elite', fields).expect(200);
    await change({ max_hours_per_day: 4, max_hours_per_event: 8 });
    await anActiveEvent(app, { start_time: TODAY, end_time: '2026-11-28' });
    const key = await aKey(app, undefined, 'elite');
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    for (const date of [TODAY, DATES[0]])
      await submitted(
        app,
        key,
        aClaim(key, { respawn_id: one.id, date: date ?? '' }),
        aClaim(key, {
          respawn_id: two.id,
          date: date ?? '',
          hour_start: 12,
          is_secondary_claim: 1,
        }),
      );
    expect(
      (await submit(app, key, aClaim(key, { respawn_id: one.id, date: DATES[1] ?? '' }))).body.code,
    ).toBe('budget.event');
    await change({ max_hours_per_day: null, max_hours_per_event: null });
    await noActiveEvent(app);
  });

  it('takes no statement more where there is none', async () => {
    // Held by `statements.isolated.test.ts`; here, that one without an event asks for nothing either.
    const type = await aMemberType(app, { max_hours_per_event: 1 });
    const key = await aKey(app, undefined, type);
    const spot = await aRespawn(app);
    await submitted(app, key, aClaim(key, { respawn_id: spot.id, date: '2026-12-24' }));
  });
});
