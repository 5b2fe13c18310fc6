import { Socket } from 'socket.io';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ALL_KINDS } from '../../shared/kinds.ts';
import { connected } from '../dev/test/board-watcher.ts';
import { aClaim, aKey, aName, asMember, submit } from '../dev/test/builders.ts';
import { databases, usualDatabases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import { connect, ended, Watcher } from '../dev/test/watcher.ts';
import {
  aCode,
  actions,
  asAdmin,
  checked,
  records,
  setSeconds,
  verified,
  verifying,
} from './verification/test/verify.ts';

const BANNED = 'This character is banned. Please contact an admin.';
const GONE = 'This verification record no longer exists.';

const tokenOf = (app: TestApp): string => app.admin.Authorization.replace('Bearer ', '');
const remove = (app: TestApp, id: number) =>
  app.api.delete(`/admin/verified-codes/${id}`).set(app.admin);
/** The records of one character, the newest first. */
const recordsOf = async (app: TestApp, name: string) =>
  (await records(app)).filter((record) => record.character_name === name);

describe.each(databases)('verifying by hand on %s', (dialect) => {
  const app = createSuiteApp(dialect, { env: { CHARACTER_CHECK: 'manual' } });
  const verify = (name: unknown) => asAdmin(app, 'verify-character', name);

  it('creates a record and a key for an unknown character', async () => {
    const name = aName();
    const { body } = await verify(`  ${name} `).expect(200);
    expect(body.data).toEqual({
      id: expect.any(Number),
      character_name: name,
      code: null,
      access_key: expect.any(String),
      access_member_type: 'member',
      member_type: 'member',
      created_at: NOW,
      verified_at: NOW,
      access_revoked: 0,
      banned: 0,
    });
    await app.api
      .get('/respawns')
      .set(asMember({ key_value: body.data.access_key }))
      .expect(200);
    const [key] = (await app.api.get('/admin/access-keys').set(app.admin)).body.data;
    expect(key).toMatchObject({ character_name: name, created_by_username: 'admin' });
    expect((await actions(app))[0]).toMatchObject({
      action: 'user_verified',
      admin_username: 'admin',
      details: { character_name: name },
    });
  });

  it("marks the newest code as verified, but gives the key to no browser: the character's owner was not checked", async () => {
    const name = 'Bubble Gum';
    const older = await aCode(app, name);
    const newer = await aCode(app, name.toUpperCase());
    const { body } = await verify(name).expect(200);
    expect(body.data).toMatchObject({
      code: newer.code,
      verified_at: NOW,
      access_key: expect.any(String),
    });
    expect(await checked(app, name, newer.verification_token)).toEqual({
      verified: true,
      characterName: name,
    });
    expect(await checked(app, name, older.verification_token)).toMatchObject({
      verified: false,
      reason: 'verification.manual',
    });
  });

  it('leaves an existing key unchanged', async () => {
    const key = await aKey(app, aName(), 'elite');
    const { body } = await verify(key.character_name).expect(200);
    expect(body.data).toMatchObject({
      access_key: key.key_value,
      access_member_type: 'elite',
      member_type: 'elite',
    });
  });

  it('is refused for a character that is verified, or banned, and without a name', async () => {
    const done = aName();
    const banned = aName();
    await verify(done).expect(200);
    await asAdmin(app, 'ban-character', banned).expect(200);
    await expectNoTick(app, async () => {
      const params = { character_name: done };
      expectRefusal(
        await verify(done),
        409,
        'character.alreadyVerified',
        `${done} is already verified.`,
        params,
      );
      const sentence = `${banned.toUpperCase()} is banned. Unban the character first.`;
      expectRefusal(await verify(banned.toUpperCase()), 409, 'character.banned', sentence, {
        character_name: banned.toUpperCase(),
      });
      for (const what of [
        'verify-character',
        'revoke-character-access',
        'restore-character-access',
        'ban-character',
        'unban-character',
      ]) {
        for (const name of [undefined, '', '  ', 7]) {
          const refused = await asAdmin(app, what, name);
          expectRefusal(refused, 400, 'character.nameRequired', 'Character name is required', {
            field: 'character_name',
          });
        }
      }
    });
  });
});

describe.each(databases)('the access of characters on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('is revoked and restored by name, in any case', async () => {
    const key = await aKey(app);
    const name = key.character_name.toUpperCase();
    expect((await asAdmin(app, 'revoke-character-access', name).expect(200)).body).toEqual({
      success: true,
    });
    expectRefusal(
      await app.api.get('/respawns').set(asMember(key)),
      403,
      'session.keyRevoked',
      'This access key has been revoked. Please contact an admin.',
    );
    expect((await actions(app))[0]).toMatchObject({
      action: 'access_key_revoked',
      details: { character_name: key.character_name },
    });
    expect((await asAdmin(app, 'restore-character-access', name).expect(200)).body).toEqual({
      success: true,
    });
    await app.api.get('/respawns').set(asMember(key)).expect(200);
    expect((await actions(app))[0]).toMatchObject({ action: 'access_key_enabled' });
  });

  it('needs a key to revoke or restore', async () => {
    await expectNoTick(app, async () => {
      for (const what of ['revoke-character-access', 'restore-character-access']) {
        expectRefusal(
          await asAdmin(app, what, 'Nobody'),
          404,
          'key.notFound',
          'Access key not found',
          {},
        );
      }
    });
  });
});

