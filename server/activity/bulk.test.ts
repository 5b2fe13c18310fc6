import { describe, expect, it } from 'vitest';
import type { ActivityAction } from '../../shared/activity-actions.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { MAX_BULK } from '../../shared/schemas/bulk.ts';
import { deleteClaimsInBulk } from '../board/claims/end-claims.ts';
import { connected } from '../dev/test/board-watcher.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  anAdmin,
  aRespawn,
  asMember,
  aWait,
  ban,
  changeUnheard,
  disableRespawn,
  manyKeys,
  submit,
  submitted,
} from '../dev/test/builders.ts';
import { countingStatements } from '../dev/test/counting-statements.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { manyClaims } from '../dev/test/many-claims.ts';
import { sized } from '../dev/test/scope.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import { connect, ended } from '../dev/test/watcher.ts';
import { owedBy, watching } from '../dev/test/watching.ts';
import { changeKeysInBulk } from '../members/access-keys.ts';
import { records } from '../members/verification/test/verify.ts';
import { splitOn, undoLatest } from './test/undo.ts';

type Things = 'access-keys' | 'verified-codes' | 'claims' | 'respawns';
/** No row has it. */
const GONE = 2_000_000_000;
const PATIENCE_MS = 120_000;

const bulk = (
  app: TestApp,
  things: Things,
  ids: readonly unknown[],
  command: object,
  headers = app.admin,
) => app.api.post(`/admin/${things}/bulk`).set(headers).send({ ids, command });
const idsOf = (all: readonly { id: number }[]): number[] => all.map(({ id }) => id);
const namesOf = (all: readonly { character_name: string }[]): string[] =>
  all.map(({ character_name }) => character_name);

/** Does it, and expects one entry of this action for it. @returns what the entry says */
async function done(
  app: TestApp,
  things: Things,
  ids: readonly number[],
  command: object,
  changed: number,
  action: string,
) {
  const entries = await owedBy(app, async () => {
    const { body } = await bulk(app, things, ids, command).expect(200);
    expect(body.data).toEqual({
      changed,
      unchanged: ids.length - changed,
      activity_id: expect.any(Number),
    });
  });
  const own = entries.filter((entry) => entry.actor_kind === 'admin');
  expect(own.map((entry) => entry.action)).toEqual([action]);
  return own[0]?.details;
}

async function unchanged(
  app: TestApp,
  things: Things,
  ids: readonly number[],
  command: object,
): Promise<void> {
  const entries = await owedBy(app, async () => {
    const { body } = await bulk(app, things, ids, command).expect(200);
    expect(body.data).toEqual({ changed: 0, unchanged: ids.length, activity_id: null });
  });
  expect(entries).toEqual([]);
}

async function recordsOf(app: TestApp, names: readonly string[]): Promise<number[]> {
  return idsOf((await records(app)).filter(({ character_name }) => names.includes(character_name)));
}

async function verified(app: TestApp): Promise<string> {
  const character_name = aName();
  await app.api.post('/admin/verify-character').set(app.admin).send({ character_name }).expect(200);
  return character_name;
}

/** Undoes the newest entry of an action. */
const undone = (app: TestApp, action: ActivityAction) =>
  undoLatest(app, action).then(({ status, body }) =>
    expect([status, body]).toEqual([200, expect.anything()]),
  );

