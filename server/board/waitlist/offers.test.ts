import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { Wait, WaitAndEnd } from '../../../shared/schemas/wait.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  asMember,
  aWait,
  noActiveEvent,
  submit,
  submitAsAdmin,
  submitted,
  waitFor,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import { wrongCounts } from '../claims/consistency.ts';
import { holdsDue } from './deadlines.ts';

const minutes = (n: number): string => new Date(Date.parse(NOW) + n * 60_000).toISOString();
const open = async (app: TestApp): Promise<Wait[]> =>
  (await app.api.get('/waits').set(app.admin).expect(200)).body.data;
const all = async (app: TestApp): Promise<Wait[]> =>
  (await app.api.get('/admin/waits').set(app.admin).expect(200)).body.data;
const statusOf = async (app: TestApp, id: number) =>
  (await all(app)).find((wait) => wait.id === id)?.status;
const act = (app: TestApp, key: AccessKey, id: number, action: 'accept' | 'decline') =>
  app.api.post(`/waits/${id}/${action}`).send({ access_key: key.key_value });
const withdraw = (app: TestApp, key: AccessKey, id: number) =>
  app.api.delete(`/waits/${id}`).set(asMember(key));
const deleteClaim = (app: TestApp, id: number | null | undefined) =>
  app.api.delete(`/admin/claims/${id}`).set(app.admin);
const config = (app: TestApp, fields: object) =>
  app.api.put('/admin/config').set(app.admin).send(fields).expect(200);

/** Taken hours, and members on their waitlist. */
async function aLine(app: TestApp, count: number, fields: Parameters<typeof aWait>[2] = {}) {
  const holder = await aKey(app);
  const [claim] = await submitted(app, holder, aClaim(holder));
  const keys = await Promise.all(Array.from({ length: count }, () => aKey(app)));
  const waits: Wait[] = [];
  for (const key of keys) waits.push(await aWait(app, key, fields));
  const [first, second, third] = keys;
  const [one, two, three] = waits;
  if (!claim || !first || !one) throw new Error('a waitlist');
  return {
    holder,
    claim,
    keys,
    waits,
    first,
    second: second ?? first,
    third: third ?? first,
    one,
    two: two ?? one,
    three: three ?? one,
  };
}

