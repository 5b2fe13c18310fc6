import { describe, expect, it } from 'vitest';
import type { ErrorCode, Params } from '../../../shared/errors.ts';
import { STANDING_A_DAY } from '../../../shared/rules/standing.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { StandingInput } from '../../../shared/schemas/standing-claim.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  anActiveEvent,
  anAdmin,
  asMember,
  ban,
  changeUnheard,
  disableRespawn,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import {
  allowStanding,
  aStanding,
  claimsOf,
  datesOf,
  listStanding,
  postStanding,
  putStanding,
} from './test/standing.ts';

interface Answered {
  status: number;
  body: { code?: ErrorCode; params?: Params };
}
/** Status and code of a refusal that stores nothing. */
async function refusal(
  app: TestApp,
  call: () => PromiseLike<Answered>,
): Promise<[number, ErrorCode | undefined]> {
  const { status, body } = await expectNoTick(app, call);
  return [status, body.code];
}

describe.each(databases)('a standing claim on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const allowed = (): Promise<void> => allowStanding(app, { standing_per_character: 3 });

  it('R10.2: is refused with a code for each reason, and nothing is stored', async () => {
    await allowed();
    const key = await aKey(app);
    const refused = (fields: Partial<StandingInput>) =>
      refusal(app, () => postStanding(app, key, fields));
    expect(await refused({ weekdays: [] })).toEqual([400, 'standing.weekdaysRequired']);
    expect(await refused({ weekdays: [0] })).toEqual([400, 'standing.weekdaysRequired']);
    expect(await refused({ weekdays: [8] })).toEqual([400, 'standing.weekdaysRequired']);
    expect(await refused({ hour_start: 10, hour_end: 15 })).toEqual([
      400,
      'standing.exceedsVoucher',
    ]);
    expect(await refused({ hour_start: 10, hour_end: 10 })).toEqual([400, 'times.endBeforeStart']);
    expect(await refused({ hour_start: 22, hour_end: 26 })).toEqual([400, 'times.exceedsDay']);
    expect(await refused({ hour_start: -1 })).toEqual([400, 'claim.hourOutOfRange']);
    expect(await refused({ from: '2026-12-10', until: '2026-12-01' })).toEqual([
      400,
      'standing.untilBeforeFrom',
    ]);
    expect(await refused({ from: '2026-11-01', until: '2026-11-20' })).toEqual([
      400,
      'standing.over',
    ]);
    expect(await refused({ weekdays: [1], until: '2026-11-22' })).toEqual([400, 'standing.noDate']);
    expect(await refused({ respawn_id: 9_999 })).toEqual([404, 'respawn.notFound']);
    expect(await refused({ character_name: 'Another One' })).toEqual([
      403,
      'standing.otherCharacter',
    ]);
    await disableRespawn(app, 60);
    expect(await refused({ respawn_id: 60 })).toEqual([409, 'respawn.disabled']);
    const silent = await aKey(app, undefined, await aMemberType(app, { can_submit: 0 }));
    expect(await refusal(app, () => postStanding(app, silent))).toEqual([
      403,
      'claim.typeMayNotSubmit',
    ]);
    for (const weekday of [1, 2, 3]) await aStanding(app, key, { weekdays: [weekday] });
    expect(await refused({ weekdays: [4] })).toEqual([409, 'standing.tooMany']);
    expect(await listStanding(app, key)).toHaveLength(3);
  });

  it('is made a limited number of times a day, also if each is ended at once; an admin still can', async () => {
    const own = await createTestApp(dialect);
    await allowStanding(own);
    const key = await aKey(own);
    const other = await aKey(own);
    const cycle = async (): Promise<void> => {
      const { id } = await aStanding(own, key, { weekdays: [1], from: '2026-12-20' });
      await own.api.delete(`/standing/${id}`).set(asMember(key)).expect(200);
    };
    for (let nth = 0; nth < STANDING_A_DAY; nth++) await cycle();
    // Facts are not read from the log, which may be pruned.
    await changeUnheard(own, (tx) => tx.deleteFrom('activity').execute());
    expect(await refusal(own, () => postStanding(own, key))).toEqual([409, 'standing.tooOften']);
    await aStanding(own, other);
    const input = {
      respawn_id: 2,
      weekdays: [6],
      hour_start: 10,
      hour_end: 14,
      character_name: key.character_name,
    };
    await own.api.post('/standing').set(own.admin).send(input).expect(201);
    own.setNow('2026-11-22T18:30:00.000Z');
    await cycle();
  });

  it('does not count towards the limit of a character once its last date is over', async () => {
    const own = await createTestApp(dialect);
    await allowStanding(own, { standing_per_character: 1 });
    const key = await aKey(own);
    await aStanding(own, key, { until: '2026-11-28' });
    own.setNow('2026-11-28T20:00:00.000Z');
    // Run due jobs first, or their writes would advance the clock during the refusal.
    await own.runDue();
    expect(await refusal(own, () => postStanding(own, key, { respawn_id: 2 }))).toEqual([
      409,
      'standing.tooMany',
    ]);
    own.setNow('2026-11-29T20:00:00.000Z');
    await aStanding(own, key, { respawn_id: 2 });
  });

  it('shows the member type that its key has now', async () => {
    const own = await createTestApp(dialect);
    await allowStanding(own);
    const key = await aKey(own);
    await aStanding(own, key);
    await own.api
      .put(`/admin/access-keys/${key.id}/member-type`)
      .set(own.admin)
      .send({ memberType: 'elite' })
      .expect(200);
    expect(await listStanding(own, key)).toMatchObject([{ member_type: 'elite' }]);
  });

  it('is invisible to other members, and theirs alone to change', async () => {
    await allowed();
    const owner = await aKey(app);
    const other = await aKey(app);
    const standing = await aStanding(app, owner, { respawn_id: 20, weekdays: [3, 1, 3] });
    expect(standing.weekdays).toEqual([1, 3]);
    expect(await listStanding(app, owner)).toEqual([standing]);
    expect(await listStanding(app, other)).toEqual([]);
    const byOther = { put: () => putStanding(app, other, { id: standing.id, is_paused: 1 }) };
    expect(await refusal(app, byOther.put)).toEqual([403, 'standing.otherCharacter']);
    expect(
      await refusal(app, () => app.api.delete(`/standing/${standing.id}`).set(asMember(other))),
    ).toEqual([403, 'standing.otherCharacter']);
    expect(await refusal(app, () => putStanding(app, owner, { id: 9_999, is_paused: 1 }))).toEqual([
      404,
      'standing.notFound',
    ]);
    expect(await refusal(app, () => app.api.delete('/standing/9999').set(asMember(owner)))).toEqual(
      [404, 'standing.notFound'],
    );
  });

  it('changes its fields; the claims that it made stay as they are', async () => {
    await allowed();
    const key = await aKey(app);
    const standing = await aStanding(app, key, { respawn_id: 21, weekdays: [7] });
    const refused = (change: object) =>
      refusal(app, () => putStanding(app, key, { ...change, id: standing.id }));
    expect(await refused({ hour_end: 16 })).toEqual([400, 'standing.exceedsVoucher']);
    expect(await refused({ weekdays: [] })).toEqual([400, 'standing.weekdaysRequired']);
    expect(await refused({ respawn_id: 9_999 })).toEqual([404, 'respawn.notFound']);
    const change = {
      weekdays: [2],
      hour_start: 4,
      hour_end: 6,
      until: '2026-12-30',
      join_waitlist: 1 as const,
    };
    const { body } = await putStanding(app, key, { ...change, id: standing.id }).expect(200);
    expect(body.data).toMatchObject({ ...change, from: TODAY, next_date: '2026-12-01' });
    expect(await claimsOf(app, key)).toMatchObject([
      { date: '2026-11-22', hour_start: 10 },
      { date: '2026-11-24', hour_start: 4, hour_end: 6 },
    ]);
    expect(
      (await putStanding(app, key, { id: standing.id, until: null }).expect(200)).body.data,
    ).toMatchObject({ until: null });
  });

  it('is not changed if it was changed since the caller read it', async () => {
    await allowed();
    const key = await aKey(app);
    const { respawn_id, weekdays, hour_start, hour_end, from, until, join_waitlist, id } =
      await aStanding(app, key);
    const seen = { respawn_id, weekdays, hour_start, hour_end, from, until, join_waitlist };
    await putStanding(app, key, { id, hour_end: 13, seen }).expect(200);
    const late = () => putStanding(app, key, { id, weekdays: [5], seen });
    expect(await refusal(app, late)).toEqual([409, 'standing.changedMeanwhile']);
    await putStanding(app, key, { id, weekdays: [5], seen: { ...seen, hour_end: 13 } }).expect(200);
    expect(await listStanding(app, key)).toMatchObject([
      { weekdays: [5], hour_start: 10, hour_end: 13 },
    ]);
  });

  it('R10.4: its claims stay when it ends, or are released even where members release no others', async () => {
    await allowed();
    const key = await aKey(app);
    const other = await aKey(app);
    const kept = await aStanding(app, key, { respawn_id: 22, weekdays: [7] });
    const released = await aStanding(app, other, {
      respawn_id: 23,
      weekdays: [6, 7],
      hour_start: 10,
      hour_end: 12,
    });
    await app.api.delete(`/standing/${kept.id}`).set(asMember(key)).expect(200);
    expect([await listStanding(app, key), await datesOf(app, key)]).toEqual([[], ['2026-11-22']]);
    // It is SS+10 by now, so today's claim has begun.
    app.setNow('2026-11-21T19:10:00.000Z');
    await app.api
      .delete(`/standing/${released.id}?claims=release`)
      .set(asMember(other))
      .expect(200);
    expect([await listStanding(app, other), await datesOf(app, other)]).toEqual([[], [TODAY]]);
    const endings = await app.ctx.db
      .selectFrom('claim_endings')
      .select(['reason', 'date', 'ended_by'])
      .where('respawn_id', '=', 23)
      .execute();
    expect(endings).toMatchObject([
      { reason: 'released', date: '2026-11-22', ended_by: other.character_name },
      { reason: 'released', date: '2026-11-28' },
    ]);
  });

  it('R10.4: counts the claims that ending it would release, also those that the board does not show', async () => {
    const own = await createTestApp(dialect);
    await allowStanding(own);
    const key = await aKey(own);
    const other = await aKey(own);
    const { id } = await aStanding(own, key, { weekdays: [6, 7] });
    // It is SS+10 by now, so today's claim has begun.
    own.setNow('2026-11-21T19:10:00.000Z');
    await anActiveEvent(own, { start_time: '2026-11-22', end_time: '2026-11-25' });
    const count = (headers: Record<string, string>) =>
      own.api.get(`/standing/${id}/claims`).set(headers);
    for (const headers of [asMember(key), own.admin])
      expect((await count(headers).expect(200)).body.data).toEqual({ count: 2 });
    expect((await count(asMember(other))).body.code).toBe('standing.otherCharacter');
    await own.api.delete(`/standing/${id}?claims=release`).set(asMember(key)).expect(200);
    expect(await datesOf(own, key)).toEqual([TODAY]);
    expect((await count(asMember(key))).body.code).toBe('standing.notFound');
  });

  it('is stated, changed and ended by an admin for any character', async () => {
    await allowed();
    const withKey = await aKey(
      app,
      undefined,
      await aMemberType(app, { voucher_duration_hours: 2 }),
    );
    const input = { respawn_id: 24, weekdays: [7], hour_start: 10, hour_end: 12 };
    const state = (fields: object) =>
      app.api
        .post('/standing')
        .set(app.admin)
        .send({ ...input, ...fields });
    expect(await refusal(app, () => state({}))).toEqual([400, 'character.nameRequired']);
    const tooLong = () => state({ character_name: withKey.character_name, hour_end: 13 });
    expect(await refusal(app, tooLong)).toEqual([400, 'standing.exceedsVoucher']);
    const { body } = await state({
      character_name: withKey.character_name,
      member_type: 'elite',
    }).expect(201);
    expect(body.data).toMatchObject({
      character_name: withKey.character_name,
      member_type: withKey.member_type,
    });
    const keyless = await state({
      character_name: 'Keyless Rider',
      member_type: 'elite',
      respawn_id: 25,
    }).expect(201);
    expect(keyless.body.data).toMatchObject({
      character_name: 'Keyless Rider',
      member_type: 'elite',
    });
    expect(await claimsOf(app, { character_name: 'Keyless Rider' })).toMatchObject([
      { date: '2026-11-22', member_type: 'elite' },
    ]);
    const banned = await aKey(app);
    await ban(app, banned);
    expect(await refusal(app, () => state({ character_name: banned.character_name }))).toEqual([
      409,
      'character.banned',
    ]);
    const { id } = body.data;
    await app.api.put(`/standing/${id}`).set(app.admin).send({ is_paused: 1 }).expect(200);
    expect(await listStanding(app, withKey)).toMatchObject([{ id, is_paused: 1, next_date: null }]);
    const named = (character_name: string) =>
      app.api.get('/standing').query({ character_name }).set(app.admin);
    expect((await named(withKey.character_name).expect(200)).body.data).toHaveLength(1);
    expect((await app.api.get('/standing').set(app.admin)).body.code).toBe(
      'character.nameRequired',
    );
    await app.api.delete(`/standing/${id}`).set(app.admin).expect(200);
    expect(await listStanding(app, withKey)).toEqual([]);
  });

  it('needs a role that may act: no visitor, no viewer, no key that was revoked', async () => {
    await allowed();
    const viewer = await anAdmin(app, 'viewer');
    const moderator = await anAdmin(app, 'moderator');
    const revoked = await aKey(app);
    await app.api
      .put(`/admin/access-keys/${revoked.id}/revoke`)
      .set(app.admin)
      .send({})
      .expect(200);
    const input = {
      respawn_id: 26,
      weekdays: [7],
      hour_start: 10,
      hour_end: 12,
      character_name: 'Role Player',
    };
    const calls = (headers: Record<string, string>) => [
      app.api.get('/standing').query({ character_name: 'Role Player' }).set(headers),
      app.api.post('/standing').set(headers).send(input),
      app.api.post('/standing/preview').set(headers).send(input),
      app.api.put('/standing/1').set(headers).send({ is_paused: 1 }),
      app.api.delete('/standing/1').set(headers),
    ];
    for (const call of calls({})) expect((await call).body.code).toBe('session.required');
    for (const call of calls(viewer.headers))
      expect((await call).body.code).toBe('session.notAllowed');
    for (const call of calls(asMember(revoked)))
      expect((await call).body.code).toBe('session.keyRevoked');
    await app.api.post('/standing').set(moderator.headers).send(input).expect(201);
    for (const { headers } of [viewer, moderator])
      await app.api.get('/admin/standing').set(headers).expect(200);
    expect((await app.api.get('/admin/standing').set(asMember(await aKey(app)))).body.code).toBe(
      'session.adminOnly',
    );
  });

  it('is previewed for the next 14 dates, and nothing is stored', async () => {
    await allowed();
    const key = await aKey(app);
    const other = await aKey(app);
    await submitted(app, other, aClaim(other, { respawn_id: 30, date: '2026-11-24' }));
    await submitted(app, key, aClaim(key, { respawn_id: 31, date: '2026-12-01' }));
    const input = { respawn_id: 30, weekdays: [2, 5], hour_start: 10, hour_end: 14 };
    const preview = (fields: object, as: AccessKey = key) =>
      app.api
        .post('/standing/preview')
        .set(asMember(as))
        .send({ ...input, ...fields });
    const { body } = await expectNoTick(app, () => preview({}).expect(200));
    expect(body.data).toHaveLength(14);
    expect(body.data.slice(0, 5)).toMatchObject([
      { date: '2026-11-24', outcome: 'skipped', refusal: { code: 'claim.timeConflict' } },
      { date: '2026-11-27', outcome: 'claimed', refusal: null },
      { date: '2026-12-01', outcome: 'skipped', refusal: { code: 'claim.characterHasClaim' } },
      { date: '2026-12-04', outcome: 'later', refusal: null },
      { date: '2026-12-08', outcome: 'later', refusal: null },
    ]);
    expect((await preview({ join_waitlist: 1 })).body.data[0]).toMatchObject({
      outcome: 'waitlist',
    });
    expect((await preview({ hour_end: 15 })).body.code).toBe('standing.exceedsVoucher');
    const { id } = await aStanding(app, key, input);
    const ofStored = (await preview({ id })).body.data;
    expect(ofStored[0]).toMatchObject({ date: '2026-11-24', outcome: 'skipped' });
    expect(ofStored[1]).toMatchObject({ date: '2026-12-01' });
    expect((await preview({ id }, other)).body.code).toBe('standing.otherCharacter');
  });

  it('is previewed with the dates that stay skipped after the claims in their way are gone', async () => {
    await allowed();
    const key = await aKey(app);
    const other = await aKey(app);
    const [inTheWay] = await submitted(
      app,
      other,
      aClaim(other, { respawn_id: 33, date: '2026-11-24' }),
    );
    const input = { respawn_id: 33, weekdays: [2], hour_start: 10, hour_end: 14 };
    const { id } = await aStanding(app, key, input);
    await app.api.delete(`/admin/claims/${inTheWay?.id}`).set(app.admin).expect(200);
    const change = { ...input, hour_start: 16, hour_end: 18 };
    const preview = app.api.post('/standing/preview').set(asMember(key));
    const { body } = await preview.send({ ...change, id }).expect(200);
    expect(body.data.slice(0, 2)).toMatchObject([
      { date: '2026-11-24', outcome: 'skipped', refusal: { code: 'claim.timeConflict' } },
      { date: '2026-12-01', outcome: 'later' },
    ]);
    await putStanding(app, key, { ...change, id }).expect(200);
    expect(await datesOf(app, key)).toEqual([]);
  });

  it('is sent to its owner and to admins as it changes, and to no other member', async () => {
    await allowed();
    const key = await aKey(app);
    const other = await aKey(app);
    const watching = async (auth: {
      access_key?: string;
      admin_token?: string;
    }): Promise<Watcher> => {
      const watcher = new Watcher(app.url, auth);
      await watcher.connect();
      return watcher;
    };
    const admin = await watching({ admin_token: app.admin.Authorization.replace('Bearer ', '') });
    const stranger = await watching({ access_key: other.key_value });
    const standing = await aStanding(app, key, { respawn_id: 32, weekdays: [2] });
    for (const watcher of [admin, stranger]) await watcher.reached(app.ctx.bus.clock());
    expect(admin.board.byKind.standing_claim.get(standing.id)).toEqual(standing);
    expect(stranger.board.byKind.standing_claim.size).toBe(0);
    await app.api.delete(`/standing/${standing.id}`).set(asMember(key)).expect(200);
    await admin.reached(app.ctx.bus.clock());
    expect(admin.board.byKind.standing_claim.get(standing.id)).toBeUndefined();
  });
});

describe.each(databases)('without weekly claims on %s', (dialect) => {
  it('no standing claim is stated, changed or previewed; it can still be ended', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    expect(await refusal(app, () => postStanding(app, key))).toEqual([409, 'standing.disabled']);
    await allowStanding(app);
    await anActiveEvent(app);
    const { id } = await aStanding(app, key);
    await app.api.put('/admin/config').set(app.admin).send({ standing_enabled: 0 }).expect(200);
    expect(await refusal(app, () => putStanding(app, key, { id, is_paused: 1 }))).toEqual([
      409,
      'standing.disabled',
    ]);
    const input = { respawn_id: 1, weekdays: [1], hour_start: 1, hour_end: 2 };
    const preview = () => app.api.post('/standing/preview').set(asMember(key)).send(input);
    expect(await refusal(app, preview)).toEqual([409, 'standing.disabled']);
    await app.api.delete(`/standing/${id}`).set(asMember(key)).expect(200);
  });
});
