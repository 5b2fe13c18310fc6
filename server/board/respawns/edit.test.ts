import { describe, expect, it } from 'vitest';
import { latest, undo, undoLatest } from '../../activity/test/undo.ts';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  aRespawn,
  aSpot,
  noActiveEvent,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { aGif } from '../../dev/test/gifs.ts';
import { createSuiteApp, NOW, TODAY } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';

const GONE = 'This spot no longer exists.';

describe.each(databases)('a respawn on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const form = (fields: Record<string, string>) => {
    const post = app.api
      .post('/respawns/admin')
      .set(app.admin)
      .attach('image', aGif(), 'any name.png');
    return Object.entries(fields).reduce((sent, [name, value]) => sent.field(name, value), post);
  };
  const put = (id: number, fields: object) =>
    app.api.put(`/admin/respawns/${id}`).set(app.admin).send(fields);
  const putCategory = (id: number, category_id?: unknown) =>
    app.api.put(`/admin/respawns/${id}/category`).set(app.admin).send({ category_id });
  const remove = (id: number) => app.api.delete(`/admin/respawns/${id}`).set(app.admin);

  it('is created in the default category, takes claims at once, and everyone who watches sees it', async () => {
    const name = aName('Spot');
    const key = await aKey(app);
    const { member, expectSynced } = await watching(app);
    let id = 0;
    const entries = await owedBy(app, async () => {
      const { body } = await form({ name: `  ${name.replace(' ', '   ')} ` }).expect(201);
      expect(body).toEqual({
        success: true,
        data: {
          id: expect.any(Number),
          name,
          image: expect.stringMatching(/^[0-9a-f]{64}\.gif$/),
          image_url: `/assets/respawns/${body.data.image}`,
          category_id: 1,
          category_name: 'General',
          is_enabled: 1,
          total_claims: 0,
          last_claim_date: null,
          created_at: NOW,
        },
      });
      id = body.data.id;
      await expectSynced();
      expect(member.records('respawn').get(String(id))).toEqual(body.data);
    });
    const details = { respawn_id: id, name, category_name: 'General', image: expect.any(String) };
    expect(entries).toMatchObject([
      { action: 'respawn_created', admin_username: 'admin', details },
    ]);
    await submitted(app, key, aClaim(key, { respawn_id: id }));
  });

  it('is created in the requested category', async () => {
    const { data: category } = (
      await app.api
        .post('/categories')
        .set(app.admin)
        .send({ name: aName('Category') })
    ).body;
    const { body } = await form({ name: aName('Spot'), category_id: String(category.id) }).expect(
      201,
    );
    expect(body.data).toMatchObject({ category_id: category.id, category_name: category.name });
  });

  it('has a unique name, ignoring case, and an existing category', async () => {
    const { id, name } = await aRespawn(app);
    const other = await aRespawn(app);
    const exists = `There is already a spot named ${name}.`;
    await expectNoTick(app, async () => {
      expectRefusal(
        await form({ name: ` ${name.toUpperCase()}` }),
        409,
        'respawn.nameExists',
        exists,
        { name },
      );
      expectRefusal(
        await put(other.id, { name: name.toLowerCase() }),
        409,
        'respawn.nameExists',
        exists,
        { name },
      );
      for (const fields of [{}, { name: ' ' }]) {
        expectRefusal(
          await form({ ...fields }),
          400,
          'respawn.nameRequired',
          'Respawn name is required',
          { field: 'name' },
        );
      }
      expectRefusal(
        await put(id, { name: '' }),
        400,
        'respawn.nameRequired',
        'Respawn name is required',
        { field: 'name' },
      );
      const gone = 'This category no longer exists.';
      expectRefusal(
        await form({ name: aName('Spot'), category_id: '99999' }),
        404,
        'category.notFound',
        gone,
        {},
      );
      expectRefusal(await putCategory(id, 99_999), 404, 'category.notFound', gone, {});
      const invalid = 'The field “category_id” is not valid.';
      for (const none of ['', 'abc', '0', '1.5']) {
        expectRefusal(
          await form({ name: aName('Spot'), category_id: none }),
          400,
          'request.invalid',
          invalid,
        );
      }
      for (const none of [undefined, '1', 0])
        expectRefusal(await putCategory(id, none), 400, 'request.invalid', invalid);
      expectRefusal(
        await put(id, { is_enabled: 2 }),
        400,
        'request.invalid',
        'The field “is_enabled” is not valid.',
      );
    });
    expect(await app.ctx.db.selectFrom('images').select('hash').execute()).toHaveLength(
      (await withPictures()).size,
    );
  });

  /** The uploaded pictures that respawns show. */
  async function withPictures(): Promise<Set<string>> {
    const rows = await app.ctx.db.selectFrom('respawns').select('image').execute();
    return new Set(rows.map((row) => row.image).filter((image) => image.length === 68));
  }

  it('is renamed, and its claims with it', async () => {
    const { id, name } = await aRespawn(app);
    const key = await aKey(app);
    const { member, expectSynced } = await watching(app);
    await submitted(app, key, aClaim(key, { respawn_id: id }));
    const to = aName('Spot');
    const entries = await owedBy(app, async () => {
      expect((await put(id, { name: ` ${to} ` }).expect(200)).body.data).toMatchObject({
        id,
        name: to,
        is_enabled: 1,
        total_claims: 1,
      });
    });
    const details = { respawn_id: id, name: to, changed: { name: { from: name, to } } };
    expect(entries.map((entry) => [entry.action, entry.details])).toEqual([
      ['respawn_updated', details],
    ]);
    await expectSynced();
    expect(member.records('respawn').get(String(id))?.name).toBe(to);
    const day = await app.api.get(`/respawns/${id}/claims/${TODAY}`).set(app.admin).expect(200);
    expect(day.body.data).toMatchObject([{ respawn_name: to }]);
  });

  it('R4.10: that is disabled keeps its claims, takes no more, and is seen by admins only; enabled again it is as before', async () => {
    const { id, name } = await aRespawn(app);
    const key = await aKey(app);
    const { member, admin, expectSynced } = await watching(app);
    await submitted(app, key, aClaim(key, { respawn_id: id }));
    const entries = await owedBy(app, () => put(id, { is_enabled: false }).expect(200));
    expect(entries).toMatchObject([
      { details: { name, changed: { is_enabled: { from: 1, to: 0 } } } },
    ]);
    await expectSynced();
    expect(member.records('respawn').has(String(id))).toBe(false);
    expect(admin.records('respawn').get(String(id))).toMatchObject({
      is_enabled: 0,
      total_claims: 1,
    });
    const tomorrow = aClaim(key, { respawn_id: id, date: '2026-11-22' });
    expectRefusal(
      await submit(app, key, tomorrow),
      409,
      'respawn.disabled',
      `${name} is disabled and can't be claimed.`,
    );
    await put(id, { is_enabled: 1 }).expect(200);
    await expectSynced();
    expect(member.records('respawn').get(String(id))).toMatchObject({
      is_enabled: 1,
      total_claims: 1,
    });
    await submitted(app, key, tomorrow);
  });

  it('moves to another category, or to none', async () => {
    const { id } = await aRespawn(app);
    const { member, expectSynced } = await watching(app);
    const entries = await owedBy(app, async () => {
      expect((await putCategory(id, null).expect(200)).body.data).toMatchObject({
        category_id: null,
        category_name: null,
      });
      await expectSynced();
      expect(member.records('respawn').get(String(id))?.category_id).toBeNull();
      expect((await putCategory(id, 1).expect(200)).body.data).toMatchObject({
        category_id: 1,
        category_name: 'General',
      });
    });
    await expectSynced();
    const changes = entries.map((entry) => entry.details.changed);
    expect(changes).toEqual([
      { category_name: { from: 'General', to: null } },
      { category_name: { from: null, to: 'General' } },
    ]);
  });

  describe('whose name, enabled switch and category change in one call', () => {
    const change = (name: string) => ({ name, is_enabled: 0, category_id: null });

    it('is one write with one entry, and one undo restores all of them', async () => {
      const { id, name } = await aRespawn(app);
      const { admin, expectSynced } = await watching(app);
      const clock = app.ctx.bus.clock();
      const before = admin.records('respawn').get(String(id));
      const to = aName('Spot');
      const entries = await owedBy(app, async () => {
        expect((await put(id, change(to)).expect(200)).body.data).toMatchObject({
          ...change(to),
          category_name: null,
        });
      });
      expect(app.ctx.bus.clock()).toBe(clock + 1);
      expect(entries).toMatchObject([
        {
          action: 'respawn_updated',
          undo: 'possible',
          details: {
            respawn_id: id,
            name: to,
            changed: {
              name: { from: name, to },
              is_enabled: { from: 1, to: 0 },
              category_name: { from: 'General', to: null },
            },
          },
        },
      ]);
      expect((await undoLatest(app, 'respawn_updated')).status).toBe(200);
      await expectSynced();
      expect(admin.records('respawn').get(String(id))).toEqual(before);
    });

    it('stays as it is if one of them is refused', async () => {
      const { id } = await aRespawn(app);
      const other = await aRespawn(app);
      const to = aName('Spot');
      await expectNoTick(app, async () => {
        expectRefusal(
          await put(id, { ...change(to), category_id: 99_999 }),
          404,
          'category.notFound',
          'This category no longer exists.',
        );
        expectRefusal(
          await put(id, change(other.name)),
          409,
          'respawn.nameExists',
          `There is already a spot named ${other.name}.`,
        );
        expectRefusal(
          await put(id, change(' ')),
          400,
          'respawn.nameRequired',
          'Respawn name is required',
        );
        for (const category_id of ['1', 0, 1.5])
          expectRefusal(
            await put(id, { ...change(to), category_id }),
            400,
            'request.invalid',
            'The field “category_id” is not valid.',
          );
        expectRefusal(await put(99_999, change(to)), 404, 'respawn.notFound', GONE);
      });
    });

    it('is not undone once its category was changed again or its earlier one deleted', async () => {
      const { id, name } = await aRespawn(app);
      const { data: category } = (
        await app.api
          .post('/categories')
          .set(app.admin)
          .send({ name: aName('Category') })
      ).body;
      await putCategory(id, category.id).expect(200);
      await put(id, change(aName('Spot'))).expect(200);
      const { id: edit } = await latest(app, 'respawn_updated');
      await putCategory(id, 1).expect(200);
      expectRefusal(
        await undo(app, edit),
        409,
        'activity.changedMeanwhile',
        `This was changed again since then, so it can't be undone: ${name}. Change it by hand.`,
      );
      await putCategory(id, null).expect(200);
      await app.api.delete(`/categories/${category.id}`).set(app.admin).expect(200);
      expect(await undo(app, edit)).toMatchObject({
        status: 409,
        body: { code: 'activity.goneMeanwhile', params: { list: category.name } },
      });
    });
  });

  it('that nothing changes of writes nothing', async () => {
    const { id, name } = await aRespawn(app);
    await expectNoTick(app, async () => {
      await put(id, {}).expect(200);
      await put(id, { name: ` ${name}`, is_enabled: true, category_id: 1 }).expect(200);
      await putCategory(id, 1).expect(200);
    });
  });

  it('R4.12: is deleted with its claims, split ones as a whole, and their hours are free', async () => {
    const { id, name } = await aRespawn(app);
    const other = aSpot();
    const key = await aKey(app);
    const splitter = await aKey(app);
    const waiting = await aKey(app, aName(), 'vice');
    await noActiveEvent(app);
    await submitted(app, key, aClaim(key, { respawn_id: id }));
    const event = await anActiveEvent(app);
    const split_parts = [other, id].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 15 + 2 * i,
      duration: 2,
    }));
    const split = aClaim(splitter, { respawn_id: other, is_split_claim: 1, split_parts });
    await submitted(app, splitter, split);
    const [kept] = await submitted(
      app,
      waiting,
      aClaim(waiting, { respawn_id: other, hour_start: 10, hour_end: 14 }),
      aClaim(waiting, { respawn_id: id, is_secondary_claim: 1, hour_start: 10 }),
    );
    const { member, admin, expectSynced } = await watching(app);
    expect(admin.records('event').get(String(event.id))?.claim_count).toBe(3);
    const entries = await owedBy(app, async () => {
      expect((await remove(id).expect(200)).body).toEqual({ success: true });
    });
    expect(entries).toMatchObject([
      {
        action: 'respawn_deleted',
        admin_username: 'admin',
        details: { respawn_id: id, name, claim_count: 3 },
      },
    ]);
    await expectSynced();
    for (const watcher of [member, admin]) {
      expect(watcher.records('respawn').has(String(id))).toBe(false);
      expect([...watcher.records('claim').values()].map((claim) => claim.id)).toEqual([kept?.id]);
      expect(watcher.records('respawn').get(String(other))).toMatchObject({ total_claims: 1 });
    }
    expect(admin.records('event').get(String(event.id))?.claim_count).toBe(1);
    const { db } = app.ctx;
    expect(
      await db.selectFrom('occupied_hours').select('hour').where('respawn_id', '=', id).execute(),
    ).toEqual([]);
    // The hours of the split claim's other part, and its character's date.
    await submitted(
      app,
      splitter,
      aClaim(splitter, { respawn_id: other, hour_start: 15, hour_end: 17 }),
    );
    await noActiveEvent(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    expectRefusal(
      await submit(app, waiting, aClaim(waiting, { respawn_id: id, date: '2026-11-23' })),
      404,
      'respawn.notFound',
      GONE,
    );
  });

  it('that is none is 404, also after it was deleted', async () => {
    const { id, name } = await aRespawn(app);
    await remove(id).expect(200);
    await expectNoTick(app, async () => {
      expectRefusal(await remove(id), 404, 'respawn.notFound', GONE, {});
      expectRefusal(await put(id, { name: aName() }), 404, 'respawn.notFound', GONE, {});
      expectRefusal(await putCategory(id, null), 404, 'respawn.notFound', GONE, {});
      const image = app.api
        .put(`/admin/respawns/${id}/image`)
        .set(app.admin)
        .attach('image', aGif(), 'a.gif');
      expectRefusal(await image, 404, 'respawn.notFound', GONE, {});
    });
    expect((await aRespawn(app, name)).id).not.toBe(id);
  });
});
