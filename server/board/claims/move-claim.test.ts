import { describe, expect, it } from 'vitest';
import { guild, latest, undo } from '../../activity/test/undo.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  anAdmin,
  aWait,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { changeSetsFrom } from '../../live/bus.ts';
import { wrongCounts } from './consistency.ts';

const TOMORROW = '2026-11-22';
const AFTER = '2026-11-23';

const move = (app: TestApp, id: number | undefined, respawn_id: unknown) =>
  app.api.put(`/claims/admin/${id}/respawn`).set(app.admin).send({ respawn_id });

const statusOf = async (app: TestApp, id: number): Promise<string | undefined> =>
  (await app.ctx.db.selectFrom('waits').select('status').where('id', '=', id).executeTakeFirst())
    ?.status;

const counts = async (app: TestApp): Promise<unknown[]> => {
  const { body } = await app.api.get('/admin/respawns').set(app.admin).expect(200);
  const rows: { id: number; total_claims: number; last_claim_date: string | null }[] = body.data;
  return rows
    .filter(({ id }) => id <= 2)
    .sort((a, b) => a.id - b.id)
    .map(({ total_claims, last_claim_date }) => [total_claims, last_claim_date]);
};

describe.each(databases)('an admin’s move of a claim to another spot on %s', (dialect) => {
  it('keeps its hours, frees them where it was and holds them where it is, with the counts of both spots', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const two = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { respawn_id: 1 }));
    const clock = app.ctx.bus.clock();
    const answer = await move(app, claim?.id, 2).expect(200);
    expect(answer.body.data).toMatchObject({
      id: claim?.id,
      respawn_id: 2,
      date: claim?.date,
      hour_start: 10,
      hour_end: 14,
    });
    expect(await counts(app)).toEqual([
      [0, null],
      [1, claim?.date],
    ]);
    const sets = await changeSetsFrom(app.ctx.db, clock + 1);
    expect(sets.flatMap(({ changes }) => changes.map(({ change }) => change))).toEqual(
      expect.arrayContaining([
        {
          op: 'put',
          kind: 'claim',
          record: expect.objectContaining({ id: claim?.id, respawn_id: 2 }),
        },
        { op: 'put', kind: 'respawn', record: expect.objectContaining({ id: 1, total_claims: 0 }) },
        { op: 'put', kind: 'respawn', record: expect.objectContaining({ id: 2, total_claims: 1 }) },
      ]),
    );
    await submit(app, two, aClaim(two, { respawn_id: 2 })).expect(409);
    await submit(app, two, aClaim(two, { respawn_id: 1 })).expect(201);
    const { body } = await app.api.get('/admin/activity-log?action=claim_updated').set(app.admin);
    expect(Object.keys(body.data.logs[0].details.changed)).toEqual(['respawn_name']);
  });

  it('is refused if another admin moved it since the caller read it', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { respawn_id: 1 }));
    const seen = { respawn_id: 1, date: claim?.date };
    const moveTo = (respawn_id: number) =>
      app.api.put(`/claims/admin/${claim?.id}/respawn`).set(app.admin).send({ respawn_id, seen });
    await moveTo(2).expect(200);
    expect((await moveTo(3).expect(409)).body.code).toBe('claim.changedMeanwhile');
    const give = (character_name: string, holder: string) =>
      app.api
        .put(`/claims/admin/${claim?.id}/character`)
        .set(app.admin)
        .send({ character_name, member_type: 'member', seen: { character_name: holder } });
    await give('Old Bram', one.character_name).expect(200);
    expect((await give('Sable Quinn', one.character_name).expect(409)).body.code).toBe(
      'claim.changedMeanwhile',
    );
    expect((await give('Sable Quinn', 'Old Bram').expect(200)).body.data).toMatchObject([
      { respawn_id: 2, character_name: 'Sable Quinn' },
    ]);
  });

  it('is refused if the hours are taken, the spot takes no claims or the claim cannot be moved; nothing changes', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const two = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { respawn_id: 1 }));
    await submitted(app, two, aClaim(two, { respawn_id: 2, hour_start: 13, hour_end: 16 }));
    await app.api.put('/admin/respawns/3').set(app.admin).send({ is_enabled: 0 }).expect(200);
    const clock = app.ctx.bus.clock();
    const before = await counts(app);
    const refusals: [unknown, number, string][] = [
      [2, 409, 'claim.timeConflict'],
      [1, 409, 'claim.sameSpot'],
      [3, 409, 'respawn.disabled'],
      [99_999, 404, 'respawn.notFound'],
      ['2', 400, 'claim.selectRespawn'],
    ];
    for (const [to, status, code] of refusals) {
      const answer = await move(app, claim?.id, to);
      expect([to, answer.status, answer.body.code]).toEqual([to, status, code]);
    }
    await move(app, 99_999, 2).expect(404);
    await app.api
      .put(`/claims/admin/${claim?.id}/respawn`)
      .set('X-Access-Key', one.key_value)
      .send({ respawn_id: 4 })
      .expect(403);
    expect(app.ctx.bus.clock()).toBe(clock);
    expect(await counts(app)).toEqual(before);
    await submit(app, two, aClaim(two, { date: claim?.date ?? '', respawn_id: 1 })).expect(409);
  });

  it('to another date frees the old one and its character’s day, and holds the new ones; moving it back undoes it', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const two = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { respawn_id: 1, date: TOMORROW }));
    const to = (respawn_id: number, date: string) =>
      app.api.put(`/claims/admin/${claim?.id}/respawn`).set(app.admin).send({ respawn_id, date });
    const answer = await to(1, AFTER).expect(200);
    expect(answer.body.data).toMatchObject({
      id: claim?.id,
      respawn_id: 1,
      date: AFTER,
      hour_start: 10,
      hour_end: 14,
    });
    expect((await counts(app))[0]).toEqual([1, AFTER]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    const { body } = await app.api.get('/admin/activity-log?action=claim_updated').set(app.admin);
    expect(body.data.logs[0].details.changed).toEqual({ date: { from: TOMORROW, to: AFTER } });
    await submitted(app, two, aClaim(two, { respawn_id: 1, date: TOMORROW }));
    expect((await submit(app, one, aClaim(one, { respawn_id: 2, date: AFTER }))).body.code).toBe(
      'claim.characterHasClaim',
    );
    expect((await to(1, TOMORROW)).body.code).toBe('claim.timeConflict');
    await to(2, TOMORROW).expect(200);
    expect(await counts(app)).toEqual([
      [1, TOMORROW],
      [1, TOMORROW],
    ]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('to another date offers the freed hours, and takes a secondary claim along', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app, undefined, 'elite');
    const two = await aKey(app);
    const rows = await submitted(
      app,
      one,
      aClaim(one, { respawn_id: 1, date: TOMORROW }),
      aClaim(one, { respawn_id: 5, date: TOMORROW, is_secondary_claim: 1, secondary_priority: 5 }),
    );
    await aWait(app, two, { date: TOMORROW });
    await app.api
      .put(`/claims/admin/${rows[0]?.id}/respawn`)
      .set(app.admin)
      .send({ respawn_id: 1, date: AFTER })
      .expect(200);
    const dates = await app.ctx.db
      .selectFrom('claims')
      .select(['id', 'date'])
      .where('held_until', 'is', null)
      .orderBy('id')
      .execute();
    expect(dates.map(({ date }) => date)).toEqual([AFTER, AFTER]);
    expect(await app.ctx.db.selectFrom('waits').select('status').execute()).toEqual([
      { status: 'offered' },
    ]);
    const secondary = app.api.put(`/claims/admin/${rows[1]?.id}/respawn`).set(app.admin);
    expect((await secondary.send({ respawn_id: 5, date: TOMORROW })).body.code).toBe(
      'claim.dateNotMoved',
    );
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('to another date is refused outside the event, too far ahead, with another claim of the character, and without a date', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const [free, other] = await submitted(
      app,
      one,
      aClaim(one, { date: TOMORROW }),
      aClaim(one, { date: AFTER }),
    );
    const to = (id: number | undefined, body: object) =>
      app.api.put(`/claims/admin/${id}/respawn`).set(app.admin).send(body);
    expect((await to(free?.id, { respawn_id: 2, date: AFTER })).body.code).toBe(
      'claim.characterHasClaim',
    );
    expect((await to(free?.id, { respawn_id: 2, date: '2027-11-22' })).body.code).toBe(
      'claim.beyondHorizon',
    );
    expect((await to(free?.id, { respawn_id: 2, date: 'soon' })).status).toBe(400);
    expect((await to(other?.id, { respawn_id: 1, date: AFTER })).body.code).toBe('claim.sameSpot');
    await anActiveEvent(app, { start_time: '2026-11-20', end_time: AFTER });
    const two = await aKey(app);
    const [ofEvent] = await submitted(app, two, aClaim(two, { respawn_id: 3, date: TOMORROW }));
    expect((await to(ofEvent?.id, { respawn_id: 3, date: '2026-11-24' })).body.code).toBe(
      'claim.dateOutsideEvent',
    );
    await to(ofEvent?.id, { respawn_id: 3, date: '2026-11-20' }).expect(200);
    const viewer = await anAdmin(app, 'viewer');
    await app.api
      .put(`/claims/admin/${free?.id}/respawn`)
      .set(viewer.headers)
      .send({ respawn_id: 4, date: '2026-11-25' })
      .expect(403);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('of a claim of a whole event holds every day of it there', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app, { type: 'single_claim' });
    const one = await aKey(app);
    const two = await aKey(app);
    const [claim] = await submitted(app, one, {
      ...aClaim(one, { respawn_id: 1 }),
      date: null,
      event_id: event.id,
    });
    await move(app, claim?.id, 2).expect(200);
    await submit(app, two, {
      ...aClaim(two, { respawn_id: 2 }),
      date: null,
      event_id: event.id,
    }).expect(409);
    await submit(app, two, {
      ...aClaim(two, { respawn_id: 1 }),
      date: null,
      event_id: event.id,
    }).expect(201);
  });

  it('of a split claim is refused; a claim cannot move to the spot of its secondary one, nor that to its primary’s', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const two = await aKey(app, undefined, 'elite');
    const parts = [1, 2].map((part_number) => ({
      part_number,
      respawn_id: part_number,
      hour_start: 10 + 4 * part_number,
      duration: 2,
    }));
    const [split] = await submitted(
      app,
      one,
      aClaim(one, { is_split_claim: 1, split_parts: parts }),
    );
    expect((await move(app, split?.id, 3)).body.code).toBe('claim.splitNotMoved');
    const [primary, secondary] = await submitted(
      app,
      two,
      aClaim(two, { respawn_id: 4 }),
      aClaim(two, { respawn_id: 5, is_secondary_claim: 1, secondary_priority: 5 }),
    );
    expect((await move(app, primary?.id, 5)).body.code).toBe('secondary.samePrimary');
    expect((await move(app, secondary?.id, 4)).body.code).toBe('secondary.samePrimary');
    // It occupies no hours, so it may wait beside another claim.
    await move(app, secondary?.id, 2).expect(200);
  });

  it('takes new hours along in one write: where only they are free, with one log entry and one undo', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app, undefined, 'elite');
    const two = await aKey(app);
    const [claim, secondary] = await submitted(
      app,
      one,
      aClaim(one, { respawn_id: 1, date: TOMORROW }),
      aClaim(one, { respawn_id: 5, date: TOMORROW, is_secondary_claim: 1, secondary_priority: 5 }),
    );
    // In two steps neither order would pass: the hours are taken here, and the old ones there.
    await submitted(
      app,
      two,
      aClaim(two, { respawn_id: 1, hour_start: 16, hour_end: 18, date: TOMORROW }),
    );
    await submitted(app, two, aClaim(two, { respawn_id: 2, date: AFTER }));
    const before = await guild(app);
    const clock = app.ctx.bus.clock();
    const place = { respawn_id: 1, date: TOMORROW };
    const edit = (seen: object) =>
      app.api.put(`/claims/admin/${claim?.id}`).set(app.admin).send({
        respawn_id: 2,
        date: AFTER,
        hour_start: 16,
        hour_end: 18,
        seen,
      });
    const stale = await edit({ ...place, hour_start: 8, hour_end: 14 }).expect(409);
    expect(stale.body.code).toBe('claim.changedMeanwhile');
    const answer = await edit({ ...place, hour_start: 10, hour_end: 14 }).expect(200);
    expect(answer.body.data).toMatchObject({
      respawn_id: 2,
      date: AFTER,
      hour_start: 16,
      hour_end: 18,
      custom_duration: 2,
    });
    expect(app.ctx.bus.clock()).toBe(clock + 1);
    const [set] = await changeSetsFrom(app.ctx.db, clock + 1);
    const claimPuts = set?.changes
      .map(({ change }) => change)
      .filter((change) => change.op === 'put' && change.kind === 'claim');
    expect(claimPuts).toMatchObject([
      { record: { id: claim?.id, respawn_id: 2, date: AFTER } },
      { record: { id: secondary?.id, respawn_id: 5, date: AFTER, hour_start: 10, hour_end: 12 } },
    ]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    const entry = await latest(app, 'claim_updated');
    expect(Object.keys(entry.details.changed ?? {}).sort()).toEqual(
      ['date', 'hour_end', 'hour_start', 'respawn_name', 'secondary_hour_end'].sort(),
    );
    await undo(app, entry.id).expect(200);
    expect(await guild(app)).toEqual(before);
  });

  it('R9.26: to an earlier date brings its deadline forward, and so does the undo of a move to a later one', async () => {
    const app = await createTestApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    const one = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { date: AFTER }));
    const nextDue = async () =>
      (await app.ctx.db.selectFrom('clock').select('next_due').executeTakeFirst())?.next_due;
    const moveTo = (date: string) =>
      app.api
        .put(`/claims/admin/${claim?.id}`)
        .set(app.admin)
        .send({ date, hour_start: 10, hour_end: 14 })
        .expect(200);
    expect(await nextDue()).toContain(AFTER);
    await moveTo(TOMORROW);
    expect(await nextDue()).toContain(TOMORROW);
    await moveTo(AFTER);
    expect(await nextDue()).toContain(AFTER);
    await undo(app, (await latest(app, 'claim_updated')).id).expect(200);
    expect(await nextDue()).toContain(TOMORROW);
  });

  it('can be undone after a move to another character, and that after it', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { respawn_id: 1, date: TOMORROW }));
    const before = await guild(app);
    const at = `/claims/admin/${claim?.id}`;
    const put = (path: string, body: object) => app.api.put(path).set(app.admin).send(body);
    await put(`${at}/character`, { character_name: 'Old Bram', member_type: 'member' }).expect(200);
    const given = await latest(app, 'claim_updated');
    await put(at, { respawn_id: 2, date: AFTER, hour_start: 12, hour_end: 18 }).expect(200);
    await undo(app, (await latest(app, 'claim_updated')).id).expect(200);
    await undo(app, given.id).expect(200);
    expect(await guild(app)).toEqual(before);
  });

  it('can be followed by a move to another character, which is undone first', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { respawn_id: 1, date: TOMORROW }));
    const before = await guild(app);
    const at = `/claims/admin/${claim?.id}`;
    const put = (path: string, body: object) => app.api.put(path).set(app.admin).send(body);
    await put(at, { respawn_id: 2, date: AFTER, hour_start: 12, hour_end: 18 }).expect(200);
    const moved = await latest(app, 'claim_updated');
    await put(`${at}/character`, { character_name: 'Old Bram', member_type: 'member' }).expect(200);
    await undo(app, (await latest(app, 'claim_updated')).id).expect(200);
    await undo(app, moved.id).expect(200);
    expect(await guild(app)).toEqual(before);
  });

  it('can be undone from the log, like an edit of its date or hours: with what the edit freed, and only once', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app, undefined, 'elite');
    const next = await aKey(app);
    const secondary = aClaim(one, { respawn_id: 5, is_secondary_claim: 1, secondary_priority: 5 });
    const [claim] = await submitted(app, one, aClaim(one, { respawn_id: 1 }), secondary);
    const wait = await aWait(app, next, { respawn_id: 1, hour_start: 10, hour_end: 14 });
    const before = await guild(app);
    const edits = [
      () => move(app, claim?.id, 2),
      () =>
        app.api
          .put(`/claims/admin/${claim?.id}/respawn`)
          .set(app.admin)
          .send({ respawn_id: 1, date: TOMORROW }),
      () =>
        app.api
          .put(`/claims/admin/${claim?.id}`)
          .set(app.admin)
          .send({ hour_start: 14, hour_end: 16 }),
    ];
    for (const edit of edits) {
      await edit().expect(200);
      const entry = await latest(app, 'claim_updated');
      expect(entry.undo).toBe('possible');
      expect(await statusOf(app, wait.id)).toBe('offered');
      await undo(app, entry.id).expect(200);
      // The offer of the freed hours is withdrawn.
      expect(await statusOf(app, wait.id)).toBe('waiting');
      const after = await guild(app);
      const endings = after.endings?.filter(
        (row) => !('reason' in row) || row.reason !== 'withdrawn',
      );
      expect({ ...after, endings }).toEqual(before);
      expect(await wrongCounts(app.ctx.db)).toEqual([]);
      expect((await undo(app, entry.id)).body.code).toBe('activity.alreadyUndone');
    }
  });

  it('is not undone if the claim was changed since: the refusal says by whom and when, and nothing changes', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const other = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one, { respawn_id: 1 }));
    await move(app, claim?.id, 2).expect(200);
    const first = await latest(app, 'claim_updated');
    const moderator = await anAdmin(app, 'moderator');
    await app.api
      .put(`/claims/admin/${claim?.id}`)
      .set(moderator.headers)
      .send({ hour_start: 10, hour_end: 12 })
      .expect(200);
    const second = await latest(app, 'claim_updated');
    const refused = await expectNoTick(app, () => undo(app, first.id));
    const params = { list: one.character_name, by: moderator.username, at: second.timestamp };
    const sentence = `The claim of ${params.list} was changed by ${params.by} on ${params.at}, so this can't be undone. Change it by hand.`;
    expectRefusal(refused, 409, 'activity.changedBy', sentence, params);
    // Undone in the opposite order, both are possible, unless the earlier hours are taken.
    await undo(app, second.id).expect(200);
    const [taken] = await submitted(
      app,
      other,
      aClaim(other, { respawn_id: 1, hour_start: 13, hour_end: 15 }),
    );
    expect((await undo(app, first.id)).body).toMatchObject({
      code: 'activity.hoursTaken',
      params: { claims: [{ id: taken?.id }] },
    });
    await app.api.delete(`/admin/claims/${taken?.id}`).set(app.admin).expect(200);
    // Undoing the second edit changed the claim, too: to what the first one made of it.
    await undo(app, first.id).expect(200);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
  });
});