describe.each(databases)('keys in bulk on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const keyOf = async ({ id }: AccessKey) =>
    app.ctx.db
      .selectFrom('access_keys')
      .select(['is_revoked', 'member_type'])
      .where('id', '=', id)
      .executeTakeFirst();

  it('are revoked with one log entry, and their connections end with the reason; revoked and missing keys count as unchanged', async () => {
    const one = await aKey(app);
    const two = await aKey(app);
    const before = await aKey(app);
    const other = await aKey(app);
    await app.api.put(`/admin/access-keys/${before.id}/revoke`).set(app.admin).expect(200);
    const sockets = [one, two, other].map(({ key_value }) =>
      connect(app.url, { access_key: key_value }),
    );
    await Promise.all(sockets.map(connected));
    const reasons = sockets.slice(0, 2).map(ended);
    const { expectSynced } = await watching(app);
    const details = await done(
      app,
      'access-keys',
      [...idsOf([one, two, before]), GONE],
      { do: 'revoke' },
      2,
      'access_keys_revoked',
    );
    expect(details).toEqual({ count: 2, names: namesOf([one, two]) });
    expect((await Promise.all(reasons)).map(({ code }) => code)).toEqual([
      'session.keyRevoked',
      'session.keyRevoked',
    ]);
    await expectSynced();
    expect(sockets[2]?.connected).toBe(true);
    for (const key of [one, two]) await app.api.get('/respawns').set(asMember(key)).expect(403);
    await unchanged(app, 'access-keys', idsOf([one, two, before]), { do: 'revoke' });
    await done(
      app,
      'access-keys',
      idsOf([one, two, other]),
      { do: 'enable' },
      2,
      'access_keys_enabled',
    );
    for (const key of [one, two]) await app.api.get('/respawns').set(asMember(key)).expect(200);
    await undone(app, 'access_keys_enabled');
    for (const key of [one, two]) await app.api.get('/respawns').set(asMember(key)).expect(403);
    await expectSynced();
  });

  it('take their holders’ waits along: to another type, or off their waitlists', async () => {
    const holder = await aKey(app);
    const first = await aKey(app);
    const second = await aKey(app);
    const { id: respawn_id } = await aRespawn(app);
    const type = await aMemberType(app);
    await submitted(app, holder, aClaim(holder, { respawn_id }));
    for (const key of [first, second]) await aWait(app, key, { respawn_id });
    const waits = () =>
      app.ctx.db
        .selectFrom('waits')
        .select(['member_type', 'status'])
        .where('respawn_id', '=', respawn_id)
        .execute();
    const { expectSynced } = await watching(app);
    const move = { do: 'move', member_type: type.toUpperCase() };
    expect(
      await done(app, 'access-keys', idsOf([first, second]), move, 2, 'access_keys_moved'),
    ).toMatchObject({ member_type: type });
    expect(await waits()).toEqual([1, 2].map(() => ({ member_type: type, status: 'waiting' })));
    await undone(app, 'access_keys_moved');
    expect(await waits()).toEqual([1, 2].map(() => ({ member_type: 'member', status: 'waiting' })));
    await done(app, 'access-keys', idsOf([first, second]), move, 2, 'access_keys_moved');
    await unchanged(app, 'access-keys', idsOf([first, second]), move);
    await done(
      app,
      'access-keys',
      idsOf([first, second]),
      { do: 'revoke' },
      2,
      'access_keys_revoked',
    );
    expect(await waits()).toEqual([1, 2].map(() => ({ member_type: type, status: 'void' })));
    await expectSynced();
  });

  it('are deleted with the records of their characters, and a ban stays to be seen', async () => {
    const one = await verified(app);
    const two = await verified(app);
    const keys = (await app.ctx.db.selectFrom('access_keys').selectAll().execute()).filter((key) =>
      [one, two].includes(key.character_name),
    );
    await ban(app, { character_name: two });
    const before = await recordsOf(app, [one, two]);
    const { expectSynced } = await watching(app);
    const details = await done(
      app,
      'access-keys',
      [...idsOf(keys), GONE],
      { do: 'delete' },
      2,
      'access_keys_deleted',
    );
    expect(details).toEqual({ count: 2, names: [one, two], verification_records: 2 });
    const left = (await records(app)).filter(({ character_name }) =>
      [one, two].includes(character_name),
    );
    expect(left).toMatchObject([{ character_name: two, code: null, verified_at: null, banned: 1 }]);
    await undone(app, 'access_keys_deleted');
    expect(
      await app.ctx.db
        .selectFrom('access_keys')
        .selectAll()
        .where('id', 'in', idsOf(keys))
        .execute(),
    ).toEqual(keys);
    expect(await recordsOf(app, [one, two])).toEqual(before);
    await expectSynced();
  });

  it('are refused whole where one may not be moved, or the type is none', async () => {
    const active = await aKey(app);
    const revoked = await aKey(app);
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    const move = (member_type: string) =>
      bulk(app, 'access-keys', idsOf([active, revoked]), { do: 'move', member_type });
    const sentence = 'Only active keys can have their member type edited.';
    expectRefusal(await expectNoTick(app, () => move('elite')), 409, 'key.notActive', sentence, {});
    expectRefusal(
      await expectNoTick(app, () => move('nobility')),
      404,
      'memberType.notFound',
      'There is no such member type.',
      {},
    );
    expect(await keyOf(active)).toEqual({ is_revoked: 0, member_type: 'member' });
  });

  const TOO_MANY = Array.from({ length: MAX_BULK + 1 }, (_, at) => at + 1);
  it.each([
    ['none', [], { do: 'revoke' }, 'ids'],
    ['one twice', [7, 7], { do: 'revoke' }, 'ids'],
    ['too many', TOO_MANY, { do: 'revoke' }, 'ids'],
    ['what is no id', ['7'], { do: 'revoke' }, 'ids.0'],
    ['no deed', [7], {}, 'command.do'],
    ['the deed of others', [7], { do: 'unban' }, 'command.do'],
    ['no type', [7], { do: 'move' }, 'command.member_type'],
  ])('are not asked for as %s', async (_what, ids, command, field) => {
    const answer = await expectNoTick(app, () => bulk(app, 'access-keys', ids, command));
    expect([answer.status, answer.body.code, answer.body.params.field]).toEqual([
      400,
      'request.invalid',
      field,
    ]);
  });

  it('are refused to a moderator, who may delete claims in bulk', async () => {
    const { headers } = await anAdmin(app, 'moderator');
    for (const [things, command] of [
      ['access-keys', { do: 'enable' }],
      ['verified-codes', { do: 'unban' }],
      ['respawns', { do: 'enable' }],
    ] as const) {
      const refused = await expectNoTick(app, () => bulk(app, things, [GONE], command, headers));
      expectRefusal(refused, 403, 'session.notAllowed', 'Your role does not allow this.', {});
    }
    await bulk(app, 'claims', [GONE], { do: 'delete' }, headers).expect(200);
  });
});

