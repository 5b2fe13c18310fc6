import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aKey,
  anActiveEvent,
  aSpot,
  asMember,
  change,
  submit,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, TODAY } from '../dev/test/test-app.ts';
import {
  deleteClaim,
  deleteEvent,
  latest,
  splitOn,
  stored,
  undo,
  undoLatest,
} from './test/undo.ts';

const TOMORROW = '2026-11-22';

describe.each(databases)('undoing a deletion on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('restores a claim with its hours, its day and its place on the board', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id, hour_end: 13 }));
    const before = await stored(app);
    await deleteClaim(app, claim);
    const entry = await latest(app, 'claim_deleted');
    expect(entry.undo).toBe('possible');
    const answer = await undo(app, entry.id).expect(200);
    expect(answer.body).toEqual({ success: true, data: { restored_claims: 1, left_claims: 0 } });
    expect(await stored(app)).toEqual(before);
    expect((await latest(app, 'claim_deleted')).undo).toBe('done');
    expect(await latest(app, 'claims_restored')).toMatchObject({
      admin_username: 'admin',
      details: {
        undid: entry.id,
        undid_action: 'claim_deleted',
        restored_claims: 1,
        claim_id: claim?.id,
        character_name: key.character_name,
        date: TODAY,
        places: [{ respawn_id, hour_start: 10, hour_end: 13 }],
      },
      undo: null,
    });
    const rival = await aKey(app);
    expect((await submit(app, rival, aClaim(rival, { respawn_id }))).body.code).toBe(
      'claim.timeConflict',
    );
    expect((await submit(app, key, aClaim(key, { respawn_id: aSpot() }))).body.code).toBe(
      'claim.characterHasClaim',
    );
  });

  it('R4.12: puts both parts of a split claim back', async () => {
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, splitOn(aSpot(), aSpot())));
    const before = await stored(app);
    await deleteClaim(app, claim);
    expect((await undoLatest(app, 'claim_deleted')).body.data).toEqual({
      restored_claims: 1,
      left_claims: 0,
    });
    expect(await stored(app)).toEqual(before);
  });

  it('puts all claims of a cleared respawn back with one undo; those of single claims are not offered', async () => {
    const here = aSpot();
    const there = aSpot();
    const one = await aKey(app);
    const two = await aKey(app);
    const three = await aKey(app);
    await submitted(app, one, aClaim(one, { respawn_id: here, hour_start: 6, hour_end: 10 }));
    await submitted(app, two, aClaim(two, splitOn(here, there)));
    await submitted(app, three, aClaim(three, { respawn_id: here, hour_start: 20, hour_end: 24 }));
    const before = await stored(app);
    await app.api.delete(`/claims/admin/respawn/${here}`).set(app.admin).expect(200);
    const single = await latest(app, 'claim_deleted');
    expect([single.undo, single.details.cleared]).toEqual([null, true]);
    expectRefusal(
      await undo(app, single.id),
      409,
      'activity.nothingToUndo',
      'This entry has nothing to restore.',
    );
    expect((await undoLatest(app, 'claims_cleared')).body.data).toEqual({
      restored_claims: 3,
      left_claims: 0,
    });
    expect(await stored(app)).toEqual(before);
    expect((await latest(app, 'claims_restored')).details).toMatchObject({
      respawn_id: here,
      undid_action: 'claims_cleared',
    });
  });

  it('offers nothing for a respawn that had no claims', async () => {
    await app.api.delete(`/claims/admin/respawn/${aSpot()}`).set(app.admin).expect(200);
    expect((await latest(app, 'claims_cleared')).undo).toBe(null);
  });

  it('R5.6: links a secondary claim with its primary again, in either order of deletion', async () => {
    const key = await aKey(app, undefined, 'elite');
    const first = aSpot();
    const second = aSpot();
    const secondary = aClaim(key, { respawn_id: second, is_secondary_claim: 1 });
    const [primary, waiting] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: first }),
      secondary,
    );
    const before = await stored(app);
    for (const claim of [primary, waiting]) {
      await deleteClaim(app, claim);
      expect((await undoLatest(app, 'claim_deleted')).status).toBe(200);
      expect(await stored(app)).toEqual(before);
    }
    await deleteClaim(app, waiting);
    const entry = await latest(app, 'claim_deleted');
    await deleteClaim(app, primary);
    await undo(app, entry.id).expect(200);
    const restored = await app.ctx.db
      .selectFrom('claims')
      .select('primary_claim_id')
      .where('id', '=', waiting?.id ?? 0)
      .execute();
    expect(restored).toEqual([{ primary_claim_id: null }]);
  });

  it('R4.2, R4.3: is an admin’s action: neither the switch nor the type matters', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id }));
    await deleteClaim(app, claim);
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 0 }).expect(200);
    try {
      await change(app, ({ tx }) =>
        tx.updateTable('respawns').set({ is_enabled: 0 }).where('id', '=', respawn_id).execute(),
      );
      expect((await undoLatest(app, 'claim_deleted')).status).toBe(200);
    } finally {
      await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 1 }).expect(200);
    }
  });

  it('runs once; restored claims can be deleted and restored again', async () => {
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    await deleteClaim(app, claim);
    const first = await latest(app, 'claim_deleted');
    await undo(app, first.id).expect(200);
    await expectNoTick(app, async () => {
      expectRefusal(
        await undo(app, first.id),
        409,
        'activity.alreadyUndone',
        'This has already been restored.',
      );
      const restored = await latest(app, 'claims_restored');
      expectRefusal(
        await undo(app, restored.id),
        409,
        'activity.nothingToUndo',
        'This entry has nothing to restore.',
      );
      expectRefusal(
        await undo(app, 999_999),
        404,
        'activity.notFound',
        'There is no such entry in the log.',
      );
    });
    await deleteClaim(app, claim);
    const second = await latest(app, 'claim_deleted');
    expect(second.id).not.toBe(first.id);
    await undo(app, second.id).expect(200);
  });

  it('is for admins', async () => {
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    await deleteClaim(app, claim);
    const { id } = await latest(app, 'claim_deleted');
    await expectNoTick(app, async () => {
      expectRefusal(
        await app.api.post(`/admin/activity-log/${id}/undo`),
        401,
        'session.required',
        'Access denied',
      );
      const member = await app.api.post(`/admin/activity-log/${id}/undo`).set(asMember(key));
      expectRefusal(member, 403, 'session.adminOnly', 'Access denied');
      for (const wrong of ['0', '-1', 'x', '99999999999']) {
        expectRefusal(
          await app.api.post(`/admin/activity-log/${wrong}/undo`).set(app.admin),
          400,
          'request.invalid',
          'The field “id” is not valid.',
        );
      }
    });
  });
});

