import { describe, expect, it } from 'vitest';
import type { OwnClaim } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import { undoLatest } from '../../activity/test/undo.ts';
import { connected } from '../../dev/test/board-watcher.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  anEvent,
  asMember,
  aWait,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { connect } from '../../dev/test/watcher.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';
import { wrongCounts } from './consistency.ts';

const TOMORROW = '2026-11-22';
const PERIOD = { start_time: '2026-11-21T10:00', end_time: '2026-11-23T10:00' };
const mine = async (app: TestApp, key: { key_value: string }): Promise<OwnClaim[]> =>
  (await app.api.get('/claims/mine').set(asMember(key)).expect(200)).body.data;
const activation = async (app: TestApp, { id }: Event) =>
  (await app.api.get(`/events/${id}/activation`).set(app.admin).expect(200)).body.data;
const activate = (app: TestApp, { id }: Event, body: object = {}) =>
  app.api.post(`/events/${id}/activate`).set(app.admin).send(body).expect(200);
const stored = (app: TestApp) =>
  app.ctx.db.selectFrom('claims').select(['id', 'event_id', 'date']).orderBy('id').execute();
const expectConsistent = async ({ ctx }: TestApp) => expect(await wrongCounts(ctx.db)).toEqual([]);

describe.each(databases)('claims outside the active event on %s', (dialect) => {
  it('are their member’s own records, live and by call, of any event or of none, and whole', async () => {
    const app = await createTestApp(dialect, { serve: {} });
    const key = await aKey(app, 'Ann', 'elite');
    const other = await aKey(app);
    const socket = connect(app.url, { access_key: key.key_value });
    const got: (readonly OwnClaim[])[] = [];
    socket.on('own', ({ claims = [] }) => got.push(claims));
    await connected(socket);
    await socket.emitWithAck('sync', null);
    const split_parts = [10, 14].map((hour_start, nth) => ({
      part_number: nth + 1,
      respawn_id: nth + 1,
      hour_start,
      duration: 2,
    }));
    const [split] = await submitted(app, key, aClaim(key, { is_split_claim: 1, split_parts }));
    await submitted(app, other, aClaim(other, { respawn_id: 4 }));
    const single = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-12-01T10:00',
      end_time: '2026-12-03T10:00',
    });
    const [whole] = (
      await submitAsAdmin(app, 'member', {
        respawn_id: 3,
        character_name: 'Ann',
        hour_start: 5,
        hour_end: 7,
      })
    ).body.data;
    // Without an active event, the board lists them.
    await app.api.post(`/events/${single.id}/deactivate`).set(app.admin).expect(200);
    expect(await mine(app, key)).toEqual([]);

    const event = await anActiveEvent(app, PERIOD);
    // As pages do after the reset.
    await socket.emitWithAck('sync', null);
    const dates = { first_date: TODAY, last_date: TODAY, event_name: null };
    const ofWhole = {
      id: whole.id,
      date: null,
      first_date: '2026-12-01',
      last_date: '2026-12-03',
      event_name: single.name,
    };
    expect(await mine(app, key)).toMatchObject([{ id: split?.id, split_parts, ...dates }, ofWhole]);
    await expect.poll(() => got.at(-1)).toEqual(await mine(app, key));
    expect(await mine(app, other)).toMatchObject([dates]);
    // Each change of one is sent to its member, and to both when it changes hands.
    await app.api.put('/admin/config').set(app.admin).send({ release_enabled: 1 }).expect(200);
    await app.api
      .post(`/claims/${split?.id}/release`)
      .set(asMember(key))
      .send({ part_number: 2 })
      .expect(200);
    await expect
      .poll(() => got.at(-1))
      .toMatchObject([{ id: split?.id, is_split_claim: 0 }, ofWhole]);
    const move = (to: string) =>
      app.api
        .put(`/claims/admin/${split?.id}/character`)
        .set(app.admin)
        .send({ character_name: to, member_type: 'elite' })
        .expect(200);
    await app.api
      .delete(`/admin/claims/${(await mine(app, other))[0]?.id}`)
      .set(app.admin)
      .expect(200);
    await move(other.character_name);
    await expect.poll(() => got.at(-1)).toMatchObject([ofWhole]);
    expect(await mine(app, other)).toMatchObject([{ id: split?.id }]);
    await app.api.delete(`/events/${event.id}`).set(app.admin).expect(200);
    expect(await mine(app, key)).toEqual([]);
    // A visitor of a public board and an admin have none.
    expect((await app.api.get('/claims/mine').set(app.admin).expect(200)).body.data).toEqual([]);
  });

  it('include the hours that are held for a member, until the hold is accepted into the event', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const other = await aKey(app);
    const [claim] = await submitted(app, other, aClaim(other, { hour_start: 12, hour_end: 14 }));
    const { id } = await aWait(app, key);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    await anActiveEvent(app, PERIOD);
    expect(await mine(app, key)).toMatchObject([{ is_held: 1, hour_start: 10, hour_end: 14 }]);
    await app.api.post(`/waits/${id}/accept`).set(asMember(key)).send({}).expect(200);
    expect(await mine(app, key)).toEqual([]);
  });

  it('admins list them by themselves, with their number', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const claims = await submitted(app, key, aClaim(key), aClaim(key, { date: '2026-12-20' }));
    const event = await anActiveEvent(app, PERIOD);
    const inside = await submitted(app, key, aClaim(key, { date: TOMORROW }));
    const list = (query: object) =>
      app.api
        .get('/admin/claims')
        .set(app.admin)
        .query({ except_event: event.id, limit: 100, ...query })
        .expect(200);
    const all = await list({});
    expect(all.body.data.map(({ id }: { id: number }) => id)).toEqual(claims.map(({ id }) => id));
    expect(all.headers['x-total-count']).toBe('2');
    expect((await list({ from: TOMORROW })).headers['x-total-count']).toBe('1');
    expect(
      (await list({ character: key.character_name, from: TODAY, to: TODAY })).body.data,
    ).toHaveLength(1);
    expect(inside).toHaveLength(1);
  });
});