describe.each(databases)('characters in bulk on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('are banned, which ends their connections, and unbanned, each character once', async () => {
    const names = [await verified(app), await verified(app)];
    const again = {
      code: 'CODE-AGAIN',
      token_hash: null,
      address_hash: null,
      created_at: NOW,
      expires_at: NOW,
      verified_at: null,
    };
    const [first = ''] = names;
    await changeUnheard(app, (tx) =>
      tx
        .insertInto('verifications')
        .values({ ...again, character_name: first, character_key: nameKey(first) })
        .execute(),
    );
    const ids = await recordsOf(app, names);
    const keys = (await app.ctx.db.selectFrom('access_keys').selectAll().execute()).filter((key) =>
      names.includes(key.character_name),
    );
    const sockets = keys.map(({ key_value }) => connect(app.url, { access_key: key_value }));
    await Promise.all(sockets.map(connected));
    const reasons = sockets.map(ended);
    const { expectSynced } = await watching(app);
    const details = await done(
      app,
      'verified-codes',
      [...ids, GONE],
      { do: 'ban' },
      3,
      'characters_banned',
    );
    expect(details?.count).toBe(2);
    expect((await Promise.all(reasons)).map(({ code }) => code)).toEqual([
      'session.banned',
      'session.banned',
    ]);
    await unchanged(app, 'verified-codes', ids, { do: 'ban' });
    const banned = async () =>
      (await records(app))
        .filter((record) => ids.includes(record.id))
        .map((record) => record.banned);
    await undone(app, 'characters_banned');
    expect(await banned()).toEqual([0, 0, 0]);
    await done(app, 'verified-codes', ids, { do: 'ban' }, 3, 'characters_banned');
    await done(app, 'verified-codes', ids, { do: 'unban' }, 3, 'characters_unbanned');
    await undone(app, 'characters_unbanned');
    expect(await banned()).toEqual([1, 1, 1]);
    await done(app, 'verified-codes', ids, { do: 'unban' }, 3, 'characters_unbanned');
    expect((await records(app)).filter(({ banned }) => banned === 1)).toEqual([]);
    await expectSynced();
  });

  it('lose their keys and get them back; who has none counts as unchanged', async () => {
    const one = await verified(app);
    const two = await verified(app);
    const none = aName();
    await app.api
      .post('/admin/ban-character')
      .set(app.admin)
      .send({ character_name: none })
      .expect(200);
    const ids = await recordsOf(app, [one, two, none]);
    await done(app, 'verified-codes', ids, { do: 'revoke' }, 2, 'access_keys_revoked');
    const revoked = (await records(app))
      .filter(({ id }) => ids.includes(id))
      .map(({ access_revoked }) => access_revoked);
    expect(revoked.sort()).toEqual([0, 1, 1]);
    await done(app, 'verified-codes', ids, { do: 'enable' }, 2, 'access_keys_enabled');
  });

  it('lose their records, but none shows no ban any more', async () => {
    const one = await verified(app);
    const two = await verified(app);
    await app.api
      .post('/admin/ban-character')
      .set(app.admin)
      .send({ character_name: two })
      .expect(200);
    const ids = await recordsOf(app, [one, two]);
    const refused = await expectNoTick(app, () =>
      bulk(app, 'verified-codes', ids, { do: 'delete' }),
    );
    const sentence = `This is the last record of a banned character. Unban ${two} first.`;
    expectRefusal(refused, 409, 'verification.bannedCharacter', sentence, { character_name: two });
    expect(await recordsOf(app, [one, two])).toEqual(ids);
    const { expectSynced } = await watching(app);
    await done(
      app,
      'verified-codes',
      await recordsOf(app, [one]),
      { do: 'delete' },
      1,
      'verifications_deleted',
    );
    expect(await recordsOf(app, [one])).toEqual([]);
    await undone(app, 'verifications_deleted');
    expect(await recordsOf(app, [one, two])).toEqual(ids);
    await expectSynced();
  });
});