describe.each(databases)('a waitlist on %s', (dialect) => {
  it('R9.5: is first come, first served, with positions from 1; when one leaves, the others move up', async () => {
    const app = await createTestApp(dialect);
    const { waits, second, two } = await aLine(app, 3);
    expect(waits.map(({ position, status }) => [position, status])).toEqual([
      [1, 'waiting'],
      [2, 'waiting'],
      [3, 'waiting'],
    ]);
    await withdraw(app, second, two.id).expect(200);
    expect((await open(app)).map(({ id, position }) => [id, position])).toEqual([
      [waits[0]?.id, 1],
      [waits[2]?.id, 2],
    ]);
    expect(await statusOf(app, two.id)).toBe('withdrawn');
    // Admins read ended entries in a list of their own, with their end times.
    const ended = await app.api
      .get('/admin/waits')
      .query({ state: 'ended', limit: 5 })
      .set(app.admin)
      .expect(200);
    expect(ended.body.data).toMatchObject([{ id: two.id, status: 'withdrawn', ended_at: NOW }]);
    expect(ended.get('X-Total-Count')).toBe('1');
    const inLine = await app.api
      .get('/admin/waits')
      .query({ state: 'open' })
      .set(app.admin)
      .expect(200);
    expect(inLine.body.data.map(({ id, ended_at }: WaitAndEnd) => [id, ended_at])).toEqual([
      [waits[2]?.id, null],
      [waits[0]?.id, null],
    ]);
    expectRefusal(
      await withdraw(app, second, two.id),
      404,
      'wait.notFound',
      'This waitlist entry no longer exists.',
      {},
    );
    expect(await app.ctx.db.selectFrom('clock').select('open_waits').execute()).toEqual([
      { open_waits: 2 },
    ]);
  });

  it('R9.6, R9.7: gets hours that are deleted, held for the first; accepted, they are an ordinary claim made then', async () => {
    const app = await createTestApp(dialect);
    const { claim, first, one, two } = await aLine(app, 2);
    app.setNow(minutes(1));
    await deleteClaim(app, claim.id).expect(200);
    const [offered, next] = await open(app);
    expect(offered).toMatchObject({
      id: one.id,
      status: 'offered',
      position: 1,
      held_until: minutes(11),
    });
    expect(next).toMatchObject({ id: two.id, status: 'waiting', position: 2 });
    const claims = async () =>
      (await app.api.get(`/respawns/1/claims/${TODAY}`).set(app.admin).expect(200)).body.data;
    expect(await claims()).toMatchObject([
      {
        id: offered?.held_claim_id,
        is_held: 1,
        held_until: minutes(11),
        character_name: first.character_name,
        hour_start: 10,
        hour_end: 14,
      },
    ]);
    app.setNow(minutes(3));
    expect((await act(app, first, one.id, 'accept').expect(200)).body.data).toMatchObject({
      status: 'accepted',
      position: 0,
      held_until: null,
    });
    expect(await claims()).toMatchObject([
      { id: offered?.held_claim_id, is_held: 0, held_until: null, created_at: minutes(3) },
    ]);
    expect(await open(app)).toMatchObject([{ id: two.id, position: 1 }]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    app.setNow(minutes(30));
    await aKey(app);
    expect(await claims()).toMatchObject([{ is_held: 0 }]);
  });

  it('goes to the next entry when declined or expired, before other members; then the hours are free', async () => {
    const app = await createTestApp(dialect);
    const { claim, first, second, one, two } = await aLine(app, 2);
    const passer = await aKey(app);
    await deleteClaim(app, claim.id).expect(200);
    expect((await act(app, first, one.id, 'decline').expect(200)).body.data).toMatchObject({
      status: 'declined',
    });
    expect(await open(app)).toMatchObject([
      { id: two.id, status: 'offered', held_until: minutes(10), position: 1 },
    ]);
    const taken = {
      character_name: second.character_name,
      held_until: minutes(10),
      date: TODAY,
      hour: 12,
    };
    expectRefusal(
      await submit(app, passer, aClaim(passer, { hour_start: 12, hour_end: 16 })),
      409,
      'hold.taken',
      `SS+12 on ${TODAY} is held for ${second.character_name}.`,
      taken,
    );
    app.setNow(minutes(10));
    await submit(app, passer, aClaim(passer, { hour_start: 12, hour_end: 16 })).expect(201);
    expect(await statusOf(app, two.id)).toBe('lapsed');
    expect((await act(app, second, two.id, 'accept')).body.code).toBe('hold.over');
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('is neither made nor accepted for a banned character, even where its entries have not ended yet', async () => {
    const app = await createTestApp(dialect);
    const { claim, first, second, one, two } = await aLine(app, 2);
    const ban = ({ character_name }: AccessKey) =>
      app.ctx.writes.transaction((tx) =>
        tx
          .insertInto('bans')
          .values({ character_key: nameKey(character_name), character_name, created_at: NOW })
          .execute(),
      );
    await ban(first);
    await deleteClaim(app, claim.id).expect(200);
    expect(await statusOf(app, one.id)).toBe('waiting');
    expect(await statusOf(app, two.id)).toBe('offered');
    await ban(second);
    const { status, body } = await app.api.post(`/waits/${two.id}/accept`).set(app.admin);
    expect([status, body.code]).toEqual([409, 'character.banned']);
  });

  it('R9.8: is over when its time is, even while the expiry of holds backs off', async () => {
    const app = await createTestApp(dialect);
    const { claim, first, one } = await aLine(app, 1);
    await deleteClaim(app, claim.id).expect(200);
    const failing = vi
      .spyOn(holdsDue, 'expire')
      .mockRejectedValue(new Error('holds do not expire'));
    onTestFinished(() => failing.mockRestore());
    app.setNow(minutes(10));
    expect((await act(app, first, one.id, 'accept')).body.code).toBe('hold.over');
    expect(failing).toHaveBeenCalled();
    expect(await open(app)).toMatchObject([{ id: one.id, status: 'offered' }]);
    await act(app, first, one.id, 'decline').expect(200);
  });

  it('R9.8: beats a claim submitted the moment a hold expires', async () => {
    const app = await createTestApp(dialect);
    const { claim, second, one, two } = await aLine(app, 2);
    const passer = await aKey(app);
    await deleteClaim(app, claim.id).expect(200);
    app.setNow(minutes(10));
    const refused = await submit(app, passer, aClaim(passer));
    expect(refused.body).toMatchObject({
      code: 'hold.taken',
      params: { character_name: second.character_name, held_until: minutes(20) },
    });
    await aKey(app);
    expect(await statusOf(app, one.id)).toBe('lapsed');
    expect(await statusOf(app, two.id)).toBe('offered');
  });

  it('expires on time, without any other write', async () => {
    const app = await createTestApp(dialect, { serve: { jobs: { everyMs: 20 } } });
    const { claim, one, two } = await aLine(app, 2);
    await deleteClaim(app, claim.id).expect(200);
    expect(await app.ctx.db.selectFrom('clock').select('next_due').execute()).toEqual([
      { next_due: minutes(10) },
    ]);
    app.setNow(minutes(10));
    await expect.poll(() => statusOf(app, one.id)).toBe('lapsed');
    expect(await statusOf(app, two.id)).toBe('offered');
    app.setNow(minutes(20));
    await expect.poll(() => statusOf(app, two.id)).toBe('lapsed');
    expect(
      await app.ctx.db.selectFrom('clock').select(['open_waits', 'next_due']).execute(),
    ).toEqual([{ open_waits: 0, next_due: null }]);
  });

  it('R9.6: offers no hours that were free when the member joined, until an occupied hour is freed', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const picky = await aKey(app);
    const modest = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder, { hour_start: 12, hour_end: 16 }));
    expect(await aWait(app, picky, { hour_start: 10, hour_end: 14, min_hours: 3 })).toMatchObject({
      status: 'waiting',
      position: 1,
    });
    const { id } = await aWait(app, modest, { hour_start: 11, hour_end: 13 });
    expect(await open(app)).toMatchObject([
      { status: 'waiting' },
      { id, status: 'waiting', position: 2 },
    ]);
    // Leaving and joining again gets no hold on the free hours either.
    await app.api.delete(`/waits/${id}`).send({ access_key: modest.key_value }).expect(200);
    expect(await aWait(app, modest, { hour_start: 11, hour_end: 13 })).toMatchObject({
      status: 'waiting',
      position: 2,
    });
    await app.api
      .put(`/claims/admin/${claim?.id}`)
      .set(app.admin)
      .send({ hour_start: 15, hour_end: 16 })
      .expect(200);
    expect(await open(app)).toMatchObject([
      { status: 'offered', character_name: picky.character_name },
      { status: 'waiting' },
    ]);
    const held = await app.ctx.db
      .selectFrom('claim_parts')
      .innerJoin('claims', 'claims.id', 'claim_id')
      .where('held_until', 'is not', null);
    expect(await held.select(['hour_start', 'hour_end']).execute()).toEqual([
      { hour_start: 10, hour_end: 14 },
    ]);
  });

  it('gets hours by an edit, a move, a clearing, a deleted event and an admin who ends a hold', async () => {
    const app = await createTestApp(dialect);
    const { claim, one, two, three } = await aLine(app, 3);
    await app.api
      .put(`/claims/admin/${claim.id}/respawn`)
      .set(app.admin)
      .send({ respawn_id: 2 })
      .expect(200);
    const [held] = await open(app);
    expect(held).toMatchObject({ id: one.id, status: 'offered' });
    for (const [path, body] of [
      [`/claims/admin/${held?.held_claim_id}`, { hour_start: 1, hour_end: 2 }],
      [`/claims/admin/${held?.held_claim_id}/respawn`, { respawn_id: 3 }],
    ] as const)
      expect((await app.api.put(path).set(app.admin).send(body)).body.code).toBe('hold.notEdited');
    const moved = await app.api
      .put(`/claims/admin/${claim.id}/respawn`)
      .set(app.admin)
      .send({ respawn_id: 1 });
    expect([moved.status, moved.body.code]).toEqual([409, 'hold.taken']);
    await deleteClaim(app, held?.held_claim_id).expect(200);
    expect(await statusOf(app, one.id)).toBe('void');
    expect(await open(app)).toMatchObject([
      { id: two.id, status: 'offered', position: 1 },
      { id: three.id, position: 2 },
    ]);
    await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
    expect(await open(app)).toMatchObject([{ id: three.id, status: 'offered', position: 1 }]);
    const { body } = await app.api.get('/admin/activity-log?action=claims_cleared').set(app.admin);
    expect(body.data.logs).toMatchObject([{ undo: 'possible' }]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('gets hours on a date that an edited event has by now, or that is no event’s any more since it was deleted', async () => {
    for (const action of ['edit', 'delete'] as const) {
      const app = await createTestApp(dialect);
      const { claim, one } = await aLine(app, 1);
      const { id } = await anActiveEvent(app, { start_time: '2026-11-22T10:00' });
      await deleteClaim(app, claim.id).expect(200);
      expect(await open(app)).toMatchObject([{ id: one.id, status: 'waiting' }]);
      const path = `/events/${id}`;
      await (action === 'edit'
        ? app.api.put(path).send({ start_time: `${TODAY}T10:00` })
        : app.api.delete(path)
      )
        .set(app.admin)
        .expect(200);
      expect(await open(app), action).toMatchObject([{ id: one.id, status: 'offered' }]);
    }
  });

  it('R9.9: ends when its event is edited and has its date no longer', async () => {
    const app = await createTestApp(dialect);
    const { id } = await anActiveEvent(app, {
      start_time: `${TODAY}T10:00`,
      end_time: '2026-11-23T10:00',
    });
    const { claim, one } = await aLine(app, 1);
    await config(app, { waits_enabled: 0 });
    await deleteClaim(app, claim.id).expect(200);
    await app.api
      .put(`/events/${id}`)
      .set(app.admin)
      .send({ start_time: '2026-11-22T10:00' })
      .expect(200);
    expect(await statusOf(app, one.id)).toBe('void');
  });

  it('R9.9: made without an event ends with the event of its hold', async () => {
    const app = await createTestApp(dialect);
    const { claim, first, one } = await aLine(app, 1);
    await anActiveEvent(app, { start_time: `${TODAY}T10:00`, end_time: '2026-11-23T10:00' });
    await deleteClaim(app, claim.id).expect(200);
    expect(await statusOf(app, one.id)).toBe('offered');
    await noActiveEvent(app);
    expect(await statusOf(app, one.id)).toBe('void');
    expectRefusal(
      await act(app, first, one.id, 'accept'),
      409,
      'wait.notOpen',
      'This waitlist entry has ended.',
      {},
    );
    expect(await app.ctx.db.selectFrom('occupied_hours').selectAll().execute()).toEqual([]);
  });

  it('an undo withdraws the unanswered offers of its hours: their entries wait again at their old places', async () => {
    const app = await createTestApp(dialect);
    const { claim, waits, first, one } = await aLine(app, 2);
    const before = (await open(app)).map(({ id, status, position }) => [id, status, position]);
    await deleteClaim(app, claim.id).expect(200);
    expect(await statusOf(app, one.id)).toBe('offered');
    const { body } = await app.api.get('/admin/activity-log?action=claim_deleted').set(app.admin);
    await app.api
      .post(`/admin/activity-log/${body.data.logs[0].id}/undo`)
      .set(app.admin)
      .expect(200);
    expect((await open(app)).map(({ id, status, position }) => [id, status, position])).toEqual(
      before,
    );
    expect(
      (await open(app)).map(({ held_claim_id, held_until }) => [held_claim_id, held_until]),
    ).toEqual(waits.map(() => [null, null]));
    expectRefusal(
      await act(app, first, one.id, 'accept'),
      409,
      'wait.notOffered',
      'Nothing has been offered to this waitlist entry yet.',
      {},
    );
    const { logs } = (await app.api.get('/admin/activity-log?action=hold_withdrawn').set(app.admin))
      .body.data;
    expect(logs).toMatchObject([
      { actor_kind: 'server', details: { wait_id: one.id, character_name: first.character_name } },
    ]);
    const endings = await app.ctx.db
      .selectFrom('claim_endings')
      .select(['character_name', 'reason'])
      .execute();
    expect(endings).toEqual([{ character_name: first.character_name, reason: 'withdrawn' }]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    // Deleted again, the hours are offered to the same member.
    await deleteClaim(app, claim.id).expect(200);
    expect(await statusOf(app, one.id)).toBe('offered');
  });

  it('an undo names the hours that were taken from the waitlist meanwhile, and restores the other claims on request', async () => {
    const app = await createTestApp(dialect);
    const { claim, first, one } = await aLine(app, 1);
    const other = await aKey(app);
    const [beside] = await submitted(app, other, aClaim(other, { hour_start: 20, hour_end: 22 }));
    await app.api.delete(`/claims/admin/respawn/${claim.respawn_id}`).set(app.admin).expect(200);
    await act(app, first, one.id, 'accept').expect(200);
    const entry = async () =>
      (await app.api.get('/admin/activity-log?action=claims_cleared').set(app.admin)).body.data
        .logs[0];
    const undo = async (body: object) =>
      app.api
        .post(`/admin/activity-log/${(await entry()).id}/undo`)
        .set(app.admin)
        .send(body);
    const refused = await undo({});
    expect([refused.status, refused.body.code]).toEqual([409, 'activity.hoursTaken']);
    expect(refused.body.params).toMatchObject({ count: 1, partial: true, restorable: 1, left: 1 });
    expect(refused.body.params.claims).toMatchObject([
      { character_name: first.character_name, hour_start: 10, hour_end: 14 },
    ]);
    const claims = async () =>
      (await app.ctx.db.selectFrom('claims').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      );
    const [taken = 0] = await claims();
    expect((await undo({ partial: true })).body.data).toEqual({
      restored_claims: 1,
      left_claims: 1,
    });
    expect(await claims()).toEqual([beside?.id, taken]);
    // The rest waits until the hours are free.
    expect((await entry()).undo).toBe('possible');
    expect((await undo({ partial: true })).body).toMatchObject({
      code: 'activity.hoursTaken',
      params: { partial: false, restorable: 0 },
    });
    await deleteClaim(app, taken).expect(200);
    expect((await undo({})).body.data).toEqual({ restored_claims: 1, left_claims: 0 });
    expect(await claims()).toEqual([claim.id, beside?.id]);
    expect((await entry()).undo).toBe('done');
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('R9.9: continues without members who are banned, revoked or deleted, or who claim that date', async () => {
    const app = await createTestApp(dialect);
    const { claim, keys, waits } = await aLine(app, 4);
    const [banned, revoked, deleted, claims] = keys;
    if (!banned || !revoked || !deleted || !claims) throw new Error('four');
    await deleteClaim(app, claim.id).expect(200);
    await app.api
      .post('/admin/ban-character')
      .set(app.admin)
      .send({ character_name: banned.character_name })
      .expect(200);
    expect((await open(app)).map(({ id, status, position }) => [id, status, position])).toEqual([
      [waits[1]?.id, 'offered', 1],
      [waits[2]?.id, 'waiting', 2],
      [waits[3]?.id, 'waiting', 3],
    ]);
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    await submitted(app, claims, aClaim(claims, { respawn_id: 2 }));
    await app.api.delete(`/admin/access-keys/${deleted.id}`).set(app.admin).expect(200);
    expect((await all(app)).map(({ status }) => status)).toEqual(['void', 'void', 'void', 'void']);
    expect(await app.ctx.db.selectFrom('claims').select('character_name').execute()).toEqual([
      { character_name: claims.character_name },
    ]);
  });

  it('R9.9: ends with its spot, its event and its date', async () => {
    const app = await createTestApp(dialect);
    const { claim } = await aLine(app, 1);
    await deleteClaim(app, claim.id).expect(200);
    await app.api.put('/admin/respawns/1').set(app.admin).send({ is_enabled: 0 }).expect(200);
    expect((await all(app)).map(({ status }) => status)).toEqual(['void']);
    expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
    await app.api.put('/admin/respawns/1').set(app.admin).send({ is_enabled: 1 }).expect(200);
    await anActiveEvent(app);
    await aLine(app, 1);
    expect(await open(app)).toMatchObject([{ event_id: 1 }]);
    await noActiveEvent(app);
    expect((await all(app)).map(({ status }) => status)).toEqual(['void', 'void']);
    const holder = await aKey(app);
    const next = await aKey(app);
    await submitted(app, holder, aClaim(holder, { respawn_id: 3 }));
    await aWait(app, next, { respawn_id: 3 });
    app.setNow('2026-11-22T10:00:00.000Z');
    await aKey(app);
    expect((await all(app)).map(({ status }) => status)).toEqual(['void', 'void', 'void']);
  });

  it('pauses while waitlists or submission are off, and resumes when they are on; holds stay', async () => {
    const app = await createTestApp(dialect);
    const { claim, first, one, second, two } = await aLine(app, 2);
    for (const off of [{ waits_enabled: 0 }, { submission_enabled: 0 }]) {
      await config(app, off);
      expectRefusal(
        await waitFor(app, first, { respawn_id: 9 }),
        409,
        'wait.disabled',
        'The waitlist is off right now.',
        {},
      );
      await config(app, { waits_enabled: 1, submission_enabled: 1 });
    }
    await config(app, { waits_enabled: 0 });
    await deleteClaim(app, claim.id).expect(200);
    expect(await open(app)).toMatchObject([{ status: 'waiting' }, { status: 'waiting' }]);
    await config(app, { waits_enabled: 1, hold_minutes: 1 });
    expect(await open(app)).toMatchObject([
      { id: one.id, status: 'offered', held_until: minutes(1) },
      { status: 'waiting' },
    ]);
    await config(app, { waits_enabled: 0 });
    await act(app, first, one.id, 'decline').expect(200);
    expect(await open(app)).toMatchObject([{ id: two.id, status: 'waiting' }]);
    await config(app, { waits_enabled: 1 });
    await config(app, { waits_enabled: 0 });
    await act(app, second, two.id, 'accept').expect(200);
    expect(await open(app)).toEqual([]);
  });

  it('offers a character one spot a date at a time, and the next when the first is declined', async () => {
    const app = await createTestApp(dialect);
    const one = await aKey(app);
    const two = await aKey(app);
    const next = await aKey(app);
    const [a] = await submitted(app, one, aClaim(one));
    const [b] = await submitted(app, two, aClaim(two, { respawn_id: 2 }));
    const first = await aWait(app, next);
    const second = await aWait(app, next, { respawn_id: 2 });
    await deleteClaim(app, b?.id).expect(200);
    await deleteClaim(app, a?.id).expect(200);
    expect(await open(app)).toMatchObject([
      { id: first.id, status: 'waiting' },
      { id: second.id, status: 'offered' },
    ]);
    expect((await submit(app, next, aClaim(next, { respawn_id: 3 }))).body).toMatchObject({
      code: 'hold.isYours',
    });
    expect(
      (await submitAsAdmin(app, 'member', aClaim(next, { respawn_id: 3 }))).body,
    ).toMatchObject({ code: 'hold.isYours' });
    await act(app, next, second.id, 'decline').expect(200);
    expect(await open(app)).toMatchObject([{ id: first.id, status: 'offered' }]);
    await act(app, next, first.id, 'accept').expect(200);
    expect(await open(app)).toEqual([]);
  });

  it('accepting voids the other waits of that date, and none of another one', async () => {
    const app = await createTestApp(dialect);
    const { claim, first, one } = await aLine(app, 1);
    const other = await aKey(app);
    await submitted(
      app,
      other,
      aClaim(other, { respawn_id: 2 }),
      aClaim(other, { respawn_id: 2, date: '2026-11-22' }),
    );
    await aWait(app, first, { respawn_id: 2 });
    const tomorrow = await aWait(app, first, { respawn_id: 2, date: '2026-11-22' });
    await deleteClaim(app, claim.id).expect(200);
    await act(app, first, one.id, 'accept').expect(200);
    expect(await open(app)).toMatchObject([{ id: tomorrow.id, status: 'waiting' }]);
  });

  it('is seen by watchers of the right role, and by no others', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const watchers = [
      new Watcher(app.url, { access_key: key.key_value }),
      new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) }),
    ];
    await Promise.all(watchers.map((watcher) => watcher.connect()));
    const { claim, first, one } = await aLine(app, 2);
    await deleteClaim(app, claim.id).expect(200);
    const held = async () => {
      await Promise.all(watchers.map((watcher) => watcher.reached(app.ctx.bus.clock())));
      return watchers.map((watcher) =>
        [...watcher.records('wait').values()].map(({ status }) => status),
      );
    };
    expect(await held()).toEqual([
      ['offered', 'waiting'],
      ['offered', 'waiting'],
    ]);
    await act(app, first, one.id, 'accept').expect(200);
    expect(await held()).toEqual([['waiting'], ['waiting']]);
  });
});
