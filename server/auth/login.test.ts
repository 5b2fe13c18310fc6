import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nameKey } from '../../shared/rules/names.ts';
import { addAdmin, removeAdminByName, setPassword } from '../cli/admin/operations.ts';
import { aKey, aName, asMember, ban, changeUnheard } from '../dev/test/builders.ts';
import { usualDatabases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { runNow } from '../dev/test/jobs.ts';
import { ADMIN_PASSWORD, createSuiteApp, NOW } from '../dev/test/test-app.ts';
import { deleteOld } from '../jobs/job-kind.ts';
import { hashPassword } from './passwords.ts';
import { expiredSessions } from './sessions.ts';

const CREDENTIALS = 'Username and password are required';
const WRONG = 'Invalid username or password';

describe.each(usualDatabases)('logging in on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const login = (body: object) => app.api.post('/login').send(body);
  const verify = (token: string) =>
    app.api.get('/admin/verify').set('Authorization', `Bearer ${token}`);

  describe('as an admin', () => {
    it('answers a token that opens the admin’s calls, and the name', async () => {
      const { body } = await login({ username: 'admin', password: ADMIN_PASSWORD }).expect(200);
      expect(body).toEqual({
        success: true,
        data: {
          type: 'admin',
          token: expect.any(String),
          user: { username: 'admin', role: 'owner' },
        },
      });
      expect((await verify(body.data.token).expect(200)).body).toEqual({
        success: true,
        data: { admin: 'admin', role: 'owner', has_generated_password: false },
      });
    });

    it('R1.1: takes the name in any case and with spaces around it, and the password as it is', async () => {
      const { body } = await login({ username: '  ADMIN ', password: ADMIN_PASSWORD }).expect(200);
      expect(body.data.user.username).toBe('admin');
      expectRefusal(
        await login({ username: 'admin', password: ADMIN_PASSWORD.toUpperCase() }),
        401,
        'session.wrongLogin',
        WRONG,
        {},
      );
      expectRefusal(
        await login({ username: 'admin', password: ` ${ADMIN_PASSWORD}` }),
        401,
        'session.wrongLogin',
        WRONG,
        {},
      );
    });

    it('refuses an unknown name as it refuses a wrong password', async () => {
      await expectNoTick(app, async () => {
        expectRefusal(
          await login({ username: 'nobody', password: ADMIN_PASSWORD }),
          401,
          'session.wrongLogin',
          WRONG,
          {},
        );
        expectRefusal(
          await login({ username: 'admin', password: 'wrong' }),
          401,
          'session.wrongLogin',
          WRONG,
          {},
        );
      });
    });

    it.each([
      {},
      { username: 'someone' },
      { password: 'secret' },
      { username: '', password: 'secret' },
      { username: '   ', password: 'secret' },
      { username: 'someone', password: '' },
      { username: { toString: 1 }, password: 'secret' },
      { username: ['someone'], password: 'secret' },
      [],
    ])('needs a name and a password, not %j', async (body) => {
      expectRefusal(await login(body), 400, 'session.credentialsRequired', CREDENTIALS);
    });

    it('does not hash a password that is longer than any', async () => {
      expect((await login({ username: 'someone', password: 'x'.repeat(201) })).status).toBe(400);
    });

    it('gives each login its own token, which lasts 30 days', async () => {
      const first = await login({ username: 'admin', password: ADMIN_PASSWORD });
      const second = await login({ username: 'admin', password: ADMIN_PASSWORD });
      expect(first.body.data.token).not.toBe(second.body.data.token);
      app.setNow('2026-12-21T17:59:59.000Z');
      await verify(first.body.data.token).expect(200);
      app.setNow('2026-12-21T18:00:00.000Z');
      expectRefusal(
        await verify(first.body.data.token),
        401,
        'session.expired',
        'Your session has expired. Please login again.',
        {},
      );
    });

    it.each([
      [
        'given another password',
        (name: string) =>
          setPassword(app.ctx, name, {
            password: 'another-password',
            cost: app.ctx.passwords.cost,
          }),
      ],
      ['removed', (name: string) => removeAdminByName(app.ctx, name)],
    ])(
      'opens no session for an admin who is %s between the check of the password and the session',
      async (_what, meanwhile) => {
        const username = await addAdmin(app.ctx, aName('Officer'), {
          password: 'first-password',
          cost: app.ctx.passwords.cost,
        });
        // The sign-in's write runs only after the other one.
        const { writes } = app.ctx;
        vi.spyOn(writes, 'transaction').mockImplementationOnce(async (work) => {
          await meanwhile(username);
          return writes.transaction(work);
        });
        onTestFinished(() => void vi.restoreAllMocks());
        expectRefusal(
          await login({ username, password: 'first-password' }),
          401,
          'session.wrongLogin',
          WRONG,
          {},
        );
        const sessions = app.ctx.db
          .selectFrom('admin_sessions')
          .innerJoin('admins', 'admins.id', 'admin_id')
          .where('username', '=', username);
        expect(await sessions.select('token_hash').execute()).toEqual([]);
      },
    );

    it('is deleted when it has expired, in batches, and no other one is', async () => {
      const { body } = await login({ username: 'admin', password: ADMIN_PASSWORD });
      const session = (await app.ctx.db.selectFrom('admin_sessions').selectAll().execute())[0];
      if (!session) throw new Error('nobody is signed in');
      const old = Array.from({ length: 150 }, (_, n) => ({
        ...session,
        token_hash: `old ${n}`,
        expires_at: '2026-11-21T17:59:59.999Z',
      }));
      await changeUnheard(app, (tx) => tx.insertInto('admin_sessions').values(old).execute());
      const deletion = deleteOld(expiredSessions);
      expect([
        await runNow(app, deletion),
        await runNow(app, deletion),
        await runNow(app, deletion),
      ]).toEqual(['more', 'done', 'not needed']);
      await verify(body.data.token).expect(200);
    });

    it('stores a stronger hash at the next login where the stored one is weaker than today’s, and keeps the sessions', async () => {
      const username = aName('Officer');
      const weak = await hashPassword('hunting-by-day', { N: 2 ** 9, r: 8, p: 1 });
      const row = { username, username_key: nameKey(username), created_at: NOW };
      await changeUnheard(app, (tx) =>
        tx
          .insertInto('admins')
          .values({ ...row, password_hash: weak })
          .execute(),
      );
      const stored = async () =>
        (
          await app.ctx.db
            .selectFrom('admins')
            .selectAll()
            .where('username', '=', username)
            .execute()
        )[0];
      const signIn = (password: string) => login({ username, password });
      expect((await signIn('wrong')).status).toBe(401);
      expect((await stored())?.password_hash).toBe(weak);
      const { token } = (await signIn('hunting-by-day').expect(200)).body.data;
      const upgraded = (await stored())?.password_hash ?? '';
      expect(upgraded).toMatch(/^scrypt\$1024\$8\$1\$/);
      await signIn('hunting-by-day').expect(200);
      expect((await stored())?.password_hash).toBe(upgraded);
      await verify(token).expect(200);
    });

    it('stores no token and no password, only their hashes', async () => {
      const { body } = await login({ username: 'admin', password: ADMIN_PASSWORD });
      const sessions = await app.ctx.db.selectFrom('admin_sessions').selectAll().execute();
      const admins = await app.ctx.db.selectFrom('admins').selectAll().execute();
      expect(JSON.stringify(sessions)).not.toContain(body.data.token);
      expect(JSON.stringify(admins)).not.toContain(ADMIN_PASSWORD);
    });
  });

  describe('with an access key', () => {
    it('answers whose it is', async () => {
      const key = await aKey(app, 'Bubble', 'elite');
      const { body } = await expectNoTick(app, () => login({ accessKey: key.key_value }));
      const user = { characterName: 'Bubble', memberType: 'elite' };
      expect(body).toEqual({ success: true, data: { type: 'user', token: key.key_value, user } });
    });

    it('accepts it in any case, with spaces and without hyphens, in header and body, and returns the stored form', async () => {
      const key = await aKey(app);
      const { key_value } = key;
      const bare = key_value.replaceAll('-', '');
      for (const typed of [
        `  ${key_value.toLowerCase()} `,
        bare,
        bare.toLowerCase(),
        key_value.replaceAll('-', ' '),
        `${key_value}\n`,
      ]) {
        const { body } = await login({ accessKey: typed }).expect(200);
        expect(body.data).toMatchObject({
          token: key_value,
          user: { characterName: key.character_name },
        });
        await app.api.post('/validate-access-key').send({ accessKey: typed }).expect(200);
        await app.api.get('/respawns').set('X-Access-Key', typed.trim()).expect(200);
        await app.api.delete('/calendar').send({ access_key: typed }).expect(200);
      }
    });

    it.each([{ accessKey: '' }, { accessKey: '   ' }, { accessKey: 5 }, { accessKey: null }])(
      'needs one, not %j',
      async (body) => {
        expectRefusal(await login(body), 400, 'session.keyRequired', 'Access key is required');
      },
    );

    it('refuses a wrong, a revoked and a banned one, each with its reason', async () => {
      const revoked = await aKey(app);
      const banned = await aKey(app);
      await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin);
      await ban(app, banned);
      await expectNoTick(app, async () => {
        for (const path of ['/login', '/validate-access-key']) {
          const send = (accessKey: string) => app.api.post(path).send({ accessKey });
          expectRefusal(
            await send('AAAA-BBBB-CCCC'),
            401,
            'session.invalidKey',
            'Invalid access key',
            {},
          );
          const revokedSentence = 'This access key has been revoked. Please contact an admin.';
          expectRefusal(
            await send(revoked.key_value),
            403,
            'session.keyRevoked',
            revokedSentence,
            {},
          );
          expectRefusal(
            await send(banned.key_value),
            403,
            'session.banned',
            'This character is banned. Please contact an admin.',
            {},
          );
        }
      });
    });
  });

  describe('validating an access key', () => {
    it('answers whose it is, and moves nothing', async () => {
      const key = await aKey(app, 'Eternal Oblivion', 'vice');
      const answer = await expectNoTick(app, () =>
        app.api.post('/validate-access-key').send({ accessKey: ` ${key.key_value.toLowerCase()}` }),
      );
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        success: true,
        data: { valid: true, characterName: 'Eternal Oblivion', memberType: 'vice' },
      });
    });

    it.each([{}, { accessKey: '' }, { accessKey: 5 }])('needs one, not %j', async (body) => {
      expectRefusal(
        await app.api.post('/validate-access-key').send(body),
        400,
        'session.keyRequired',
        'Access key is required',
        {
          field: 'accessKey',
        },
      );
    });
  });

  describe('logging out', () => {
    it('ends this token and no other', async () => {
      const tokens: string[] = [];
      for (let i = 0; i < 2; i++)
        tokens.push((await login({ username: 'admin', password: ADMIN_PASSWORD })).body.data.token);
      const [ended = '', kept = ''] = tokens;
      const answer = await app.api
        .post('/logout')
        .set('Authorization', `Bearer ${ended}`)
        .expect(200);
      expect(answer.body).toEqual({ success: true });
      expectRefusal(
        await verify(ended),
        401,
        'session.expired',
        'Your session has expired. Please login again.',
        {},
      );
      expectRefusal(
        await app.api.post('/logout').set('Authorization', `Bearer ${ended}`),
        401,
        'session.expired',
        'Your session has expired. Please login again.',
      );
      await verify(kept).expect(200);
    });

    it('is for admins: a member’s key is not a session on the server', async () => {
      expectRefusal(
        await app.api.post('/logout').set(asMember(await aKey(app))),
        403,
        'session.adminOnly',
        'Access denied',
        {},
      );
    });
  });
});
