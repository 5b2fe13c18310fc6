import { describe, expect, it } from 'vitest';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  anActiveEvent,
  asMember,
  aWait,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';

const TOMORROW = '2026-11-22';
const AFTER = '2026-11-23';
const open = async (app: TestApp) =>
  (await app.api.get('/waits').set(app.admin).expect(200)).body.data;
const heldOf = (app: TestApp) =>
  app.ctx.db
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(['character_name', 'date', 'hour_start', 'hour_end'])
    .where('held_until', 'is not', null)
    .orderBy('claims.id')
    .execute();
const settings = (app: TestApp, type: string, fields: object) =>
  admin(app, `put /admin/member-types/${type}`, fields).expect(200);

/** A member with a budget is first on the waitlist, one without is second, for hours that then become free. */
async function aLine(app: TestApp, budget: object, fields: Parameters<typeof aWait>[2] = {}) {
  const type = await aMemberType(app, budget);
  const holder = await aKey(app);
  const poor = await aKey(app, undefined, type);
  const rich = await aKey(app);
  const date = fields.date ?? TODAY;
  const [claim] = await submitted(app, holder, aClaim(holder, { date }));
  const first = await aWait(app, poor, fields);
  const second = await aWait(app, rich, { date });
  const free = () => admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
  return { type, poor, rich, first, second, free };
}

describe.each(databases)(
  'R9.6: a member with a budget is offered only hours they may accept, on %s',
  (dialect) => {
    it('no more of a date than a day’s hours, and accepts that', async () => {
      const app = await createTestApp(dialect);
      const { poor, rich, first, free } = await aLine(app, { max_hours_per_day: 3 });
      await free();
      expect(await heldOf(app)).toMatchObject([
        { character_name: poor.character_name, hour_start: 10, hour_end: 13 },
        { character_name: rich.character_name, hour_start: 13, hour_end: 14 },
      ]);
      await app.api.post(`/waits/${first.id}/accept`).set(asMember(poor)).send({}).expect(200);
    });

    it('gives members without budget no offer: they are skipped, keep their place, and are served when budget is freed', async () => {
      const app = await createTestApp(dialect);
      await anActiveEvent(app, { start_time: TODAY, end_time: '2026-11-28' });
      const { poor, rich, first, second, free } = await aLine(
        app,
        { max_hours_per_event: 5 },
        { date: TOMORROW, min_hours: 2 },
      );
      const [mine] = await submitted(app, poor, aClaim(poor, { respawn_id: 2, date: AFTER }));
      await free();
      expect(await open(app)).toMatchObject([
        { id: first.id, status: 'waiting', position: 1 },
        { id: second.id, status: 'offered', position: 2 },
      ]);
      await app.api.post(`/waits/${second.id}/decline`).set(asMember(rich)).send({}).expect(200);
      expect(await open(app)).toMatchObject([{ id: first.id, status: 'waiting', position: 1 }]);
      await admin(app, `put /claims/admin/${mine?.id}`, { hour_start: 10, hour_end: 13 }).expect(
        200,
      );
      expect(await open(app)).toMatchObject([{ id: first.id, status: 'offered' }]);
      expect(await heldOf(app)).toMatchObject([{ hour_start: 10, hour_end: 12 }]);
      await app.api.post(`/waits/${first.id}/accept`).set(asMember(poor)).send({}).expect(200);
    });

    it('also when a release frees budget, or the type gets more', async () => {
      for (const way of ['release', 'type'] as const) {
        const app = await createTestApp(dialect);
        await anActiveEvent(app, { start_time: TODAY, end_time: '2026-11-28' });
        const { type, poor, first, free } = await aLine(
          app,
          { max_hours_per_event: 5 },
          { date: TOMORROW, min_hours: 2 },
        );
        const [mine] = await submitted(app, poor, aClaim(poor, { respawn_id: 2 }));
        await free();
        expect((await open(app))[0], way).toMatchObject({ id: first.id, status: 'waiting' });
        const secondsOffer = (await open(app))[1];
        await admin(app, `delete /admin/claims/${secondsOffer.held_claim_id}`).expect(200);
        app.setNow('2026-11-21T19:30:00.000Z');
        if (way === 'type') await settings(app, type, { max_hours_per_event: 6 });
        else await admin(app, `post /claims/${mine?.id}/release`).expect(200);
        expect((await open(app))[0], way).toMatchObject({ id: first.id, status: 'offered' });
      }
    });

    it('counts their holds: two entries are offered what both together leave', async () => {
      const app = await createTestApp(dialect);
      await anActiveEvent(app, { start_time: TODAY, end_time: '2026-11-28' });
      const type = await aMemberType(app, { max_hours_per_event: 6 });
      const holder = await aKey(app);
      const key = await aKey(app, undefined, type);
      await submitted(
        app,
        holder,
        aClaim(holder, { date: TODAY }),
        aClaim(holder, { date: TOMORROW }),
        aClaim(holder, { date: AFTER }),
      );
      const waits = [
        await aWait(app, key, { date: TODAY }),
        await aWait(app, key, { date: TOMORROW }),
        await aWait(app, key, { date: AFTER }),
      ];
      await admin(app, 'delete /claims/admin/respawn/1').expect(200);
      expect(await heldOf(app)).toMatchObject([
        { date: TODAY, hour_start: 10, hour_end: 14 },
        { date: TOMORROW, hour_start: 10, hour_end: 12 },
      ]);
      for (const { id } of waits.slice(0, 2))
        await app.api.post(`/waits/${id}/accept`).set(asMember(key)).send({}).expect(200);
      expect(await open(app)).toMatchObject([{ id: waits[2]?.id, status: 'waiting', position: 1 }]);
    });

    it('counts holds made without an event, on the dates of the event that is active now', async () => {
      const app = await createTestApp(dialect);
      const type = await aMemberType(app, { max_hours_per_event: 6 });
      const holder = await aKey(app);
      const key = await aKey(app, undefined, type);
      const [one, two] = await submitted(
        app,
        holder,
        aClaim(holder),
        aClaim(holder, { date: TOMORROW }),
      );
      const waits = [await aWait(app, key), await aWait(app, key, { date: TOMORROW })];
      await admin(app, `delete /admin/claims/${one?.id}`).expect(200);
      await anActiveEvent(app, { start_time: TODAY, end_time: '2026-11-28' });
      await admin(app, `delete /admin/claims/${two?.id}`).expect(200);
      expect(await heldOf(app)).toMatchObject([
        { date: TODAY, hour_start: 10, hour_end: 14 },
        { date: TOMORROW, hour_start: 10, hour_end: 12 },
      ]);
      for (const { id } of waits)
        await app.api.post(`/waits/${id}/accept`).set(asMember(key)).send({}).expect(200);
    });
  },
);
