import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../../shared/schemas/activity.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { deleteClaim, undoLatest } from '../../activity/test/undo.ts';
import { aClaim, aKey, anActiveEvent, submit, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import { changeSetsFrom } from '../../live/bus.ts';

const split = {
  is_split_claim: 1 as const,
  split_parts: [
    { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2 },
    { part_number: 2, respawn_id: 2, hour_start: 14, duration: 2 },
  ],
};

const edit = (app: TestApp, id: number | undefined, hour_start: number, hour_end: number) =>
  app.api.put(`/claims/admin/${id}`).set(app.admin).send({ hour_start, hour_end });

describe.each(databases)('an admin’s edit of a claim’s times on %s', (dialect) => {
  it('R4.13: moves the claim, frees its old hours and holds the new ones', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const two = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one));
    const answer = await edit(app, claim?.id, 12, 15).expect(200);
    expect(answer.body.data).toMatchObject({
      id: claim?.id,
      hour_start: 12,
      hour_end: 15,
      custom_duration: 3,
    });
    await submit(app, two, aClaim(two, { hour_start: 14, hour_end: 16 })).expect(409);
    await submit(app, two, aClaim(two, { hour_start: 8, hour_end: 12 })).expect(201);
    const { body } = await app.api.get('/admin/activity-log?action=claim_updated').set(app.admin);
    expect(body.data.logs).toMatchObject([
      {
        details: { changed: { hour_start: { from: 10, to: 12 }, hour_end: { from: 14, to: 15 } } },
        admin_username: 'admin',
      },
    ]);
  });

  it('R4.13: refuses impossible or taken hours, and changes nothing', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const two = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one));
    await submitted(app, two, aClaim(two, { hour_start: 14, hour_end: 18 }));
    const clock = app.ctx.bus.clock();
    const refusals: [number, number, number, string][] = [
      [24, 24, 400, 'Start time must be between SS+0 and SS+23'],
      [-1, 4, 400, 'Start time must be between SS+0 and SS+23'],
      [0, 0, 400, 'End time must be between SS+1 and SS+24'],
      [20, 25, 400, 'End time cannot exceed SS+24'],
      [12, 12, 400, 'End time must be after start time'],
      [1.5, 3, 400, 'Time range is invalid'],
      [
        12,
        15,
        409,
        'Time conflict detected for 2026-11-21 at SS+12. There is already a claim that overlaps this time.',
      ],
    ];
    for (const [start, end, status, error] of refusals) {
      const answer = await edit(app, claim?.id, start, end);
      expect([answer.status, answer.body.error]).toEqual([status, error]);
    }
    expect(app.ctx.bus.clock()).toBe(clock);
    await edit(app, claim?.id, 10, 14).expect(200);
    await edit(app, 999, 10, 14).expect(404);
    await app.api
      .put(`/claims/admin/${claim?.id}`)
      .set('X-Access-Key', one.key_value)
      .send({ hour_start: 1, hour_end: 2 })
      .expect(403);
  });

  it('R4.13: moves a single_claim event’s claim on every date, and leaves a split claim alone', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-21T10:00',
      end_time: '2026-11-23T10:00',
    });
    const one = await aKey(app);
    const two = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { date: null, event_id: event.id }));
    await edit(app, claim?.id, 0, 4).expect(200);
    const held = await app.ctx.db
      .selectFrom('occupied_hours')
      .select(['date', 'hour'])
      .orderBy('date')
      .orderBy('hour')
      .execute();
    expect(held.map(({ date, hour }) => `${date} ${hour}`)).toEqual(
      ['2026-11-21', '2026-11-22', '2026-11-23'].flatMap((date) =>
        [0, 1, 2, 3].map((hour) => `${date} ${hour}`),
      ),
    );
    const [whole] = await submitted(app, two, aClaim(two, { date: null, ...split }));
    const answer = await edit(app, whole?.id, 5, 6).expect(409);
    expect(answer.body.code).toBe('times.splitClaim');
  });
});