describe.each(databases)('undoing the deletion of an event on %s', (dialect) => {
  it('restores it with its claims, and never as the active one', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app);
    const one = await aKey(app);
    const two = await aKey(app, undefined, 'elite');
    await submitted(app, one, aClaim(one), aClaim(one, { date: TOMORROW }));
    const secondary = aClaim(two, { respawn_id: 2, hour_start: 10, is_secondary_claim: 1 });
    await submitted(app, two, aClaim(two, { hour_start: 20, hour_end: 24 }), secondary);
    await app.api.post(`/events/${event.id}/deactivate`).set(app.admin).expect(200);
    const before = await stored(app);
    await app.api.post(`/events/${event.id}/activate`).set(app.admin).expect(200);
    await deleteEvent(app, event.id);
    expect((await undoLatest(app, 'event_deleted')).body).toEqual({
      success: true,
      data: { restored_claims: 4, left_claims: 0 },
    });
    expect(await stored(app)).toEqual(before);
    expect(await latest(app, 'event_restored')).toMatchObject({
      details: {
        event_id: event.id,
        name: event.name,
        restored_claims: 4,
        undid_action: 'event_deleted',
      },
      undo: null,
    });
    await app.api.get('/events/active').expect(404);
  });

  it('restores a single_claim event with its claims’ hours on every date', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app, {
      type: 'single_claim',
      single_claim_template: 'Two weeks',
    });
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { date: null }));
    await app.api.post(`/events/${event.id}/deactivate`).set(app.admin).expect(200);
    const before = await stored(app);
    await deleteEvent(app, event.id);
    await undoLatest(app, 'event_deleted');
    expect(await stored(app)).toEqual(before);
  });
});