describe.each(databases)('claims in bulk on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('are deleted with one entry, split claims whole; the reason is stored and members on the waitlist get offers', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const next = await aKey(app);
    const spots = idsOf([await aRespawn(app), await aRespawn(app)]);
    const [one] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: spots[0] ?? 0, hour_start: 18, hour_end: 22 }),
    );
    const [split] = await submitted(app, other, aClaim(other, splitOn(...spots)));
    const ids = [one?.id ?? 0, split?.id ?? 0];
    await aWait(app, next, { respawn_id: spots[0] ?? 0, hour_start: 18, hour_end: 22 });
    const { expectSynced } = await watching(app);
    const details = await done(
      app,
      'claims',
      [...ids, GONE],
      { do: 'delete' },
      2,
      'claims_deleted',
    );
    expect(details).toEqual({ count: 2, names: namesOf([key, other]) });
    const endings = await app.ctx.db
      .selectFrom('claim_endings')
      .select('reason')
      .where('claim_id', 'in', ids)
      .execute();
    expect(endings).toEqual([1, 2, 3].map(() => ({ reason: 'admin' })));
    const wait = app.ctx.db
      .selectFrom('waits')
      .select('status')
      .where('character_name', '=', next.character_name);
    expect(await wait.execute()).toEqual([{ status: 'offered' }]);
    await expectSynced();
    await unchanged(app, 'claims', ids, { do: 'delete' });
    // The undo withdraws the offer of its hours.
    await undone(app, 'claims_deleted');
    expect(await wait.execute()).toEqual([{ status: 'waiting' }]);
    expect(
      idsOf(
        await app.ctx.db.selectFrom('claims').select('id').where('id', 'in', ids).execute(),
      ).sort(),
    ).toEqual(ids.sort());
    await expectSynced();
  });

  it('that were only holds are not restored: their waitlist entries are reopened', async () => {
    await app.api.put('/admin/config').set(app.admin).send({ waits_enabled: 1 }).expect(200);
    const holder = await aKey(app);
    const next = await aKey(app);
    const { id: respawn_id } = await aRespawn(app);
    const [claim] = await submitted(
      app,
      holder,
      aClaim(holder, { respawn_id, hour_start: 18, hour_end: 22 }),
    );
    await aWait(app, next, { respawn_id, hour_start: 18, hour_end: 22 });
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    const held = app.ctx.db.selectFrom('claims').select('id').where('held_until', 'is not', null);
    const ids = idsOf(await held.where('character_name', '=', next.character_name).execute());
    const { body } = await bulk(app, 'claims', ids, { do: 'delete' }).expect(200);
    expect(body.data).toEqual({ changed: 1, unchanged: 0, activity_id: expect.any(Number) });
    const wait = app.ctx.db
      .selectFrom('waits')
      .select('ended_at')
      .where('character_name', '=', next.character_name);
    expect(await wait.execute()).toEqual([{ ended_at: expect.any(String) }]);
    await undone(app, 'claims_deleted');
    expect(await wait.execute()).toEqual([{ ended_at: null }]);
  });
});

