import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../app.ts';
import { usualDatabases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp, TODAY } from '../dev/test/test-app.ts';

/** What single calls need. */
const FOR_SOME = { start_time: TODAY, claims: 'none', role: 'viewer' };
const OF_TRANSFERS = { character_name: 'Arden Vale', member_type: 'member' };
const UNREADABLE = "Couldn't read the request.";
const NOT_JSON =
  'Send the body as uncompressed JSON in UTF-8, with Content-Type: application/json.';
const withId = routes.filter(({ path }) => path.includes(':id'));
/** Of members only: admins are refused before the id is looked up. */
const ofMembers = [
  '/claims/:id/handover',
  '/claims/:id/swap',
  '/transfers/:id/accept',
  '/transfers/:id/refuse',
  '/stars/:id',
];
/** The others ignore bodies. */
const withBody = routes.filter(({ body, upload }) => !upload && !(body instanceof z.ZodUnknown));

describe.each(usualDatabases)('requests that make no sense on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it.each(withId)(
    '$method $path refuses what is no id, with the name of the field',
    async ({ method, path }) => {
      await expectNoTick(app, async () => {
        for (const id of ['0', 'abc', '-1', '1.5', '2147483648', '99999999999999999999']) {
          const answer = await app.api[method](path.replace(':id', id).replace(':date', TODAY)).set(
            app.admin,
          );
          expectRefusal(answer, 400, 'request.invalid', 'The field “id” is not valid.', {
            field: 'id',
          });
        }
      });
    },
  );

  it.each(withId.filter(({ path }) => !ofMembers.includes(path)))(
    '$method $path answers 404 for an id that nothing has',
    async ({ method, path, body }) => {
      // Bodies that are checked first have to pass: {} does, except where a field is required.
      const needed = body.safeParse({}).success
        ? {}
        : {
            memberType: 'member',
            hour_start: 1,
            hour_end: 2,
            name: 'Zao',
            kind: 'left',
            category_id: 1,
            respawn_id: 1,
            ...OF_TRANSFERS,
            ...FOR_SOME,
          };
      await app.api
        .put('/admin/config')
        .set(app.admin)
        .send({ standing_enabled: 1, transfers_enabled: 1 });
      const answer = await expectNoTick(app, () =>
        app.api[method](path.replace(':id', '2147483647').replace(':date', TODAY))
          .set(app.admin)
          .send(needed),
      );
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 404,
        code: expect.stringMatching(/\.notFound$/),
      });
      expectRefusal(answer, 404, answer.body.code, answer.body.error);
    },
  );

  it.each(withBody)('$method $path refuses malformed JSON', async ({ method, path }) => {
    const send = (body: string) =>
      app.api[method](path.replace(':id', '1'))
        .set(app.admin)
        .set('Content-Type', 'application/json')
        .send(body);
    await expectNoTick(app, async () => {
      for (const body of [
        '{"name":',
        'nonsense',
        '"text"',
        '{"name":"nul \\u0000 inside"}',
        '{"name":"half \\ud83d of one"}',
      ]) {
        expectRefusal(await send(body), 400, 'request.malformed', UNREADABLE, {});
      }
    });
  });

  it.each(['get', 'post', 'put', 'delete', 'patch'] as const)(
    '%s of an unknown path is a JSON 404, never the page',
    async (method) => {
      for (const path of ['/', '/nothing', '/claims/1/more', '/admin']) {
        expectRefusal(
          await app.api[method](path).set(app.admin),
          404,
          'request.notFound',
          'There is nothing at this address.',
          {},
        );
      }
    },
  );

  it('a path that is not UTF-8, or holds a NUL, is malformed', async () => {
    for (const name of ['%E0%A4%A', '%00', 'Bubble%00']) {
      const answer = await app.api
        .get(`/claims/check-character-claims/${name}?date=${TODAY}`)
        .set(app.admin);
      expectRefusal(answer, 400, 'request.malformed', UNREADABLE, {});
    }
    expectRefusal(
      await app.api.get('/admin/activity-log?admin=%00').set(app.admin),
      400,
      'request.malformed',
      UNREADABLE,
      {},
    );
  });

  it('any other path is the page, also one that is not UTF-8: the client shows what it knows', async () => {
    const pageAt = (path: string) => supertest(app.url).get(path).set('Accept', 'text/html');
    const page = await pageAt('/verify/Bubble');
    for (const path of ['/verify/%E0%A4%A', '/%', '/%00']) {
      const { status, type, text } = await pageAt(path);
      expect({ path, status, type, text }).toEqual({
        path,
        status: page.status,
        type: page.type,
        text: page.text,
      });
    }
  });

  it('a body in an unknown charset or encoding is 415', async () => {
    const post = () =>
      app.api.post('/login').set('Content-Type', 'application/json; charset=klingon').send('{}');
    expectRefusal(await post(), 415, 'request.notJson', NOT_JSON, {});
    const zipped = app.api
      .post('/login')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .send('{}');
    expectRefusal(await zipped, 415, 'request.notJson', NOT_JSON, {});
  });

  it('a body over the limit is 413', async () => {
    const answer = await app.api
      .post('/login')
      .send({ username: 'a'.repeat(600_000), password: 'x' });
    expectRefusal(answer, 413, 'request.tooLarge', 'The request is too large.', {});
  });

  it('a body that is not JSON is 415; no body at all counts as an empty one', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/json']) {
      const answer = await app.api
        .post('/events')
        .set(app.admin)
        .set('Content-Type', type)
        .send('{"name":"Zao"}');
      expectRefusal(answer, 415, 'request.notJson', NOT_JSON, {});
    }
    expectRefusal(
      await app.api.post('/events').set(app.admin),
      400,
      'event.nameRequired',
      'Event name is required',
      { field: 'name' },
    );
  });

  it('a 401 names the scheme of credentials', async () => {
    for (const refused of [
      await app.api.get('/admin/claims'),
      await app.api.get('/admin/claims').set('Authorization', 'Bearer made-up'),
      await app.api.get('/respawns').set('X-Access-Key', 'NONE-SUCH-KEYS'),
      await app.api.post('/login').send({ username: 'admin', password: 'wrong' }),
    ]) {
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([
        401,
        'Bearer realm="Claimboard"',
      ]);
    }
  });

  it('nothing of the API may be kept by a cache', async () => {
    for (const path of ['/config', '/nothing'])
      expect((await app.api.get(path)).headers['cache-control']).toBe('no-store');
  });
});
