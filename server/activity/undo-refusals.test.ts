import { describe, expect, it } from 'vitest';
import { loadClaims } from '../board/claims/claim-records.ts';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  anEvent,
  aSpot,
  change,
  submitAsAdmin,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { manyClaims } from '../dev/test/many-claims.ts';
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

describe.each(databases)('an undo that conflicts with later changes, on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('R4.7, R4.8: names the current holder of the hours, and restores nothing', async () => {
    const here = aSpot();
    const one = await aKey(app);
    const two = await aKey(app);
    const rival = await aKey(app);
    await submitted(app, one, aClaim(one, { respawn_id: here, hour_start: 6, hour_end: 10 }));
    await submitted(app, two, aClaim(two, { respawn_id: here, hour_start: 10, hour_end: 14 }));
    await app.api.delete(`/claims/admin/respawn/${here}`).set(app.admin).expect(200);
    const [taken] = await submitted(
      app,
      rival,
      aClaim(rival, { respawn_id: here, hour_start: 13, hour_end: 15 }),
    );
    const before = await stored(app);
    const answer = await expectNoTick(app, () => undoLatest(app, 'claims_cleared'));
    const { character_name } = rival;
    const respawn_name = taken?.respawn_name ?? '';
    const list = `${character_name}, ${respawn_name}, ${TODAY}, SS+13-15`;
    const claims = [
      {
        id: taken?.id ?? 0,
        character_name,
        respawn_name,
        date: TODAY,
        hour_start: 13,
        hour_end: 15,
      },
    ];
    expectRefusal(answer, 409, 'activity.hoursTaken', `1 claim is in the way: ${list}`, {
      count: 1,
      list,
      claims,
    });
    expect(await stored(app)).toEqual(before);
    expect((await latest(app, 'claims_cleared')).undo).toBe('possible');
    await deleteClaim(app, taken);
    expect((await undoLatest(app, 'claims_cleared')).body.data).toEqual({
      restored_claims: 2,
      left_claims: 0,
    });
  });

  it('lists a hundred of many that hold the hours by now, and says how many they are', async () => {
    const crowded = await createTestApp(dialect);
    await manyClaims(crowded, { count: 120 });
    await crowded.api.delete('/claims/admin/respawn/1').set(crowded.admin).expect(200);
    await manyClaims(crowded, { count: 120, first_id: 2_000_000, who: 'rivals' });
    const answer = await expectNoTick(crowded, () => undoLatest(crowded, 'claims_cleared'));
    expect([answer.status, answer.body.code, answer.body.params.count]).toEqual([
      409,
      'activity.hoursTaken',
      120,
    ]);
    expect(answer.body.params.claims).toHaveLength(100);
  });

  it('R4.6: names the claim that the character has on that date by now', async () => {
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    await deleteClaim(app, claim);
    const [other] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), hour_start: 20, hour_end: 22 }),
    );
    const answer = await expectNoTick(app, () => undoLatest(app, 'claim_deleted'));
    expect([answer.status, answer.body.code, answer.body.params.count]).toEqual([
      409,
      'activity.hoursTaken',
      1,
    ]);
    expect(answer.body.params.claims).toMatchObject([
      { id: other?.id, character_name: key.character_name, hour_start: 20 },
    ]);
  });

  it('names the deleted spot', async () => {
    const here = aSpot();
    const there = aSpot();
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, splitOn(here, there)));
    await deleteClaim(app, claim);
    const names = await app.ctx.db
      .selectFrom('respawns')
      .select('name')
      .where('id', '=', there)
      .execute();
    await change(app, ({ tx }) => tx.deleteFrom('respawns').where('id', '=', there).execute());
    const answer = await expectNoTick(app, () => undoLatest(app, 'claim_deleted'));
    const list = names[0]?.name ?? '';
    expectRefusal(
      answer,
      409,
      'activity.goneMeanwhile',
      `It belonged to something that no longer exists: ${list}. If the log offers to restore that, do so first.`,
      { list },
    );
  });

  it('names the deleted event; once that is restored, the claim keeps it', async () => {
    const other = await createTestApp(dialect);
    const event = await anActiveEvent(other);
    const key = await aKey(other);
    const [claim] = await submitted(other, key, aClaim(key));
    await deleteClaim(other, claim);
    const entry = await latest(other, 'claim_deleted');
    await deleteEvent(other, event.id);
    const answer = await undo(other, entry.id);
    const sentence = `It belonged to something that no longer exists: ${event.name}. If the log offers to restore that, do so first.`;
    expectRefusal(answer, 409, 'activity.goneMeanwhile', sentence, { list: event.name });
    expect((await undoLatest(other, 'event_deleted')).body.data).toEqual({
      restored_claims: 0,
      left_claims: 0,
    });
    await undo(other, entry.id).expect(200);
    expect(await loadClaims(other.ctx.db, { type: 'all' })).toMatchObject([
      { id: claim?.id, event_id: event.id },
    ]);
  });

  it("R3.4: refuses a claim that is outside its event's dates by now", async () => {
    const other = await createTestApp(dialect);
    const event = await anActiveEvent(other);
    const key = await aKey(other);
    const [claim] = await submitted(other, key, aClaim(key));
    await deleteClaim(other, claim);
    await other.api
      .put(`/events/${event.id}`)
      .set(other.admin)
      .send({ start_time: TOMORROW })
      .expect(200);
    const answer = await expectNoTick(other, () => undoLatest(other, 'claim_deleted'));
    const list = `${key.character_name}, ${claim?.respawn_name}, ${TODAY}, SS+10-14`;
    expectRefusal(answer, 409, 'event.claimsOutside', `1 claim is outside the new dates: ${list}`, {
      count: 1,
      list,
    });
    expect(await loadClaims(other.ctx.db, { type: 'all' })).toEqual([]);
  });

  it('R3.6: refuses a claim whose event has become one of the other type', async () => {
    const other = await createTestApp(dialect);
    const event = await anActiveEvent(other);
    const key = await aKey(other);
    const [claim] = await submitted(other, key, aClaim(key));
    await deleteClaim(other, claim);
    await other.api
      .put(`/events/${event.id}`)
      .set(other.admin)
      .send({ type: 'single_claim' })
      .expect(200);
    expect((await undoLatest(other, 'claim_deleted')).body).toMatchObject({
      code: 'activity.goneMeanwhile',
      params: { list: event.name },
    });
  });

  it('R3.8: a claim of a single_claim event takes the hours of its event’s dates as they are now', async () => {
    const other = await createTestApp(dialect);
    const event = await anActiveEvent(other, {
      type: 'single_claim',
      start_time: '2026-11-21T10:00',
      end_time: '2026-11-22T10:00',
    });
    const one = await aKey(other);
    const two = await aKey(other);
    const [claim] = await submitted(other, one, aClaim(one, { date: null, hour_end: 11 }));
    await deleteClaim(other, claim);
    await other.api
      .put(`/events/${event.id}`)
      .set(other.admin)
      .send({ end_time: '2026-11-23T10:00' })
      .expect(200);
    await other.api.post(`/events/${event.id}/deactivate`).set(other.admin).expect(200);
    const [taken] = await submitted(other, two, aClaim(two, { date: '2026-11-23', hour_end: 11 }));
    expect((await undoLatest(other, 'claim_deleted')).body).toMatchObject({
      code: 'activity.hoursTaken',
      params: { claims: [{ id: taken?.id, date: '2026-11-23' }] },
    });
    await deleteClaim(other, taken);
    const { body } = await other.api
      .get('/admin/activity-log')
      .set(other.admin)
      .query({ action: 'claim_deleted' });
    await undo(other, body.data.logs[1].id).expect(200);
    const held = await other.ctx.db
      .selectFrom('occupied_hours')
      .select('date')
      .orderBy('date')
      .execute();
    expect(held.map((row) => row.date)).toEqual(['2026-11-21', '2026-11-22', '2026-11-23']);
  });

  it('refuses an event whose name or hours have been taken since', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    await deleteEvent(app, event.id);
    const taken = await submitAsAdmin(app, 'member', aClaim({ character_name: aName() })).expect(
      201,
    );
    const answer = await expectNoTick(app, () => undoLatest(app, 'event_deleted'));
    expect(answer.body).toMatchObject({
      code: 'activity.hoursTaken',
      params: { claims: [{ id: taken.body.data[0].id }] },
    });
    expect((await stored(app)) as { events: unknown[] }).toMatchObject({ events: [] });
    await deleteClaim(app, taken.body.data[0]);
    const twin = await anEvent(app, { name: event.name.toUpperCase() });
    const refused = await expectNoTick(app, () => undoLatest(app, 'event_deleted'));
    const name = twin.name;
    expectRefusal(refused, 409, 'event.nameExists', refused.body.error, { name });
    await deleteEvent(app, twin.id);
    const { body } = await app.api
      .get('/admin/activity-log')
      .set(app.admin)
      .query({ action: 'event_deleted' });
    await undo(app, body.data.logs[1].id).expect(200);
  });
});