describe.each(databases)('respawns in bulk on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const stored = (ids: readonly number[]) =>
    app.ctx.db
      .selectFrom('respawns')
      .select(['is_enabled', 'category_id'])
      .where('id', 'in', ids)
      .execute();

  it('are disabled, which ends the waits there, and enabled', async () => {
    const spots = [await aRespawn(app), await aRespawn(app), await aRespawn(app)];
    const [one, , before] = spots;
    const holder = await aKey(app);
    const next = await aKey(app);
    await submitted(app, holder, aClaim(holder, { respawn_id: one?.id ?? 0 }));
    await aWait(app, next, { respawn_id: one?.id ?? 0 });
    await disableRespawn(app, before?.id ?? 0);
    const { expectSynced } = await watching(app);
    const details = await done(
      app,
      'respawns',
      [...idsOf(spots), GONE],
      { do: 'disable' },
      2,
      'respawns_disabled',
    );
    expect(details).toEqual({
      count: 2,
      names: expect.arrayContaining(spots.slice(0, 2).map(({ name }) => name)),
    });
    const wait = app.ctx.db
      .selectFrom('waits')
      .select('status')
      .where('character_name', '=', next.character_name);
    expect(await wait.execute()).toEqual([{ status: 'void' }]);
    expect(
      (
        await submit(
          app,
          next,
          aClaim(next, { respawn_id: one?.id ?? 0, hour_start: 20, hour_end: 22 }),
        )
      ).status,
    ).not.toBe(201);
    await expectSynced();
    await undone(app, 'respawns_disabled');
    expect((await stored(idsOf(spots))).map(({ is_enabled }) => is_enabled).sort()).toEqual([
      0, 1, 1,
    ]);
    await done(app, 'respawns', idsOf(spots), { do: 'disable' }, 2, 'respawns_disabled');
    await done(app, 'respawns', idsOf(spots), { do: 'enable' }, 3, 'respawns_enabled');
    await unchanged(app, 'respawns', idsOf(spots), { do: 'enable' });
    await expectSynced();
  });

  it('are put into a category that there is, or into none', async () => {
    const ids = idsOf([await aRespawn(app), await aRespawn(app)]);
    const category = (
      await app.api
        .post('/categories')
        .set(app.admin)
        .send({ name: aName('Category') })
        .expect(201)
    ).body.data;
    const { expectSynced } = await watching(app);
    const move = { do: 'move', category_id: category.id };
    expect(await done(app, 'respawns', ids, move, 2, 'respawns_moved')).toMatchObject({
      count: 2,
      category_name: category.name,
    });
    await unchanged(app, 'respawns', ids, move);
    expect(
      await done(app, 'respawns', ids, { do: 'move', category_id: null }, 2, 'respawns_moved'),
    ).toMatchObject({ category_name: null });
    const refused = await expectNoTick(app, () =>
      bulk(app, 'respawns', ids, { do: 'move', category_id: GONE }),
    );
    expectRefusal(refused, 404, 'category.notFound', 'This category no longer exists.', {});
    expect(await stored(ids)).toEqual([1, 2].map(() => ({ is_enabled: 1, category_id: null })));
    await expectSynced();
  });

  it('are deleted with their claims, a claim on two of them once, and with pictures that nothing else uses', async () => {
    const spots = [await aRespawn(app), await aRespawn(app), await aRespawn(app)];
    const ids = idsOf(spots);
    const key = await aKey(app);
    const other = await aKey(app);
    const next = await aKey(app);
    await submitted(app, key, aClaim(key, splitOn(...ids.slice(0, 2))));
    await submitted(
      app,
      other,
      aClaim(other, { respawn_id: ids[0] ?? 0, hour_start: 18, hour_end: 22 }),
    );
    await aWait(app, next, { respawn_id: ids[0] ?? 0, hour_start: 18, hour_end: 22 });
    const { expectSynced } = await watching(app);
    const details = await done(
      app,
      'respawns',
      [...ids, GONE],
      { do: 'delete' },
      3,
      'respawns_deleted',
    );
    expect(details).toMatchObject({ count: 3, claim_count: 2 });
    expect(await stored(ids)).toEqual([]);
    const endings = app.ctx.db
      .selectFrom('claim_endings')
      .select('reason')
      .where('respawn_id', 'in', ids);
    expect(await endings.execute()).toEqual([1, 2, 3].map(() => ({ reason: 'respawn' })));
    const wait = app.ctx.db
      .selectFrom('waits')
      .select('status')
      .where('character_name', '=', next.character_name);
    expect(await wait.execute()).toEqual([{ status: 'void' }]);
    await undone(app, 'respawns_deleted');
    expect(await stored(ids)).toHaveLength(3);
    await expectSynced();
  });
});

