import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../shared/schemas/respawn.ts';
import { aKey, aName, aRespawn, asMember } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { aGif } from '../dev/test/gifs.ts';
import { createSuiteApp, type TestApp } from '../dev/test/test-app.ts';

const UNREADABLE = "Couldn't read the request.";
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=xyz' };

/** A form whose body is still to be written, byte by byte. */
const opened = (app: TestApp, headers: Record<string, string | number>) => {
  const sent = request(`${app.url}/api/respawns/admin`, {
    method: 'POST',
    headers: { ...MULTIPART, ...headers },
  });
  sent.flushHeaders();
  return sent;
};
const START =
  '--xyz\r\nContent-Disposition: form-data; name="image"; filename="a.gif"\r\nContent-Type: image/gif\r\n\r\n';

describe.each(databases)('an upload on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const form = () => app.api.post('/respawns/admin').set(app.admin).field('name', aName('Spot'));

  it('is refused before its body is read, if the sender is not authorized', async () => {
    const key = await aKey(app);
    await expectNoTick(app, async () => {
      for (const [headers, status] of [
        [{}, 401],
        [asMember(key), 403],
        [{ Authorization: 'Bearer made-up' }, 401],
      ] as const) {
        const sent = opened(app, { ...headers, 'Content-Length': MAX_IMAGE_BYTES });
        sent.write(START);
        // The answer comes though the body does not.
        const [answer]: IncomingMessage[] = await once(sent, 'response');
        expect(answer?.statusCode).toBe(status);
        sent.on('error', () => {});
        sent.destroy();
      }
      const whole = app.api
        .post('/respawns/admin')
        .field('name', 'Spot')
        .attach('image', Buffer.alloc(MAX_IMAGE_BYTES), 'a.gif');
      expectRefusal(await whole, 401, 'session.required', 'Access denied', {});
    });
  });

  it('with a file in another field, or with two files, is refused and names the field', async () => {
    await expectNoTick(app, async () => {
      const other = await form().attach('picture', aGif(), 'a.gif');
      expectRefusal(other, 400, 'request.invalid', 'The field “picture” is not valid.', {
        field: 'picture',
      });
      const two = await form().attach('image', aGif(), 'a.gif').attach('image', aGif(), 'b.gif');
      expectRefusal(two, 400, 'request.invalid', 'The field “image” is not valid.', {
        field: 'image',
      });
    });
  });

  it('that is no form, or a broken one, is malformed', async () => {
    const post = (type: string) =>
      app.api.post('/respawns/admin').set(app.admin).set('Content-Type', type);
    await expectNoTick(app, async () => {
      for (const [type, body] of [
        ['multipart/form-data', 'no boundary'],
        ['multipart/mixed; boundary=xyz', '--xyz--\r\n'],
        ['multipart/form-data; boundary=xyz', ''],
        ['multipart/form-data; boundary=xyz', 'no part at all'],
        ['multipart/form-data; boundary=xyz', `${START}GIF89a`],
        ['multipart/form-data; boundary=xyz', '--xyz\r\nnonsense\r\n\r\nGIF89a\r\n--xyz--\r\n'],
        [
          'multipart/form-data; boundary=xyz',
          '--xyz\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--xyz--\r\n',
        ],
      ] as const) {
        const answer = await post(type).send(body);
        expectRefusal(answer, 400, 'request.malformed', UNREADABLE, {});
      }
    });
  });

  it('with more texts than a form has, longer ones, nested ones or NUL characters is refused', async () => {
    await expectNoTick(app, async () => {
      const many = Array.from({ length: 11 }, (_, at) => `field${at}`).reduce(
        (sent, field) => sent.field(field, 'x'),
        form(),
      );
      expectRefusal(await many, 400, 'request.malformed', UNREADABLE, {});
      expectRefusal(
        await form().field('more', 'x'.repeat(20_000)),
        413,
        'request.tooLarge',
        'The request is too large.',
        {},
      );
      expectRefusal(await form().field('name[a]', 'x'), 400, 'request.malformed', UNREADABLE, {});
      const nul = app.api
        .post('/respawns/admin')
        .set(app.admin)
        .field('name', 'Spot\u0000')
        .attach('image', aGif(), 'a.gif');
      expectRefusal(await nul, 400, 'request.malformed', UNREADABLE, {});
    });
  });

  it('that breaks off does no harm: nothing is written, and the next one is taken', async () => {
    await expectNoTick(app, async () => {
      for (const headers of [{ 'Content-Length': 1_000_000 }, { 'Transfer-Encoding': 'chunked' }]) {
        const sent = opened(app, { ...app.admin, ...headers });
        sent.on('error', () => {});
        await new Promise<void>((resolve) => sent.write(`${START}GIF89a`, () => resolve()));
        // A response on another connection: the server has processed the first by then.
        await app.api.get('/admin/respawns').set(app.admin).expect(200);
        const closed = new Promise((resolve) => sent.once('close', resolve));
        sent.destroy();
        await closed;
      }
    });
    await aRespawn(app);
  });

  it('is described as a form with a file', async () => {
    const { body } = await app.api.get('/openapi.json').expect(200);
    const { requestBody } = body.paths['/respawns/admin'].post;
    expect(requestBody.content).toEqual({
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            name: expect.objectContaining({ type: 'string' }),
            category_id: expect.anything(),
            image: { type: 'string', format: 'binary', contentMediaType: 'image/gif' },
          },
          required: ['name', 'image'],
        },
      },
    });
    const image =
      body.paths['/admin/respawns/{id}/image'].put.requestBody.content['multipart/form-data']
        .schema;
    expect([Object.keys(image.properties), image.required]).toEqual([['image'], ['image']]);
    expect(
      body.paths['/admin/respawns/{id}'].put.requestBody.content['application/json'],
    ).toBeDefined();
  });
});
