import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ADMIN_LIST_ACTIONS } from '../../shared/activity-actions.ts';
import { changeSetsIn } from '../../shared/live.ts';
import { ADMIN_ROLES } from '../../shared/rules/roles.ts';
import { INVITATION_DAYS, MAX_ADMINS, MAX_INVITATIONS } from '../../shared/schemas/admin.ts';
import {
  addAdmin,
  removeAdminByName,
  setPassword,
  setRoleByName,
} from '../cli/admin/operations.ts';
import { connected } from '../dev/test/board-watcher.ts';
import {
  aClaim,
  aKey,
  aName,
  anAdmin,
  anEvent,
  aSpot,
  changeUnheard,
  submitted,
} from '../dev/test/builders.ts';
import { databases, usualDatabases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import {
  ADMIN_PASSWORD,
  createSuiteApp,
  createTestApp,
  NOW,
  type TestApp,
} from '../dev/test/test-app.ts';
import { connect, ended, Watcher } from '../dev/test/watcher.ts';

const GONE = 'This invitation was used or withdrawn, or has expired. Ask for a new one.';
const PASSWORD = 'hunting-at-night';

const invited = async (app: TestApp, username: string, role = 'moderator') =>
  (await app.api.post('/admin/invitations').set(app.admin).send({ username, role }).expect(201))
    .body.data;
const listed = async (app: TestApp) =>
  (await app.api.get('/admin/admins').set(app.admin).expect(200)).body.data;
const accept = (app: TestApp, token: string, password = PASSWORD) =>
  app.api.post('/invitations/accept').send({ token, password });
const look = (app: TestApp, token: string) => app.api.post('/invitations/look').send({ token });
const named = async (app: TestApp, username: string) =>
  (await listed(app)).admins.find((admin: { username: string }) => admin.username === username);

describe.each(databases)('an invitation on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('makes the holder of its link an admin of that role, with a password of their own, and signs them in', async () => {
    const username = aName('Officer');
    const { token, ...invitation } = await invited(app, username);
    expect(invitation).toEqual({
      id: expect.any(Number),
      username,
      role: 'moderator',
      created_by_username: 'admin',
      created_at: NOW,
      expires_at: '2026-11-28T18:00:00.000Z',
    });
    expect((await listed(app)).invitations).toContainEqual(invitation);
    expect((await look(app, token).expect(200)).body.data).toEqual({
      username,
      role: 'moderator',
      expires_at: invitation.expires_at,
    });
    const { body } = await accept(app, token).expect(200);
    expect(body.data).toEqual({
      type: 'admin',
      token: expect.any(String),
      user: { username, role: 'moderator' },
    });
    const verified = await app.api
      .get('/admin/verify')
      .set('Authorization', `Bearer ${body.data.token}`)
      .expect(200);
    expect(verified.body.data).toEqual({
      admin: username,
      role: 'moderator',
      has_generated_password: false,
    });
    await app.api.post('/login').send({ username, password: PASSWORD }).expect(200);
    expect(await named(app, username)).toMatchObject({ role: 'moderator' });
    expect((await listed(app)).invitations).not.toContainEqual(
      expect.objectContaining({ username }),
    );
    for (const answer of [await look(app, token), await accept(app, token)])
      expectRefusal(answer, 404, 'invitation.notFound', GONE, {});
  });

  it('is used once, even by two at once', async () => {
    const username = aName('Officer');
    const { token } = await invited(app, username);
    const answers = await Promise.all(
      [1, 2, 3].map((nth) => accept(app, token, `${PASSWORD}-${nth}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(
      (await listed(app)).admins.filter(
        (admin: { username: string }) => admin.username === username,
      ),
    ).toHaveLength(1);
  });

  it(`expires after ${INVITATION_DAYS} days`, async () => {
    const { token } = await invited(app, aName('Officer'));
    app.setNow('2026-11-28T17:59:59.000Z');
    await look(app, token).expect(200);
    app.setNow('2026-11-28T18:00:00.000Z');
    await expectNoTick(app, async () => {
      for (const answer of [await look(app, token), await accept(app, token)])
        expectRefusal(answer, 404, 'invitation.notFound', GONE, {});
    });
  });

  it('leads nowhere once it is withdrawn, replaced by another one of that name, or its owner names admins no more', async () => {
    const username = aName('Officer');
    const first = await invited(app, username);
    const second = await invited(app, username.toUpperCase(), 'viewer');
    expect((await look(app, first.token)).status).toBe(404);
    await look(app, second.token).expect(200);
    await app.api.delete(`/admin/invitations/${second.id}`).set(app.admin).expect(200);
    expect((await look(app, second.token)).status).toBe(404);
    for (const takes of ['put', 'delete'] as const) {
      const owner = await anAdmin(app, 'owner');
      const invitee = { username: aName('Officer'), role: 'owner' };
      const { token } = (
        await app.api.post('/admin/invitations').set(owner.headers).send(invitee).expect(201)
      ).body.data;
      await app.api[takes](`/admin/admins/${owner.id}`)
        .set(app.admin)
        .send({ role: 'viewer' })
        .expect(200);
      expect((await accept(app, token)).status).toBe(404);
    }
  });

  it('is invalid once its owner’s password changes, by themselves or on the server', async () => {
    const username = aName('Officer');
    const { token } = await invited(app, username, 'owner');
    const open = async () => ({
      Authorization: `Bearer ${(await signIn(username)).body.data.token}`,
    });
    const signIn = (name: string) =>
      app.api.post('/login').send({ username: name, password: PASSWORD });
    await accept(app, token).expect(200);
    const made = async (): Promise<string> => {
      const invitee = { username: aName('Officer'), role: 'owner' };
      return (
        await app.api
          .post('/admin/invitations')
          .set(await open())
          .send(invitee)
          .expect(201)
      ).body.data.token;
    };
    const another = await invited(app, aName('Officer'));
    const first = await made();
    const passwords = { current_password: PASSWORD, new_password: 'hunting-by-day' };
    await app.api
      .put('/admin/password')
      .set(await open())
      .send(passwords)
      .expect(200);
    expect((await accept(app, first)).status).toBe(404);
    await setPassword(app.ctx, username, { password: PASSWORD, cost: app.ctx.passwords.cost });
    const second = await made();
    await setPassword(app.ctx, username, { password: PASSWORD, cost: app.ctx.passwords.cost });
    expect((await accept(app, second)).status).toBe(404);
    // Those of other owners stay.
    await look(app, another.token).expect(200);
  });

  it('leaves its token and the password in no log and no table', async () => {
    const { token } = await invited(app, aName('Officer'));
    const opened = (await accept(app, token).expect(200)).body.data.token;
    const tables = ['activity', 'changes', 'admins', 'admin_sessions', 'invitations'] as const;
    const stored = JSON.stringify(
      await Promise.all(tables.map((table) => app.ctx.db.selectFrom(table).selectAll().execute())),
    );
    for (const secret of [token, opened, PASSWORD]) expect(stored).not.toContain(secret);
  });

  it('is refused for a name that an admin has, or none', async () => {
    const { username } = await anAdmin(app, 'viewer');
    const ask = (body: object) => app.api.post('/admin/invitations').set(app.admin).send(body);
    await expectNoTick(app, async () => {
      const taken = await ask({ username: ` ${username.toUpperCase()} `, role: 'viewer' });
      expectRefusal(
        taken,
        409,
        'admin.nameExists',
        `There is already an admin named ${username.toUpperCase()}.`,
        {
          name: username.toUpperCase(),
        },
      );
      expectRefusal(
        await ask({ username: ' ', role: 'viewer' }),
        400,
        'admin.nameRequired',
        'A name is required',
        {},
      );
      expectRefusal(
        await ask({ username: 'Kael', role: 'king' }),
        400,
        'request.invalid',
        'The field “role” is not valid.',
        {
          field: 'role',
        },
      );
    });
    for (const name of ['Th\u043era', '\uff34hora', 'Тора', 'Thor\u0251', 'Θora', 'Thora 🐉']) {
      const sentence = 'A name can only have Latin letters, digits and common punctuation.';
      expectRefusal(
        await ask({ username: name, role: 'viewer' }),
        400,
        'admin.nameInvalid',
        sentence,
        { field: 'username' },
      );
    }
    for (const name of ["Zoë d'Arc", 'Íñigo 2', 'K.-L. (officer)'])
      expect((await ask({ username: name, role: 'viewer' })).status).toBe(201);
    const { token } = await invited(app, aName('Officer'));
    const common = 'This password is one of the 10,000 most common ones. Choose another one.';
    for (const password of ['123456', 'password1', 'PassWord1', 'iloveyou', 'hunter2'])
      expectRefusal(await accept(app, token, password), 400, 'admin.passwordCommon', common, {});
    expectRefusal(
      await accept(app, token, 'five5'),
      400,
      'admin.passwordLength',
      'A password must have 6 to 200 characters.',
      {},
    );
    await look(app, token).expect(200);
  });
});

describe.each(usualDatabases)('how many there may be on %s', (dialect) => {
  it(`at most ${MAX_INVITATIONS} invitations are open, expired ones not counted`, async () => {
    const app = await createTestApp(dialect);
    const ask = () =>
      app.api
        .post('/admin/invitations')
        .set(app.admin)
        .send({ username: aName('Officer'), role: 'viewer' });
    for (let i = 0; i < MAX_INVITATIONS; i++) expect((await ask()).status).toBe(201);
    const more = 'There are already 20 open invitations. Withdraw one first.';
    expectRefusal(await ask(), 409, 'invitation.tooMany', more, { max: MAX_INVITATIONS });
    app.setNow('2026-11-28T18:00:00.000Z');
    expect((await ask()).status).toBe(201);
    expect((await listed(app)).invitations).toHaveLength(1);
  });

  it(`${MAX_ADMINS} admins`, async () => {
    const app = await createTestApp(dialect);
    const { token } = await invited(app, 'Last In');
    const rows = Array.from({ length: MAX_ADMINS - 1 }, (_, nth) => ({
      username: `N${nth}`,
      username_key: `n${nth}`,
      password_hash: 'none',
      created_at: NOW,
    }));
    await changeUnheard(app, (tx) => tx.insertInto('admins').values(rows).execute());
    const ask = app.api
      .post('/admin/invitations')
      .set(app.admin)
      .send({ username: 'One More', role: 'viewer' });
    for (const answer of [await ask, await accept(app, token)]) {
      expectRefusal(answer, 409, 'admin.tooMany', `There are already ${MAX_ADMINS} admins.`, {
        max: MAX_ADMINS,
      });
    }
  });
});

describe.each(usualDatabases)('a role on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('is changed by an owner, is logged, and holds at once', async () => {
    const officer = await anAdmin(app, 'viewer');
    await app.api.get('/admin/access-keys').set(officer.headers).expect(403);
    const { body } = await app.api
      .put(`/admin/admins/${officer.id}`)
      .set(app.admin)
      .send({ role: 'admin' })
      .expect(200);
    expect(body.data).toEqual({ id: officer.id, username: officer.username, role: 'admin' });
    // The session stays valid.
    await app.api.get('/admin/access-keys').set(officer.headers).expect(200);
    const log = await app.api.get('/admin/activity-log?action=admin_role_changed').set(app.admin);
    const changed = { role: { from: 'viewer', to: 'admin' } };
    expect(log.body.data.logs[0]).toMatchObject({
      admin_username: 'admin',
      details: { username: officer.username, changed },
    });
  });

  it('to the same role changes nothing', async () => {
    const officer = await anAdmin(app, 'viewer');
    const clock = app.ctx.bus.clock();
    await app.api
      .put(`/admin/admins/${officer.id}`)
      .set(app.admin)
      .send({ role: 'viewer' })
      .expect(200);
    const log = await app.api.get('/admin/activity-log?limit=1').set(app.admin);
    expect([app.ctx.bus.clock() - clock, log.body.data.logs[0]?.details.username]).not.toEqual([
      1,
      officer.username,
    ]);
  });

  it('of a removed admin ends, with their sessions and open pages', async () => {
    const officer = await anAdmin(app, 'admin');
    const socket = connect(app.url, { admin_token: officer.token });
    await connected(socket);
    const reason = ended(socket);
    await app.api.delete(`/admin/admins/${officer.id}`).set(app.admin).expect(200);
    expect((await reason).code).toBe('session.expired');
    expect((await app.api.get('/admin/verify').set(officer.headers)).body.code).toBe(
      'session.expired',
    );
    expectRefusal(
      await app.api.delete(`/admin/admins/${officer.id}`).set(app.admin),
      404,
      'admin.notFound',
      'Admin not found',
      {},
    );
  });

  it.each(ADMIN_ROLES)(
    'reaches the open page of an admin who is %s from now on: only that page reconnects',
    async (role) => {
      const before = role === 'viewer' ? 'owner' : 'viewer';
      const officer = await anAdmin(app, before);
      const other = await anAdmin(app, before);
      const mine = connect(app.url, { admin_token: officer.token });
      const theirs = connect(app.url, { admin_token: other.token });
      await Promise.all([connected(mine), connected(theirs)]);
      await Promise.all([mine.emitWithAck('sync', null), theirs.emitWithAck('sync', null)]);
      let keyChanges = 0;
      mine.on('changes', (message) => {
        const changes = changeSetsIn(message).flatMap((set) => set.changes);
        if (changes.some((change) => change.op === 'put' && change.kind === 'access_key'))
          keyChanges += 1;
      });
      const closed = new Promise((resolve) => mine.once('disconnect', resolve));
      const gone = app.api.put(`/admin/admins/${officer.id}`).set(app.admin).send({ role });
      await Promise.all([gone, aKey(app)]);
      expect(await closed).toBe('io server disconnect');
      await aKey(app);
      expect(theirs.connected).toBe(true);
      mine.connect();
      await connected(mine);
      const answer = await mine.emitWithAck('sync', null);
      expect('snapshot' in answer && 'access_key' in answer.snapshot).toBe(
        role === 'owner' || role === 'admin',
      );
      // A viewer received no key at any moment.
      if (before === 'viewer') expect(keyChanges).toBe(0);
    },
  );

  it('of a moderator undoes changes to claims, and no more', async () => {
    const { headers } = await anAdmin(app, 'moderator');
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    await app.api.delete(`/admin/claims/${claim?.id}`).set(headers).expect(200);
    const event = await anEvent(app);
    await app.api.delete(`/events/${event.id}`).set(app.admin).expect(200);
    const { logs } = (await app.api.get('/admin/activity-log?limit=20').set(headers).expect(200))
      .body.data;
    const entry = (action: string) => logs.find((one: { action: string }) => one.action === action);
    await app.api
      .post(`/admin/activity-log/${entry('claim_deleted').id}/undo`)
      .set(headers)
      .expect(200);
    const undo = () =>
      app.api.post(`/admin/activity-log/${entry('event_deleted').id}/undo`).set(headers);
    expectRefusal(
      await expectNoTick(app, undo),
      403,
      'session.notAllowed',
      'Your role does not allow this.',
      {},
    );
  });

  it.each(['claims', 'waits'])(
    'of a viewer makes no %s by a call that takes a token',
    async (what) => {
      const { headers } = await anAdmin(app, 'viewer');
      const key = await aKey(app);
      const hours = { respawn_id: aSpot(), date: '2026-11-21', hour_start: 10, hour_end: 12 };
      const claims = {
        admin_submission: true,
        member_type: 'member',
        claims: [{ ...hours, character_name: key.character_name }],
      };
      const body =
        what === 'claims'
          ? claims
          : { ...hours, character_name: key.character_name, member_type: 'member' };
      const ask = () => app.api.post(`/${what}`).set(headers).send(body);
      expectRefusal(
        await expectNoTick(app, ask),
        403,
        'session.notAllowed',
        'Your role does not allow this.',
        {},
      );
    },
  );
});

describe.each(usualDatabases)('the list of admins and invitations on %s', (dialect) => {
  it('never changes without an activity entry that reaches an owner who watches, and makes them read it again', async () => {
    const app = await createTestApp(dialect);
    const owner = await anAdmin(app, 'owner');
    const watcher = new Watcher(app.url, { admin_token: owner.token });
    await watcher.connect();
    const newest = () =>
      Math.max(
        0,
        ...[...watcher.records('activity').values()]
          .filter(({ action }) => ADMIN_LIST_ACTIONS.has(action))
          .map(({ id }) => id),
      );
    const isReported = async (what: string, work: () => PromiseLike<unknown>): Promise<void> => {
      const before = newest();
      const list = await listed(app);
      await work();
      await watcher.reached(app.ctx.bus.clock());
      expect(await listed(app), what).not.toEqual(list);
      expect(newest(), what).toBeGreaterThan(before);
    };
    const byLink = aName('Officer');
    const byCommand = aName('Officer');
    let invitation = { id: 0, token: '' };
    const invites = async () => {
      invitation = await invited(app, byLink, 'owner');
    };
    await isReported('an invitation', invites);
    await isReported('a withdrawal', () =>
      app.api.delete(`/admin/invitations/${invitation.id}`).set(app.admin).expect(200),
    );
    await isReported('another invitation', invites);
    await isReported('its use', () => accept(app, invitation.token).expect(200));
    const { token } = (
      await app.api.post('/login').send({ username: byLink, password: PASSWORD }).expect(200)
    ).body.data;
    const invitee = { username: aName('Officer'), role: 'viewer' };
    await isReported('an invitation by them', () =>
      app.api
        .post('/admin/invitations')
        .set('Authorization', `Bearer ${token}`)
        .send(invitee)
        .expect(201),
    );
    await isReported('their new password, which withdraws it', () =>
      setPassword(app.ctx, byLink, { password: PASSWORD, cost: app.ctx.passwords.cost }),
    );
    const { id } = await named(app, byLink);
    await isReported('a role', () =>
      app.api.put(`/admin/admins/${id}`).set(app.admin).send({ role: 'viewer' }).expect(200),
    );
    await isReported('a removal', () =>
      app.api.delete(`/admin/admins/${id}`).set(app.admin).expect(200),
    );
    await isReported('an admin added by command', () =>
      addAdmin(app.ctx, byCommand, { password: PASSWORD, cost: app.ctx.passwords.cost }),
    );
    await isReported('a role given by command', () => setRoleByName(app.ctx, byCommand, 'viewer'));
    await isReported('a removal by command', () => removeAdminByName(app.ctx, byCommand));
  });
});

describe.each(databases)('the last owner on %s', (dialect) => {
  it('stays, also where two owners take the role from each other at once', async () => {
    const app = await createTestApp(dialect);
    const [{ id }] = (await listed(app)).admins;
    const last = 'admin is the last owner. Make another admin an owner first.';
    await expectNoTick(app, async () => {
      const invitee = [
        app.api.put(`/admin/admins/${id}`).set(app.admin).send({ role: 'admin' }),
        app.api.delete(`/admin/admins/${id}`).set(app.admin),
      ];
      for (const one of invitee)
        expectRefusal(await one, 409, 'admin.lastOwner', last, { name: 'admin' });
    });
    for (const takes of ['put', 'delete'] as const) {
      const other = await anAdmin(app, 'owner');
      const mine = await anAdmin(app, 'owner');
      await changeUnheard(app, (tx) =>
        tx
          .updateTable('admins')
          .set({ role: 'admin' })
          .where('id', 'not in', [other.id, mine.id])
          .execute(),
      );
      const answers = await Promise.all([
        app.api[takes](`/admin/admins/${other.id}`).set(mine.headers).send({ role: 'viewer' }),
        app.api[takes](`/admin/admins/${mine.id}`).set(other.headers).send({ role: 'viewer' }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(
        await app.ctx.db.selectFrom('admins').select('id').where('role', '=', 'owner').execute(),
      ).toHaveLength(1);
    }
  });
});

describe.each(usualDatabases)('an own password on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it.each(ADMIN_ROLES)(
    'is changed by an admin who is %s and knows the one before; all sessions end',
    async (role) => {
      const username = aName('Officer');
      const { token } = await invited(app, username, role);
      const headers = {
        Authorization: `Bearer ${(await accept(app, token).expect(200)).body.data.token}`,
      };
      const change = (current_password: string, new_password: string) =>
        app.api.put('/admin/password').set(headers).send({ current_password, new_password });
      await expectNoTick(app, async () => {
        expect((await change(PASSWORD, 'Dragon123')).body.code).toBe('admin.passwordCommon');
        expectRefusal(
          await change('wrong', 'another-password'),
          403,
          'admin.wrongPassword',
          'That is not your current password.',
          {},
        );
        expectRefusal(
          await change(PASSWORD, 'five5'),
          400,
          'admin.passwordLength',
          'A password must have 6 to 200 characters.',
          {},
        );
      });
      await change(PASSWORD, 'another-password').expect(200);
      expect((await app.api.get('/admin/verify').set(headers)).body.code).toBe('session.expired');
      await app.api.post('/login').send({ username, password: PASSWORD }).expect(401);
      await app.api.post('/login').send({ username, password: 'another-password' }).expect(200);
    },
  );

  it('a reset during a change’s hashing wins', async () => {
    const username = aName('Officer');
    const { token } = await invited(app, username, 'owner');
    const headers = {
      Authorization: `Bearer ${(await accept(app, token).expect(200)).body.data.token}`,
    };
    const { writes } = app.ctx;
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    const transaction = vi.spyOn(writes, 'transaction').mockImplementationOnce(async (...write) => {
      await promise;
      return writes.transaction(...write);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const passwords = { current_password: PASSWORD, new_password: 'of-the-attacker' };
    const change = app.api.put('/admin/password').set(headers).send(passwords).then();
    await expect.poll(() => transaction.mock.calls.length).toBe(1);
    await setPassword(app.ctx, username, {
      password: 'after-the-reset',
      cost: app.ctx.passwords.cost,
    });
    letGo();
    const sentence =
      "Your password was changed in the meantime, so this wasn't saved. Sign in again.";
    expectRefusal(await change, 401, 'session.passwordChanged', sentence, {});
    await app.api.post('/login').send({ username, password: 'of-the-attacker' }).expect(401);
    await app.api.post('/login').send({ username, password: 'after-the-reset' }).expect(200);
  });

  it('generated at the first start is reported as generated until it is changed', async () => {
    const { id } = (await listed(app)).admins[0];
    await changeUnheard(app, (tx) =>
      tx.updateTable('admins').set({ has_generated_password: 1 }).where('id', '=', id).execute(),
    );
    const verified = async () =>
      (await app.api.get('/admin/verify').set(app.admin).expect(200)).body.data;
    expect(await verified()).toEqual({
      admin: 'admin',
      role: 'owner',
      has_generated_password: true,
    });
    const passwords = { current_password: ADMIN_PASSWORD, new_password: 'one-of-my-own' };
    await app.api.put('/admin/password').set(app.admin).send(passwords).expect(200);
    const { token } = (
      await app.api
        .post('/login')
        .send({ username: 'admin', password: 'one-of-my-own' })
        .expect(200)
    ).body.data;
    const { body } = await app.api
      .get('/admin/verify')
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect(body.data.has_generated_password).toBe(false);
  });
});