describe.each(databases)('many at once on %s', (dialect) => {
  /** The maximum of one command, or at least more than the log names and changes are sent one by one. */
  const many = dialect === 'sqlite' ? MAX_BULK : sized(600, MAX_BULK);

  it(
    "keys: their holders' connections end, admins reload once, members don't, and no statement handles a single key",
    async () => {
      const app = await createTestApp(dialect);
      const keys = await manyKeys(app, many);
      const one = keys[0];
      const another = keys[many - 1];
      const sockets = [one, another].map((key) =>
        connect(app.url, { access_key: key?.key_value ?? '' }),
      );
      await Promise.all(sockets.map(connected));
      const { expectSynced } = await watching(app);
      const counted = countingStatements(app.ctx);
      const admin = {
        role: 'admin',
        admin_id: 1,
        admin_role: 'owner',
        username: 'admin',
        token_hash: '',
      } as const;
      const reasons = sockets.map(ended);
      await changeKeysInBulk(counted.ctx, admin, { ids: idsOf(keys), command: { do: 'revoke' } });
      expect((await Promise.all(reasons)).map(({ code }) => code)).toEqual([
        'session.keyRevoked',
        'session.keyRevoked',
      ]);
      await expectSynced(1, 0);
      expect(counted.count()).toBeLessThan(40);
      await bulk(app, 'access-keys', idsOf(keys), { do: 'enable' }).expect(200);
      const retyped = [one, another].map((key) =>
        connect(app.url, { access_key: key?.key_value ?? '' }),
      );
      await Promise.all(retyped.map(connected));
      const lost = retyped.map(
        (socket) => new Promise((resolve) => socket.once('disconnect', resolve)),
      );
      await bulk(app, 'access-keys', idsOf(keys), { do: 'move', member_type: 'elite' }).expect(200);
      await Promise.all(lost);
      await bulk(app, 'access-keys', idsOf(keys), { do: 'delete' }).expect(200);
      await undone(app, 'access_keys_deleted');
      expect(
        await app.ctx.db
          .selectFrom('access_keys')
          .select('id')
          .where('id', 'in', idsOf(keys.slice(0, 500)))
          .execute(),
      ).toHaveLength(500);
      await expectSynced(5, 0);
    },
    PATIENCE_MS,
  );

  it(
    'characters: banned and unbanned',
    async () => {
      const app = await createTestApp(dialect);
      const keys = await manyKeys(app, sized(600, MAX_BULK));
      const record = {
        code: null,
        token_hash: null,
        created_at: NOW,
        expires_at: null,
        verified_at: NOW,
      };
      const rows = keys.map(
        ({ character_name, character_key }: AccessKey & { character_key?: string }) => {
          return {
            ...record,
            character_name,
            character_key: character_key ?? nameKey(character_name),
          };
        },
      );
      await changeUnheard(app, async (tx) => {
        for (let at = 0; at < rows.length; at += 1_000)
          await tx
            .insertInto('verifications')
            .values(rows.slice(at, at + 1_000))
            .execute();
      });
      const ids = idsOf(await app.ctx.db.selectFrom('verifications').select('id').execute());
      const socket = connect(app.url, { access_key: keys[0]?.key_value ?? '' });
      await connected(socket);
      const reason = ended(socket);
      const { expectSynced } = await watching(app);
      await bulk(app, 'verified-codes', ids, { do: 'ban' }).expect(200);
      expect((await reason).code).toBe('session.banned');
      // Of two resets that come while a board is loaded one loading is enough.
      await expectSynced(1, 0);
      await bulk(app, 'verified-codes', ids, { do: 'unban' }).expect(200);
      await expectSynced(2, 0);
      await bulk(app, 'verified-codes', ids, { do: 'delete' }).expect(200);
      await expectSynced(3, 0);
    },
    PATIENCE_MS,
  );

  it(
    'claims and spots: all watchers reload once, and the rest stays as stored',
    async () => {
      const app = await createTestApp(dialect);
      await manyClaims(app, { count: many + 600, spots: 20 });
      const ids = idsOf(
        await app.ctx.db.selectFrom('claims').select('id').orderBy('id').limit(many).execute(),
      );
      const { expectSynced } = await watching(app);
      const counted = countingStatements(app.ctx);
      const admin = {
        role: 'admin',
        admin_id: 1,
        admin_role: 'owner',
        username: 'admin',
        token_hash: '',
      } as const;
      expect(await deleteClaimsInBulk(counted.ctx, admin, ids)).toMatchObject({ changed: many });
      expect(counted.count()).toBeLessThan(120);
      await expectSynced(1);
      await undone(app, 'claims_deleted');
      await expectSynced(2);
      const spots = idsOf(await app.ctx.db.selectFrom('respawns').select('id').execute());
      const { body } = await bulk(app, 'respawns', spots, { do: 'delete' }).expect(200);
      expect(body.data.changed).toBe(spots.length);
      expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
      await expectSynced(3);
    },
    PATIENCE_MS,
  );
});