describe.each(databases)('bans of characters on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('close everything to their characters until they end', async () => {
    const key = await aKey(app);
    const { character_name } = key;
    expect(
      (await asAdmin(app, 'ban-character', ` ${character_name.toUpperCase()}`).expect(200)).body,
    ).toEqual({ success: true });
    await expectNoTick(app, async () => {
      const refusals = [
        await app.api.get('/respawns').set(asMember(key)),
        await app.api.post('/validate-access-key').send({ accessKey: key.key_value }),
        await app.api.post('/login').send({ accessKey: key.key_value }),
        await submit(app, key, aClaim(key)),
        await app.api.post('/check-verification').send({ characterName: character_name }),
      ];
      for (const refused of refusals) expectRefusal(refused, 403, 'session.banned', BANNED, {});
      const created = await app.api
        .post('/admin/access-keys')
        .set(app.admin)
        .send({ characterName: character_name });
      expect([created.status, created.body.code]).toEqual([409, 'character.banned']);
      await expect(
        connected(connect(app.url, { access_key: key.key_value })),
      ).rejects.toMatchObject({ data: { code: 'session.banned' } });
    });
    expect((await actions(app))[0]).toMatchObject({
      action: 'user_banned',
      admin_username: 'admin',
    });
    expect((await asAdmin(app, 'unban-character', character_name).expect(200)).body).toEqual({
      success: true,
    });
    await app.api.get('/respawns').set(asMember(key)).expect(200);
    expect((await actions(app))[0]).toMatchObject({
      action: 'user_unbanned',
      details: { character_name },
    });
  });

  it('of characters without records are shown by a record that is deleted with the ban', async () => {
    const name = aName('Stranger');
    await asAdmin(app, 'ban-character', name).expect(200);
    const [record, ...others] = await recordsOf(app, name);
    expect(record).toMatchObject({
      code: null,
      access_key: null,
      verified_at: null,
      banned: 1,
      access_revoked: 0,
    });
    expect(others).toEqual([]);
    await asAdmin(app, 'unban-character', name).expect(200);
    expect(await recordsOf(app, name)).toEqual([]);
  });

  it('stay visible when the key of the character is deleted, and its last record is not deleted', async () => {
    const { id, character_name } = await aKey(app);
    await asAdmin(app, 'verify-character', character_name).expect(200);
    await asAdmin(app, 'ban-character', character_name).expect(200);
    await app.api.delete(`/admin/access-keys/${id}`).set(app.admin).expect(200);
    const [record] = await recordsOf(app, character_name);
    expect(record).toMatchObject({ code: null, verified_at: null, access_key: null, banned: 1 });
    const sentence = `This is the last record of a banned character. Unban ${character_name} first.`;
    await expectNoTick(app, async () => {
      expectRefusal(
        await remove(app, record?.id ?? 0),
        409,
        'verification.bannedCharacter',
        sentence,
        { character_name },
      );
    });
  });

  it('are made and ended once', async () => {
    const name = aName();
    const params = { character_name: name };
    await asAdmin(app, 'ban-character', name).expect(200);
    await expectNoTick(app, async () => {
      expectRefusal(
        await asAdmin(app, 'ban-character', name),
        409,
        'character.alreadyBanned',
        `${name} is already banned.`,
        params,
      );
    });
    await asAdmin(app, 'unban-character', name).expect(200);
    await expectNoTick(app, async () => {
      expectRefusal(
        await asAdmin(app, 'unban-character', name),
        404,
        'character.notBanned',
        `${name} is not banned.`,
        params,
      );
    });
  });

  it('are made of many keys at once, verified or not, and undone at once', async () => {
    const plain = await aKey(app);
    const other = await aKey(app);
    await asAdmin(app, 'verify-character', other.character_name).expect(200);
    const banned = await aKey(app);
    await asAdmin(app, 'ban-character', banned.character_name).expect(200);
    const ids = [plain.id, other.id, banned.id];
    const { body } = await app.api
      .post('/admin/access-keys/bulk')
      .set(app.admin)
      .send({ ids, command: { do: 'ban' } })
      .expect(200);
    expect(body.data).toMatchObject({ changed: 2, unchanged: 1 });
    const marks = await recordsOf(app, plain.character_name);
    expect(marks).toMatchObject([{ banned: 1, code: null, verified_at: null }]);
    await app.api.get('/respawns').set(asMember(plain)).expect(403);
    await app.api
      .post(`/admin/activity-log/${body.data.activity_id}/undo`)
      .set(app.admin)
      .expect(200);
    expect(await recordsOf(app, plain.character_name)).toEqual([]);
    await app.api.get('/respawns').set(asMember(plain)).expect(200);
    await app.api.get('/respawns').set(asMember(banned)).expect(403);
  });

  it('leave a revoked key revoked when they end', async () => {
    const key = await aKey(app);
    for (const what of ['revoke-character-access', 'ban-character', 'unban-character']) {
      await asAdmin(app, what, key.character_name).expect(200);
    }
    expect((await app.api.get('/respawns').set(asMember(key))).body.code).toBe(
      'session.keyRevoked',
    );
  });
});

