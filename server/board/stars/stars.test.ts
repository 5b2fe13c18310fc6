import { describe, expect, it } from 'vitest';
import { MAX_STARS } from '../../../shared/rules/stars.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { undoLatest } from '../../activity/test/undo.ts';
import { MANY_CHANGES } from '../../db/unit-of-work.ts';
import {
  aKey,
  anAdmin,
  aRespawn,
  asMember,
  ban,
  changeUnheard,
  disableRespawn,
} from '../../dev/test/builders.ts';
import { databases, freshDatabase, usualDatabases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { connect } from '../../dev/test/watcher.ts';
import { MAX_STAR_CHANGES_PER_MINUTE } from './stars.ts';

const read = async (app: TestApp, key: AccessKey): Promise<number[]> =>
  (await app.api.get('/stars').set(asMember(key)).expect(200)).body.data.ids;
const star = (app: TestApp, key: AccessKey, ...respawn_ids: number[]) =>
  app.api.post('/stars').set(asMember(key)).send({ respawn_ids });
const unstar = (app: TestApp, key: AccessKey, id: number) =>
  app.api.delete(`/stars/${id}`).set(asMember(key));

/** Spots without claims that no test changes. */
async function manySpots(app: TestApp, count: number): Promise<number[]> {
  const at = Date.now();
  const rows = Array.from({ length: count }, (_, nth) => ({
    name: `Star ${at} ${nth}`,
    name_key: `star ${at} ${nth}`,
    image: '',
    created_at: '',
  }));
  const made = await changeUnheard(app, (tx) =>
    tx.insertInto('respawns').values(rows).returning('id').execute(),
  );
  return made.map(({ id }) => id).sort((a, b) => a - b);
}

/** What a live connection is sent of its member's stars, the latest last. */
async function liveStars(
  app: TestApp,
  auth: { access_key: string } | { admin_token: string },
): Promise<(readonly number[])[]> {
  const socket = connect(app.url, auth);
  const got: (readonly number[])[] = [];
  socket.on('own', ({ stars }) => got.push(stars?.ids ?? []));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  await socket.emitWithAck('sync', null);
  return got;
}

describe.each(databases)('starred spots on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('are the member’s own, in the order of starring, each once', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    expect(await read(app, key)).toEqual([]);
    const { epoch } = app.ctx.bus;
    expect((await star(app, key, 7).expect(200)).body).toEqual({
      success: true,
      data: { epoch, clock: app.ctx.bus.clock(), ids: [7] },
    });
    expect((await star(app, key, 3, 7, 5, 3).expect(200)).body.data.ids).toEqual([7, 3, 5]);
    expect(await read(app, key)).toEqual([7, 3, 5]);
    expect((await unstar(app, key, 3).expect(200)).body).toEqual({
      success: true,
      data: { epoch, clock: app.ctx.bus.clock(), ids: [7, 5] },
    });
    expect((await star(app, key, 3).expect(200)).body.data.ids).toEqual([7, 5, 3]);
    expect(await read(app, other)).toEqual([]);
  });

  it('may be changed with the key in the body, and repeated: starring twice and removing twice write nothing more', async () => {
    const key = await aKey(app);
    const { key_value: access_key } = key;
    await app.api
      .post('/stars')
      .send({ access_key, respawn_ids: [4] })
      .expect(200);
    await expectNoTick(app, async () =>
      expect((await star(app, key, 4).expect(200)).body.data.ids).toEqual([4]),
    );
    await app.api.delete('/stars/4').send({ access_key }).expect(200);
    await expectNoTick(app, async () => {
      expect((await unstar(app, key, 4).expect(200)).body.data.ids).toEqual([]);
      expect((await unstar(app, key, 2_147_483_647).expect(200)).body.data.ids).toEqual([]);
      expect((await star(app, key, 999_999).expect(200)).body.data.ids).toEqual([]);
    });
  });

  it('have the clock of each list, so that a browser can order answers and messages', async () => {
    const key = await aKey(app);
    const got: unknown[] = [];
    const socket = connect(app.url, { access_key: key.key_value });
    socket.on('own', ({ stars }) => got.push(stars));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    await socket.emitWithAck('sync', null);
    const answered = (await star(app, key, 4).expect(200)).body.data;
    expect(answered).toMatchObject({ epoch: app.ctx.bus.epoch, ids: [4] });
    await expect.poll(() => got.at(-1)).toEqual(answered);
    await star(app, await aKey(app), 4).expect(200);
    const { clock, ...later } = (await app.api.get('/stars').set(asMember(key)).expect(200)).body
      .data;
    expect(later).toEqual({ epoch: app.ctx.bus.epoch, ids: [4] });
    expect(clock).toBeGreaterThan(answered.clock);
  });

  it('leave out ids that no spot has, so that a browser can move old stars; a disabled spot keeps its star', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    await disableRespawn(app, spot.id);
    expect((await star(app, key, 999_999, 5, spot.id).expect(200)).body.data.ids).toEqual([
      5,
      spot.id,
    ]);
    expect((await star(app, key, 999_999).expect(200)).body.data.ids).toEqual([5, spot.id]);
  });

  it('are limited: beyond the limit the oldest star goes', async () => {
    const key = await aKey(app);
    const ids = await manySpots(app, MAX_STARS - 1);
    await star(app, key, ...ids).expect(200);
    expect((await star(app, key, 1).expect(200)).body.data.ids).toEqual([...ids, 1]);
    expect((await star(app, key, 2, 3).expect(200)).body.data.ids).toEqual([
      ...ids.slice(2),
      1,
      2,
      3,
    ]);
    expect(await read(app, key)).toEqual([...ids.slice(2), 1, 2, 3]);
  });

  it('refuse a list that is none, empty, too long or of no ids', async () => {
    const key = await aKey(app);
    const many = Array.from({ length: MAX_STARS + 1 }, (_, nth) => nth + 1);
    await expectNoTick(app, async () => {
      for (const respawn_ids of [undefined, null, 3, [], many]) {
        const answer = await app.api.post('/stars').set(asMember(key)).send({ respawn_ids });
        expectRefusal(answer, 400, 'request.invalid', 'The field “respawn_ids” is not valid.', {
          field: 'respawn_ids',
        });
      }
      for (const id of [0, -1, 1.5, '1', null, 2_147_483_648]) {
        const answer = await app.api
          .post('/stars')
          .set(asMember(key))
          .send({ respawn_ids: [1, id] });
        expect([answer.status, answer.body.code]).toEqual([400, 'request.invalid']);
      }
    });
    expect(await read(app, key)).toEqual([]);
  });

  it('are for members: visitors, admins of any role, and revoked or banned members are refused', async () => {
    const revoked = await aKey(app);
    const banned = await aKey(app);
    const owner = await anAdmin(app, 'owner');
    await star(app, revoked, 1).expect(200);
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    await ban(app, banned);
    const calls = [
      () => app.api.get('/stars'),
      () => app.api.post('/stars').send({ respawn_ids: [1] }),
      () => app.api.delete('/stars/1').send({}),
    ];
    await expectNoTick(app, async () => {
      for (const call of calls) {
        const refusals = [
          await call(),
          await call().set(owner.headers),
          await call().set(asMember(revoked)),
          await call().set(asMember(banned)),
        ];
        expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
          [401, 'session.required'],
          [403, 'key.required'],
          [403, 'session.keyRevoked'],
          [403, 'session.banned'],
        ]);
      }
    });
  });

  it('belong to the character: they survive its access key, and come back with an enabled one', async () => {
    const key = await aKey(app);
    await star(app, key, 6, 2).expect(200);
    await app.api.put(`/admin/access-keys/${key.id}/revoke`).set(app.admin).expect(200);
    await app.api.put(`/admin/access-keys/${key.id}/enable`).set(app.admin).expect(200);
    expect(await read(app, key)).toEqual([6, 2]);
    await app.api.delete(`/admin/access-keys/${key.id}`).set(app.admin).expect(200);
    expect(await read(app, await aKey(app, key.character_name))).toEqual([6, 2]);
  });

  it('lose a deleted spot, and get it back in its place, on open pages too, if the deletion is undone', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const spot = await aRespawn(app);
    await star(app, key, 6, spot.id, 2).expect(200);
    await app.api.delete(`/admin/respawns/${spot.id}`).set(app.admin).expect(200);
    expect(await read(app, key)).toEqual([6, 2]);
    const own = await liveStars(app, { access_key: key.key_value });
    const stranger = await liveStars(app, { access_key: other.key_value });
    await expect.poll(() => [own, stranger]).toEqual([[[6, 2]], [[]]]);
    await undoLatest(app, 'respawn_deleted');
    expect(await read(app, key)).toEqual([6, spot.id, 2]);
    await expect
      .poll(() => [own, stranger])
      .toEqual([
        [
          [6, 2],
          [6, spot.id, 2],
        ],
        [[]],
      ]);
  });

  it('of very many members come back by a new snapshot', async () => {
    const spot = await aRespawn(app);
    const rows = Array.from({ length: MANY_CHANGES + 1 }, (_, nth) => ({
      character_key: `star ${nth}`,
      respawn_id: spot.id,
      position: 1,
    }));
    await changeUnheard(app, (tx) => tx.insertInto('stars').values(rows).execute());
    await app.api.delete(`/admin/respawns/${spot.id}`).set(app.admin).expect(200);
    await undoLatest(app, 'respawn_deleted');
    const { body } = await app.ctx.db
      .selectFrom('changes')
      .select('body')
      .orderBy('clock', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(body)).toContainEqual({ audience: 'all', change: { op: 'reset' } });
  });

  it('of deleted spots do not count towards the limit, and stay for the undo', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    await star(app, key, spot.id).expect(200);
    await app.api.delete(`/admin/respawns/${spot.id}`).set(app.admin).expect(200);
    const ids = await manySpots(app, MAX_STARS);
    await star(app, key, ...ids).expect(200);
    expect(await read(app, key)).toEqual(ids);
    await undoLatest(app, 'respawn_deleted');
    expect(await read(app, key)).toEqual(ids);
    await unstar(app, key, ids[0] ?? 0).expect(200);
    expect(await read(app, key)).toEqual([spot.id, ...ids.slice(1)]);
  });

  it('are private: no entry in the log, and in no board', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const logged = async () =>
      (await app.api.get('/admin/activity-log').set(app.admin).expect(200)).body.data.total;
    const snapshot = async (as: Record<string, string>) =>
      JSON.stringify((await app.api.get('/snapshot').set(as).expect(200)).body.data.snapshot);
    const boards = async () => [await snapshot(asMember(other)), await snapshot(app.admin)];
    const before = [await logged(), ...(await boards())];
    await star(app, key, 8, 9).expect(200);
    expect([await logged(), ...(await boards())]).toEqual(before);
  });

  it('reach all of the member’s devices at once, and nobody else', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    await star(app, key, 4).expect(200);
    const { key_value: access_key } = key;
    const [one, two, stranger, admin] = await Promise.all([
      liveStars(app, { access_key }),
      liveStars(app, { access_key }),
      liveStars(app, { access_key: other.key_value }),
      liveStars(app, { admin_token: app.admin.Authorization.replace('Bearer ', '') }),
    ]);
    const latest = () => [one.at(-1), two.at(-1), stranger.at(-1)];
    await expect.poll(latest).toEqual([[4], [4], []]);
    await star(app, key, 2).expect(200);
    await expect.poll(latest).toEqual([[4, 2], [4, 2], []]);
    await unstar(app, key, 4).expect(200);
    await expect.poll(latest).toEqual([[2], [2], []]);
    expect([stranger, admin]).toEqual([[[]], []]);
  });

  it('of two devices at once all arrive', async () => {
    const key = await aKey(app);
    await Promise.all([1, 2, 3, 4, 5, 6].map((id) => star(app, key, id).expect(200)));
    expect((await read(app, key)).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

it.each(usualDatabases)(
  'the stars of deleted spots and characters come back with an undo, and are deleted after 30 days, on %s',
  async (dialect) => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const gone = await aKey(app);
    for (const id of [1, 2]) await star(app, key, id).expect(200);
    await star(app, gone, 2).expect(200);
    await app.api.delete('/admin/respawns/1').set(app.admin).expect(200);
    await app.api.delete(`/admin/access-keys/${gone.id}`).set(app.admin).expect(200);
    await app.runDue();
    const stars = async () =>
      (
        await app.ctx.db
          .selectFrom('stars')
          .selectAll()
          .orderBy('respawn_id')
          .orderBy('character_key')
          .execute()
      ).length;
    const goTo = async (time: string): Promise<void> => {
      app.setNow(time);
      await app.runDue();
    };
    await goTo('2026-11-21T19:00:00.000Z');
    await undoLatest(app, 'respawn_deleted');
    expect(await read(app, key)).toEqual([1, 2]);
    await app.api.delete('/admin/respawns/2').set(app.admin).expect(200);
    await goTo('2026-11-21T20:00:00.000Z');
    await goTo('2026-12-21T18:00:00.000Z');
    expect(await stars()).toBe(3);
    await goTo('2026-12-21T21:00:00.000Z');
    expect(await stars()).toBe(1);
  },
);

it('many changes within a minute are refused until it is over', async () => {
  const app = await createTestApp('sqlite');
  const key = await aKey(app);
  const other = await aKey(app);
  for (let times = 0; times < MAX_STAR_CHANGES_PER_MINUTE; times += 1)
    await (times % 2 ? unstar(app, key, 1) : star(app, key, 1)).expect(200);
  for (const refused of [await star(app, key, 1), await unstar(app, key, 1)])
    expectRefusal(
      refused,
      429,
      'request.tooManyTries',
      'Too many attempts. Please wait 60 seconds.',
      { seconds: 60 },
    );
  await star(app, other, 1).expect(200);
  app.setNow('2026-11-21T18:01:01.000Z');
  expect((await star(app, key, 1).expect(200)).body.data.ids).toEqual([1]);
});

it('the stars of a member on another server that shares the database follow, too', async () => {
  const on = await freshDatabase('postgres');
  const first = await createTestApp('postgres', { on });
  const second = await createTestApp('postgres', { on });
  const key = await aKey(first);
  const got = await liveStars(second, { access_key: key.key_value });
  await star(first, key, 3).expect(200);
  await expect.poll(() => got.at(-1)).toEqual([3]);
});