describe.each(databases)('activating an event on %s', (dialect) => {
  it('R3.13: counts the claims that it would leave outside, and takes those that fit with their hours', async () => {
    const app = await createTestApp(dialect, { serve: {} });
    const key = await aKey(app, 'Ann', 'elite');
    const other = await aKey(app);
    const yesterday = { date: '2026-11-20', respawn_id: 9 };
    await submitAsAdmin(app, 'member', aClaim(key, yesterday)).expect(201);
    const secondary = aClaim(key, { is_secondary_claim: 1, respawn_id: 3 });
    const rows = await submitted(
      app,
      key,
      aClaim(key),
      secondary,
      aClaim(key, { date: '2026-12-20' }),
    );
    const old = await anActiveEvent(app, {
      start_time: '2026-11-19T10:00',
      end_time: '2026-11-22T10:00',
    });
    const [inOld] = await submitted(app, other, aClaim(other, { date: TOMORROW }));
    const single = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-23T10:00',
      end_time: '2026-11-24T10:00',
    });
    await submitted(app, other, aClaim(other, { respawn_id: 5, date: null }));
    await app.api.post(`/events/${single.id}/deactivate`).set(app.admin).expect(200);
    const event = await anEvent(app, {
      start_time: '2026-11-15T10:00',
      end_time: '2026-11-23T10:00',
    });
    const hours = await app.ctx.db
      .selectFrom('occupied_hours')
      .selectAll()
      .orderBy('claim_id')
      .orderBy('hour')
      .execute();

    // The claim of all of another event's dates cannot be one of this event's.
    expect(await activation(app, event)).toEqual({ outside: 4, fitting: 3 });
    const { admin, expectSynced } = await watching(app);
    const [entry] = await owedBy(app, () => activate(app, event, { take_claims: true }));
    expect(entry).toMatchObject({ action: 'event_activated', details: { claims_taken: 3 } });
    await expectSynced(1);
    expect([...admin.records('claim').values()].map(({ id }) => id)).toEqual([
      rows[0]?.id,
      rows.find((row) => row.is_secondary_claim)?.id,
      inOld?.id,
    ]);
    expect(await activation(app, event)).toEqual({ outside: 1, fitting: 0 });
    expect(
      await app.ctx.db
        .selectFrom('occupied_hours')
        .selectAll()
        .orderBy('claim_id')
        .orderBy('hour')
        .execute(),
    ).toEqual(hours);
    const counts = (await app.api.get('/events').set(app.admin).expect(200)).body.data;
    expect(counts.map(({ id, claim_count }: Event) => [id, claim_count]).sort()).toEqual([
      [old.id, 0],
      [single.id, 1],
      [event.id, 3],
    ]);
    await expectConsistent(app);
    // Nobody is told: their claims are as before.
    expect(await app.ctx.db.selectFrom('claim_endings').selectAll().execute()).toEqual([]);
    // They are the event's from now on: they are deleted with it, and restored with it.
    await app.api.delete(`/events/${event.id}`).set(app.admin).expect(200);
    expect((await stored(app)).filter(({ event_id }) => event_id === event.id)).toEqual([]);
    await undoLatest(app, 'event_deleted');
    expect((await stored(app)).filter(({ event_id }) => event_id === event.id)).toHaveLength(3);
    await expectConsistent(app);
  });

  it('R9.28: taken claims count in the event’s budget, and left ones do not', async () => {
    const app = await createTestApp(dialect);
    await app.api
      .put('/admin/member-types/member')
      .set(app.admin)
      .send({ max_hours_per_event: 6 })
      .expect(200);
    const key = await aKey(app);
    const left = await aKey(app);
    for (const [nth, each] of [key, left].entries())
      await submitted(app, each, aClaim(each, { respawn_id: nth + 1 }));
    await app.api
      .delete(`/admin/claims/${(await stored(app))[1]?.id}`)
      .set(app.admin)
      .expect(200);
    const event = await anEvent(app, PERIOD);
    await activate(app, event, { take_claims: true });
    await undoLatest(app, 'claim_deleted');
    const tomorrow = { date: TOMORROW, hour_start: 1, hour_end: 5 };
    const submit = (each: typeof key, respawn_id: number) =>
      app.api
        .post('/claims')
        .set(asMember(each))
        .send({ claims: [aClaim(each, { ...tomorrow, respawn_id })], access_key: each.key_value });
    expect((await submit(key, 1)).body.code).toBe('budget.event');
    await submit(left, 2).expect(201);
  });

  it('R3.13: a single_claim event takes only claims for exactly its dates, which become ones of the whole event', async () => {
    const app = await createTestApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    const key = await aKey(app);
    const other = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { date: TOMORROW }));
    await submitted(app, other, aClaim(other, { respawn_id: 2 }));
    const days = (start: string, end: string) => ({
      type: 'single_claim' as const,
      start_time: `${start}T00:00`,
      end_time: `${end}T23:59`,
    });
    expect(await activation(app, await anEvent(app, days(TODAY, TOMORROW)))).toEqual({
      outside: 2,
      fitting: 0,
    });
    const day = await anEvent(app, days(TOMORROW, TOMORROW));
    expect(await activation(app, day)).toEqual({ outside: 1, fitting: 1 });
    const [entry] = await owedBy(app, () => activate(app, day, { take_claims: true }));
    expect(entry?.details).toMatchObject({ claims_taken: 1 });
    const [row] = (await app.api.get(`/events/${day.id}/claims`).set(app.admin).expect(200)).body
      .data;
    expect(row).toMatchObject({
      id: claim?.id,
      date: null,
      hour_start: 10,
      hour_end: 14,
      to_confirm: [],
    });
    expect(await app.ctx.db.selectFrom('claim_endings').selectAll().execute()).toEqual([]);
    await expectConsistent(app);
    // Its hours move with the event's dates, like those of any of its claims.
    await app.api
      .put(`/events/${day.id}`)
      .set(app.admin)
      .send({ end_time: '2026-11-23T10:00' })
      .expect(200);
    await expectConsistent(app);
  });

  it('without being asked to, it leaves them; they can be taken later, once', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const event = await anEvent(app, PERIOD);
    await activate(app, event);
    expect((await stored(app))[0]?.event_id).toBeNull();
    await activate(app, event, { take_claims: true });
    expect((await stored(app))[0]?.event_id).toBe(event.id);
    expect(await owedBy(app, () => activate(app, event, { take_claims: true }))).toEqual([]);
    expect(
      await activation(
        app,
        await anEvent(app, { start_time: '2026-11-01', end_time: '2026-11-20' }),
      ),
    ).toEqual({
      outside: 0,
      fitting: 0,
    });
  });
});