describe.each(databases)('deleting a verification record on %s', (dialect) => {
  it('leaves the key; the second deletion is 404', async () => {
    const context = await verifying(dialect);
    const { app } = context;
    const { accessKey, verification_token } = await verified(context);
    const [record] = await records(app);
    const id = record?.id ?? 0;
    expect((await remove(app, id).expect(200)).body).toEqual({ success: true });
    expect(await records(app)).toEqual([]);
    await app.api
      .get('/respawns')
      .set({ 'X-Access-Key': accessKey ?? '' })
      .expect(200);
    expect(await checked(app, 'Bubble', verification_token)).toEqual({
      verified: true,
      characterName: 'Bubble',
    });
    expect((await actions(app))[0]).toMatchObject({
      action: 'verification_deleted',
      details: { character_name: 'Bubble' },
    });
    await expectNoTick(app, async () =>
      expectRefusal(await remove(app, id), 404, 'verification.notFound', GONE, {}),
    );
  });
});

describe.each(usualDatabases)('live connections on %s', (dialect) => {
  it('end at once when their character is banned or its access revoked, with the reason, and no others', async () => {
    const app = await createTestApp(dialect);
    const banned = await aKey(app);
    const revoked = await aKey(app);
    const other = await aKey(app);
    const sockets = [banned, banned, revoked, other].map((key) =>
      connect(app.url, { access_key: key.key_value }),
    );
    await Promise.all(sockets.map(connected));
    const [first, second, third, last] = sockets;
    if (!first || !second || !third || !last) throw new Error('four sockets');
    const reasons = Promise.all([ended(first), ended(second), ended(third)]);
    await asAdmin(app, 'ban-character', banned.character_name.toLowerCase()).expect(200);
    await asAdmin(app, 'revoke-character-access', revoked.character_name).expect(200);
    expect(await reasons).toEqual([
      { code: 'session.banned', error: BANNED, params: {} },
      { code: 'session.banned', error: BANNED, params: {} },
      {
        code: 'session.keyRevoked',
        error: 'This access key has been revoked. Please contact an admin.',
        params: {},
      },
    ]);
    await expect
      .poll(() => sockets.map((socket) => socket.connected))
      .toEqual([false, false, false, true]);
  });

  it('do not survive a ban that is made after their key was looked up and before they are open', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const join = Socket.prototype.join;
    vi.spyOn(Socket.prototype, 'join').mockImplementationOnce(async function (this: Socket, rooms) {
      await asAdmin(app, 'ban-character', key.character_name).expect(200);
      await join.call(this, rooms);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const socket = connect(app.url, { access_key: key.key_value });
    const [reason] = await Promise.all([ended(socket), connected(socket)]);
    expect(reason.code).toBe('session.banned');
    await expect.poll(() => socket.connected).toBe(false);
  });

  it('of an admin end when the admin signs out', async () => {
    const app = await createTestApp(dialect);
    const other = await app.api
      .post('/login')
      .send({ username: 'admin', password: 'hunting-at-night' });
    const [leaving, staying] = [other.body.data.token, tokenOf(app)].map((admin_token) =>
      connect(app.url, { admin_token }),
    );
    if (!leaving || !staying) throw new Error('two sockets');
    await Promise.all([connected(leaving), connected(staying)]);
    const reason = ended(leaving);
    await app.api
      .post('/logout')
      .set('Authorization', `Bearer ${other.body.data.token}`)
      .expect(200);
    expect((await reason).code).toBe('session.expired');
    await expect.poll(() => [leaving.connected, staying.connected]).toEqual([false, true]);
  });

  it('show admins every record as a fresh snapshot would, after every change', async () => {
    const context = await verifying(dialect);
    const { app, data } = context;
    const admin = new Watcher(app.url, { admin_token: tokenOf(app) });
    await admin.connect();
    const key = async () => (await app.api.get('/admin/access-keys').set(app.admin)).body.data[0];
    const put = (path: string, body = {}) =>
      app.api.put(path).set(app.admin).send(body).expect(200);
    const steps: [string, () => PromiseLike<unknown>][] = [
      ['a code', () => aCode(app)],
      ['another code', () => aCode(app, 'bubble')],
      ['a verification', () => verified(context)],
      [
        'another type',
        async () =>
          put(`/admin/access-keys/${(await key()).id}/member-type`, { memberType: 'elite' }),
      ],
      ['a revocation', async () => put(`/admin/access-keys/${(await key()).id}/revoke`)],
      ['a restoration', () => asAdmin(app, 'restore-character-access', 'Bubble').expect(200)],
      ['a ban', () => asAdmin(app, 'ban-character', 'Bubble').expect(200)],
      ['a stranger’s ban', () => asAdmin(app, 'ban-character', 'Stranger').expect(200)],
      ['its end', () => asAdmin(app, 'unban-character', 'Stranger').expect(200)],
      [
        'the key’s deletion',
        async () =>
          app.api
            .delete(`/admin/access-keys/${(await key()).id}`)
            .set(app.admin)
            .expect(200),
      ],
      ['the end of the ban', () => asAdmin(app, 'unban-character', 'Bubble').expect(200)],
      ['a code for later', () => aCode(app)],
      ['a key by hand', () => aKey(app, 'Bubble', 'vice')],
      ['a check by hand', () => asAdmin(app, 'verify-character', 'bubble').expect(200)],
      [
        'a sale',
        async () => {
          setSeconds(app, 600);
          const { code, verification_token } = await aCode(app);
          data.show({ name: 'Bubble', comment: code, traded: true });
          return checked(app, 'Bubble', verification_token);
        },
      ],
      ['a deletion', async () => remove(app, (await records(app))[0]?.id ?? 0).expect(200)],
      [
        'codes that are forgotten',
        async () => {
          await aCode(app, 'Forgotten');
          setSeconds(app, 11 * 86_400);
          return aCode(app, 'Newest');
        },
      ],
    ];
    for (const [step, work] of steps) {
      await work();
      await admin.reached(app.ctx.bus.clock());
      const fresh = new Watcher(app.url, { admin_token: tokenOf(app) });
      await fresh.connect();
      for (const kind of ALL_KINDS)
        expect(admin.records(kind), `${kind} after ${step}`).toEqual(fresh.records(kind));
      const listed = (await records(app)).map((record) => [String(record.id), record] as const);
      expect(
        new Map(listed.sort(([a], [b]) => a.localeCompare(b))),
        `the list after ${step}`,
      ).toEqual(fresh.records('verified_code'));
      fresh.disconnect();
    }
    expect(admin.records('verified_code').size).toBeGreaterThan(0);
  });

  it('of members get no records', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const member = new Watcher(app.url, { access_key: key.key_value });
    await member.connect();
    await aCode(app);
    await asAdmin(app, 'ban-character', 'Stranger').expect(200);
    await member.reached(app.ctx.bus.clock());
    expect([member.records('verified_code').size, member.records('activity').size]).toEqual([0, 0]);
  });
});