describe.each(databases)(
  'a secondary claim whose primary an admin gives other hours, on %s',
  (dialect) => {
    async function withSecondary(app: TestApp) {
      const elite = await aKey(app, 'Mira Stormcrow', 'elite');
      const waiting = {
        ...aClaim(elite, { respawn_id: 2, hour_start: 20, is_secondary_claim: 1 }),
        hour_end: null,
      };
      const [primary, secondary] = await submitted(app, elite, aClaim(elite), waiting);
      if (!primary || !secondary) throw new Error('both are stored');
      return { elite, primary, secondary };
    }
    const stored = async (app: TestApp, id: number) => {
      const { body } = await app.api.get('/admin/claims').set(app.admin).expect(200);
      return body.data.find((row: ClaimRow) => row.id === id);
    };

    it('R5.7: lasts as long as that, cut at SS+24, in the same change set and log entry, and occupies nothing', async () => {
      const app = await createTestApp(dialect);
      const { primary, secondary } = await withSecondary(app);
      expect(secondary).toMatchObject({ hour_start: 20, hour_end: 24 });
      const clock = app.ctx.bus.clock();
      await edit(app, primary.id, 9, 11).expect(200);
      expect(app.ctx.bus.clock()).toBe(clock + 1);
      const [set] = await changeSetsFrom(app.ctx.db, clock + 1);
      const claimPuts = set?.changes
        .map(({ change }) => change)
        .filter((change) => change.op === 'put' && change.kind === 'claim');
      expect(claimPuts).toMatchObject([
        { record: { id: primary.id, hour_start: 9, hour_end: 11 } },
        { record: { id: secondary.id, hour_start: 20, hour_end: 22 } },
      ]);
      expect(await stored(app, secondary.id)).toEqual({ ...secondary, hour_end: 22 });
      const { body } = await app.api
        .get('/admin/activity-log?action=claim_updated')
        .set(app.admin)
        .expect(200);
      expect(body.data.logs.map(({ details }: ActivityEntry) => details)).toMatchObject([
        {
          claim_id: primary.id,
          changed: { hour_end: { from: 14, to: 11 }, secondary_hour_end: { from: 24, to: 22 } },
        },
      ]);
      const held = await app.ctx.db
        .selectFrom('occupied_hours')
        .select(['claim_id', 'hour'])
        .orderBy('hour')
        .execute();
      expect(held).toEqual([9, 10].map((hour) => ({ claim_id: primary.id, hour })));
      await edit(app, primary.id, 0, 12).expect(200);
      expect(await stored(app, secondary.id)).toEqual(secondary);
    });

    it('R5.7: stays while the primary’s start moves, keeps its own length, and follows no other claim', async () => {
      const app = await createTestApp(dialect);
      const { elite, primary, secondary } = await withSecondary(app);
      const later = {
        ...aClaim(elite, {
          respawn_id: 2,
          hour_start: 3,
          is_secondary_claim: 1,
          date: '2026-11-22',
        }),
        hour_end: null,
      };
      const [, other] = await submitted(app, elite, aClaim(elite, { date: '2026-11-22' }), later);
      await edit(app, secondary.id, 21, 22).expect(200);
      await edit(app, primary.id, 2, 6).expect(200);
      expect(await stored(app, secondary.id)).toMatchObject({
        hour_start: 21,
        hour_end: 22,
        custom_duration: 1,
      });
      await edit(app, primary.id, 2, 4).expect(200);
      expect(await stored(app, secondary.id)).toMatchObject({
        hour_start: 21,
        hour_end: 23,
        custom_duration: null,
      });
      expect(await stored(app, other?.id ?? 0)).toEqual(other);
    });

    it('R5.7: is unchanged if the edit is refused, stays when the primary is deleted, and is linked again when it is restored', async () => {
      const app = await createTestApp(dialect);
      const { primary, secondary } = await withSecondary(app);
      const holder = await aKey(app);
      await submitted(app, holder, aClaim(holder, { hour_start: 14, hour_end: 18 }));
      await edit(app, primary.id, 12, 15).expect(409);
      await deleteClaim(app, primary);
      expect(await stored(app, secondary.id)).toEqual(secondary);
      await undoLatest(app, 'claim_deleted');
      await edit(app, primary.id, 12, 14).expect(200);
      expect(await stored(app, secondary.id)).toMatchObject({ hour_start: 20, hour_end: 22 });
    });

    it('R5.7: is published at once: all watchers see the same as a fresh snapshot', async () => {
      const app = await createTestApp(dialect);
      const { elite, primary, secondary } = await withSecondary(app);
      const watcher = new Watcher(app.url, { access_key: elite.key_value });
      await watcher.connect();
      await edit(app, primary.id, 10, 11).expect(200);
      await watcher.reached(app.ctx.bus.clock());
      expect(watcher.records('claim').get(String(secondary.id))).toMatchObject({
        hour_start: 20,
        hour_end: 21,
      });
      const fresh = new Watcher(app.url, { access_key: elite.key_value });
      await fresh.connect();
      expect(watcher.records('claim')).toEqual(fresh.records('claim'));
      expect(watcher.snapshots).toBe(1);
    });
  },
);

describe.each(databases)('clearing a respawn on %s', (dialect) => {
  it('R4.12: takes its claims of the active event, a split one whole and counted once', async () => {
    const app = await createTestApp(dialect);
    const before = await aKey(app);
    const one = await aKey(app);
    const two = await aKey(app);
    await submitted(app, before, aClaim(before, { date: '2026-11-22' }));
    await anActiveEvent(app);
    await submitted(app, one, aClaim(one, split));
    await submitted(app, two, aClaim(two, { hour_start: 20, hour_end: 24 }));
    const answer = await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
    expect(answer.body.data).toEqual({ deletedCount: 2 });
    const { body } = await app.api.get('/admin/claims').set(app.admin).expect(200);
    expect(body.data).toMatchObject([{ character_name: before.character_name }]);
    expect(
      await app.ctx.db
        .selectFrom('occupied_hours')
        .select('hour')
        .where('date', '=', '2026-11-21')
        .execute(),
    ).toEqual([]);
    await app.api.delete('/claims/admin/respawn/9999').set(app.admin).expect(404);
    await app.api.delete('/claims/admin/respawn/1').expect(401);
    await app.api.get('/admin/claims').set('X-Access-Key', one.key_value).expect(403);
  });
});
