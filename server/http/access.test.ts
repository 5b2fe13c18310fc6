import { beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_ROLES, type AdminRole, isCapability, may } from '../../shared/rules/roles.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { routes } from '../app.ts';
import {
  aDestination,
  aKey,
  aName,
  anAdmin,
  asMember,
  ban,
  type SignedIn,
  signedIn,
} from '../dev/test/builders.ts';
import { databases, usualDatabases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { ADMIN_PASSWORD, createSuiteApp, type TestApp, TODAY } from '../dev/test/test-app.ts';
import type { Route } from './router.ts';

const AFTER_31_DAYS = '2026-12-22T18:00:00.000Z';
const REVOKED = 'This access key has been revoked. Please contact an admin.';
const BANNED = 'This character is banned. Please contact an admin.';

const routesFor = (is: (access: Route['access']) => boolean): Route[] =>
  routes.filter(({ access }) => is(access));
const ofReaders = routesFor((access) => access === 'reader');
const ofAdmins = routes.flatMap((route) =>
  isCapability(route.access) ? [{ ...route, access: route.access }] : [],
);
const examplePath = (path: string): string =>
  path.replace(':id', '1').replace(':date', TODAY).replace(/:\w+/g, 'Nobody');

function call(
  app: TestApp,
  { method, path }: Pick<Route, 'method' | 'path'>,
  headers: Record<string, string> = {},
) {
  return app.api[method](examplePath(path))
    .query({ date: TODAY, from: TODAY, to: TODAY })
    .set(headers);
}

/** On PostgreSQL one call for each kind of access: what differs there are the queries for the caller, not the call. */
const oneOfEachAccess = ofAdmins.filter(
  ({ access }, at) => ofAdmins.findIndex((other) => other.access === access) === at,
);

describe.each(databases)('access to each call on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const calls = usualDatabases.includes(dialect) ? ofAdmins : oneOfEachAccess;
  let admins: Record<AdminRole, SignedIn>;
  let member: AccessKey;
  let revoked: AccessKey;
  let banned: AccessKey;
  let endedToken: { Authorization: string };

  beforeAll(async () => {
    const ofRole = (role: AdminRole): Promise<SignedIn> => anAdmin(app, role);
    admins = {
      owner: await ofRole('owner'),
      admin: await ofRole('admin'),
      moderator: await ofRole('moderator'),
      viewer: await ofRole('viewer'),
    };
    member = await aKey(app);
    revoked = await aKey(app);
    banned = await aKey(app);
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    await ban(app, banned);
    const login = await app.api
      .post('/login')
      .send({ username: 'admin', password: ADMIN_PASSWORD });
    endedToken = { Authorization: `Bearer ${login.body.data.token}` };
    await app.api.post('/logout').set(endedToken).expect(200);
  });

  describe.each(calls)('$method $path, a call for admins who may $access', (route) => {
    it('is refused to all other callers, and changes nothing', async () => {
      const ended = 'Your session has expired. Please login again.';
      await expectNoTick(app, async () => {
        expectRefusal(await call(app, route), 401, 'session.required', 'Access denied', {});
        expectRefusal(
          await call(app, route, asMember(member)),
          403,
          'session.adminOnly',
          'Access denied',
          {},
        );
        expectRefusal(
          await call(app, route, asMember(revoked)),
          403,
          'session.keyRevoked',
          REVOKED,
          {},
        );
        expectRefusal(await call(app, route, asMember(banned)), 403, 'session.banned', BANNED, {});
        expectRefusal(await call(app, route, endedToken), 401, 'session.expired', ended, {});
        expectRefusal(
          await call(app, route, { Authorization: 'Bearer made-up' }),
          401,
          'session.expired',
          ended,
          {},
        );
      });
      app.setNow(AFTER_31_DAYS);
      expectRefusal(await call(app, route, app.admin), 401, 'session.expired', ended, {});
    });

    it.each(ADMIN_ROLES)('asks the table whether the role of %s may', async (role) => {
      const { headers } = await signedIn(app, admins[role]);
      const made = () =>
        call(app, { ...route, path: route.path.replace(':id', '999999') }, headers);
      if (may(role, route.access)) expect((await made()).body.code ?? '').not.toMatch(/^session\./);
      else
        expectRefusal(
          await expectNoTick(app, made),
          403,
          'session.notAllowed',
          'Your role does not allow this.',
          {},
        );
    });
  });

  describe.each(ofReaders)('$method $path, which carries claims', (route) => {
    it('is refused to visitors and to credentials that do not hold', async () => {
      await expectNoTick(app, async () => {
        expectRefusal(await call(app, route), 401, 'session.required', 'Access denied', {});
        expectRefusal(
          await call(app, route, { 'X-Access-Key': 'NONE-SUCH-KEYS' }),
          401,
          'session.invalidKey',
          'Invalid access key',
          {},
        );
        expectRefusal(
          await call(app, route, asMember(revoked)),
          403,
          'session.keyRevoked',
          REVOKED,
          {},
        );
        expectRefusal(await call(app, route, asMember(banned)), 403, 'session.banned', BANNED, {});
        expectRefusal(
          await call(app, route, endedToken),
          401,
          'session.expired',
          'Your session has expired. Please login again.',
          {},
        );
      });
    });

    it('is for members and admins', async () => {
      await expectNoTick(app, async () => {
        for (const headers of [asMember(member), app.admin])
          expect([200, 404]).toContain((await call(app, route, headers)).status);
      });
    });
  });

  it('nothing that a viewer or a moderator may read holds a key, a code, a token or where news is sent to', async () => {
    const code = (
      await app.api
        .post('/generate-verification-code')
        .send({ character_name: 'Odd Stranger' })
        .expect(201)
    ).body.data;
    const url = 'https://discord.com/api/webhooks/123456/secret-of-the-channel';
    await aDestination(app, { url });
    const { body } = await app.api
      .post('/admin/invitations')
      .set(app.admin)
      .send({ username: aName(), role: 'owner' })
      .expect(201);
    const secrets = [
      member.key_value,
      revoked.key_value,
      code.code,
      code.verification_token,
      url,
      'secret-of-the-channel',
      body.data.token,
    ];
    expect(secrets.filter((secret) => typeof secret !== 'string' || secret.length < 5)).toEqual([]);
    for (const role of ['moderator', 'viewer'] as const) {
      const { headers } = await anAdmin(app, role);
      for (const route of routes.filter(
        ({ method, access }) => method === 'get' && (!isCapability(access) || may(role, access)),
      )) {
        const { text } = await call(app, route, headers);
        expect(
          secrets.filter((secret) => text?.includes(secret)),
          `${route.path}, ${role}`,
        ).toEqual([]);
      }
    }
  });

  it('a viewer changes nothing but their own session and password', () => {
    const writes = ofAdmins.filter(
      ({ method, access }) => method !== 'get' && may('viewer', access),
    );
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'post /logout',
      'put /admin/password',
    ]);
  });

  it('a public call ignores invalid credentials', async () => {
    for (const headers of [
      asMember(revoked),
      asMember(banned),
      endedToken,
      { Authorization: 'Basic YWRtaW46YQ==' },
    ]) {
      await app.api.get('/config').set(headers).expect(200);
      await app.api.get('/categories').set(headers).expect(200);
    }
  });

  it('a key that was revoked a moment ago opens nothing any more, and opens again when it is enabled', async () => {
    const key = await aKey(app);
    await app.api.get('/respawns').set(asMember(key)).expect(200);
    await app.api.put(`/admin/access-keys/${key.id}/revoke`).set(app.admin).expect(200);
    expectRefusal(
      await app.api.get('/respawns').set(asMember(key)),
      403,
      'session.keyRevoked',
      REVOKED,
    );
    await app.api.put(`/admin/access-keys/${key.id}/enable`).set(app.admin).expect(200);
    await app.api.get('/respawns').set(asMember(key)).expect(200);
    await app.api.delete(`/admin/access-keys/${key.id}`).set(app.admin).expect(200);
    expectRefusal(
      await app.api.get('/respawns').set(asMember(key)),
      401,
      'session.invalidKey',
      'Invalid access key',
    );
  });

  it('a key in small letters or with spaces around it is the same key', async () => {
    await app.api
      .get('/respawns')
      .set('X-Access-Key', ` ${member.key_value.toLowerCase()} `)
      .expect(200);
  });
});

describe.each(usualDatabases)('a public board on %s', (dialect) => {
  const app = createSuiteApp(dialect, { env: { BOARD_VISIBILITY: 'public' } });

  it.each(ofReaders)('$method $path is open to visitors', async (route) => {
    expect([200, 404]).toContain((await call(app, route)).status);
  });

  it('a refused credential is an error there too', async () => {
    const wrong = { 'X-Access-Key': 'NONE-SUCH-KEYS' };
    expectRefusal(
      await app.api.get('/respawns').set(wrong),
      401,
      'session.invalidKey',
      'Invalid access key',
      {},
    );
    const { etag = '' } = (await app.api.get('/respawns').expect(200)).headers;
    await app.api.get('/respawns').set('If-None-Match', etag).expect(304);
    await app.api
      .get('/respawns')
      .set({ ...wrong, 'If-None-Match': etag })
      .expect(401);
  });

  it.each(ofAdmins)('$method $path is not', async (route) => {
    expectRefusal(await call(app, route), 401, 'session.required', 'Access denied');
  });
});
