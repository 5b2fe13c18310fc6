import { createHash } from 'node:crypto';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../../shared/schemas/respawn.ts';
import { aGifSized } from '../../../shared/test/gifs.ts';
import { dropUndos } from '../../activity/undo-store.ts';
import { aName, aRespawn, change } from '../../dev/test/builders.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { A_PNG, aGif, aGifOf } from '../../dev/test/gifs.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';

const nameOf = (bytes: Buffer): string => `${createHash('sha256').update(bytes).digest('hex')}.gif`;
const served = (app: TestApp, image_url: string) => supertest(app.url).get(image_url).buffer(true);

describe.each(databases)('the picture of a respawn on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const create = () => app.api.post('/respawns/admin').set(app.admin).field('name', aName('Spot'));
  const put = (id: number) => app.api.put(`/admin/respawns/${id}/image`).set(app.admin);
  const stored = async (bytes: Buffer): Promise<number> => {
    const hash = nameOf(bytes).slice(0, 64);
    return (
      await app.ctx.db
        .selectFrom('images')
        .select(['hash', 'created_at'])
        .where('hash', '=', hash)
        .execute()
    ).length;
  };

  it('is public, cached forever under a name derived from its content', async () => {
    const gif = aGif();
    const { image, image_url } = await aRespawn(app, aName('Spot'), gif);
    expect([image, image_url]).toEqual([nameOf(gif), `/assets/respawns/${nameOf(gif)}`]);
    const answer = await served(app, image_url).expect(200);
    expect(answer.body).toEqual(gif);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    await supertest(app.url).head(image_url).expect(200);
    const row = await app.ctx.db
      .selectFrom('images')
      .selectAll()
      .where('hash', '=', nameOf(gif).slice(0, 64))
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ bytes: gif, created_at: NOW });
  });

  it('is replaced, all watchers see the new one, and the old one is deleted', async () => {
    const first = aGif();
    const second = aGif();
    const { id, name, image, image_url } = await aRespawn(app, aName('Spot'), first);
    const { member, expectSynced } = await watching(app);
    const entries = await owedBy(app, async () => {
      const { body } = await put(id).attach('image', second, 'x.gif').expect(200);
      expect(body).toEqual({
        success: true,
        data: { image: nameOf(second), image_url: `/assets/respawns/${nameOf(second)}` },
      });
    });
    const details = {
      respawn_id: id,
      name,
      changed: { image: { from: image, to: nameOf(second) } },
    };
    expect(entries.map((entry) => [entry.action, entry.details])).toEqual([
      ['respawn_updated', details],
    ]);
    await expectSynced();
    expect(member.records('respawn').get(String(id))?.image).toBe(nameOf(second));
    await served(app, image_url).expect(404);
    await served(app, `/assets/respawns/${nameOf(second)}`).expect(200);
    expect([await stored(first), await stored(second)]).toEqual([0, 1]);
  });

  it('is stored once for all respawns with it, and deleted with the last of them, once no undo needs it', async () => {
    const gif = aGif();
    const one = await aRespawn(app, aName(), gif);
    const two = await aRespawn(app, aName(), gif);
    const three = await aRespawn(app);
    await put(three.id).attach('image', gif, 'x.gif').expect(200);
    expect([one.image, await stored(gif)]).toEqual([two.image, 1]);
    await app.api.delete(`/admin/respawns/${one.id}`).set(app.admin).expect(200);
    await put(two.id).attach('image', aGif(), 'x.gif').expect(200);
    await served(app, one.image_url).expect(200);
    await app.api.delete(`/admin/respawns/${three.id}`).set(app.admin).expect(200);
    await served(app, one.image_url).expect(200);
    const undos = await app.ctx.db.selectFrom('undos').select('id').orderBy('id').execute();
    const [last, ...others] = undos.map(({ id }) => id).reverse();
    await change(app, ({ tx }) => dropUndos(tx, others));
    await served(app, one.image_url).expect(200);
    await change(app, ({ tx }) => dropUndos(tx, [last ?? 0]));
    await served(app, one.image_url).expect(404);
    expect(await stored(gif)).toBe(0);
  });

  it('that is sent again changes nothing', async () => {
    const gif = aGif();
    const { id, image, image_url } = await aRespawn(app, aName('Spot'), gif);
    await expectNoTick(app, async () => {
      const { body } = await put(id).attach('image', gif, 'another name.gif').expect(200);
      expect(body.data).toEqual({ image, image_url });
    });
  });

  it('of the catalogue may be replaced, and stays a file for the others', async () => {
    const url = '/assets/respawns/boosted-creature.gif';
    await put(1).attach('image', aGif(), 'x.gif').expect(200);
    const answer = await served(app, url).expect(200);
    expect(answer.headers['content-type']).toBe('image/gif');
    for (const none of [
      '/assets/respawns/none.gif',
      `/assets/respawns/${'0'.repeat(64)}.gif`,
      '/assets/respawns/%00.gif',
    ]) {
      expect((await served(app, none)).status).toBeGreaterThanOrEqual(400);
    }
  });

  it('must be there, and a GIF by its content', async () => {
    const { id } = await aRespawn(app);
    const required = 'A .gif image is required';
    const notGif = 'Only .gif images are accepted.';
    await expectNoTick(app, async () => {
      expectRefusal(await create(), 400, 'respawn.imageRequired', required, { field: 'image' });
      expectRefusal(await put(id), 400, 'respawn.imageRequired', required, { field: 'image' });
      expectRefusal(
        await put(id).send({ image: 'cat.gif' }),
        400,
        'respawn.imageRequired',
        required,
        { field: 'image' },
      );
      expectRefusal(
        await put(id).field('image', 'cat.gif'),
        400,
        'respawn.imageRequired',
        required,
        { field: 'image' },
      );
      const gif = { filename: 'cat.gif', contentType: 'image/gif' };
      for (const bytes of [A_PNG, Buffer.alloc(0)]) {
        expectRefusal(await create().attach('image', bytes, gif), 415, 'respawn.notGif', notGif, {
          field: 'image',
        });
        expectRefusal(await put(id).attach('image', bytes, gif), 415, 'respawn.notGif', notGif, {
          field: 'image',
        });
      }
    });
  });

  it('that is damaged is refused with the reason', async () => {
    const { id } = await aRespawn(app);
    const damaged =
      'This .gif is damaged or incomplete. Open it in an image editor, save it again as .gif and choose it here.';
    const gif = { filename: 'cat.gif', contentType: 'image/gif' };
    await expectNoTick(app, async () => {
      for (const bytes of [aGif().subarray(0, 20), Buffer.from('GIF89a')])
        for (const ask of [create(), put(id)])
          expectRefusal(await ask.attach('image', bytes, gif), 400, 'respawn.gifDamaged', damaged, {
            field: 'image',
          });
    });
  });

  it('may have 1,024 pixels a side and 64 frames so large, and no more', async () => {
    const { id } = await aRespawn(app);
    const gif = { filename: 'cat.gif', contentType: 'image/gif' };
    const send = (ask: supertest.Test, bytes: Uint8Array) =>
      ask.attach('image', Buffer.from(bytes), gif);
    await send(put(id), aGifSized([1_024, 1_024], [1_024, 1_024], 64)).expect(200);
    const tooLarge =
      'This .gif has too many pixels: at most 1,024 per side and 64 frames of that size, or more smaller ones.';
    await expectNoTick(app, async () => {
      for (const bytes of [
        aGifSized([65_535, 65_535]),
        aGifSized([64, 64], [1_025, 1]),
        aGifSized([1_024, 1_024], [1, 1], 65),
      ]) {
        for (const ask of [create(), put(id)]) {
          expectRefusal(await send(ask, bytes), 413, 'respawn.gifTooLarge', tooLarge, {
            field: 'image',
          });
        }
      }
    });
  });

  it('may have 2 MiB, and not a byte more', async () => {
    const { id } = await aRespawn(app);
    const whole = aGifOf(MAX_IMAGE_BYTES);
    expect(whole.length).toBe(2 * 1024 * 1024);
    const { body } = await put(id).attach('image', whole, 'x.gif').expect(200);
    expect((await served(app, body.data.image_url).expect(200)).body).toEqual(whole);
    await expectNoTick(app, async () => {
      const larger = aGifOf(MAX_IMAGE_BYTES + 1);
      for (const ask of [create(), put(id)]) {
        expectRefusal(
          await ask.attach('image', larger, 'x.gif'),
          413,
          'request.tooLarge',
          'The request is too large.',
          {},
        );
      }
    });
  });
});

it('a picture that one server took is served by the other one on the same database', async () => {
  const on = await freshDatabase('postgres');
  const one = await createTestApp('postgres', { on });
  const other = await createTestApp('postgres', { on });
  const gif = aGif();
  const { image_url } = await aRespawn(one, aName('Spot'), gif);
  expect((await served(other, image_url).expect(200)).body).toEqual(gif);
});
