import { describe, expect, it } from 'vitest';
import type { Category } from '../../../shared/schemas/category.ts';
import type { RespawnWithClaims } from '../../../shared/schemas/respawn.ts';
import {
  aClaim,
  aKey,
  aName,
  aRespawn,
  disableRespawn,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';

const GONE = 'This category no longer exists.';

describe.each(databases)('a category on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const post = (name?: unknown) => app.api.post('/categories').set(app.admin).send({ name });
  const put = (id: number, name?: unknown) =>
    app.api.put(`/categories/${id}`).set(app.admin).send({ name });
  const remove = (id: number) => app.api.delete(`/categories/${id}`).set(app.admin);
  const aCategory = async (name = aName('Category')): Promise<Category> =>
    (await post(name).expect(201)).body.data;
  const within = async (category_id: number) => {
    const respawn = await aRespawn(app);
    await app.api
      .put(`/admin/respawns/${respawn.id}/category`)
      .set(app.admin)
      .send({ category_id })
      .expect(200);
    return respawn.id;
  };
  const onBoard = async (id: number): Promise<RespawnWithClaims | undefined> => {
    const board: RespawnWithClaims[] = (await app.api.get('/respawns').set(app.admin).expect(200))
      .body;
    return board.find((respawn) => respawn.id === id);
  };

  it('is added, tidied, and everyone who watches knows it at once', async () => {
    const name = aName('Deep Caves');
    const { member, expectSynced } = await watching(app);
    let newCategory: Category | undefined;
    const entries = await owedBy(app, async () => {
      const { body } = await post(`  ${name.replaceAll(' ', '   ')} `).expect(201);
      expect(body).toEqual({ success: true, data: { id: expect.any(Number), name } });
      newCategory = body.data;
    });
    expect(entries).toMatchObject([
      {
        action: 'category_created',
        admin_username: 'admin',
        details: { category_id: newCategory?.id, name },
      },
    ]);
    await expectSynced();
    expect(member.records('category').get(String(newCategory?.id))).toEqual(newCategory);
    expect((await app.api.get('/categories')).body.data).toContainEqual(newCategory);
  });

  it('is renamed, also in its respawns and their claims, disabled ones included', async () => {
    const { id, name } = await aCategory();
    const respawn_id = await within(id);
    const disabled = await within(id);
    const key = await aKey(app);
    const { member, admin, expectSynced } = await watching(app);
    await disableRespawn(app, disabled);
    await submitted(app, key, aClaim(key, { respawn_id }));
    const to = name.toUpperCase();
    const entries = await owedBy(app, async () => {
      expect((await put(id, to).expect(200)).body).toEqual({
        success: true,
        data: { id, name: to },
      });
    });
    const details = { category_id: id, name: to, changed: { name: { from: name, to } } };
    expect(entries.map((entry) => [entry.action, entry.details])).toEqual([
      ['category_updated', details],
    ]);
    await expectSynced();
    expect(member.records('respawn').get(String(respawn_id))?.category_name).toBe(to);
    expect(member.records('respawn').has(String(disabled))).toBe(false);
    expect(admin.records('respawn').get(String(disabled))?.category_name).toBe(to);
    expect((await onBoard(respawn_id))?.claims[0]?.category_name).toBe(to);
  });

  it('that is deleted leaves its respawns to the default one', async () => {
    const { id, name } = await aCategory();
    const respawn_id = await within(id);
    const disabled = await within(id);
    const { member, admin, expectSynced } = await watching(app);
    await disableRespawn(app, disabled);
    const entries = await owedBy(app, async () => {
      expect((await remove(id).expect(200)).body).toEqual({ success: true });
    });
    expect(entries).toMatchObject([
      { action: 'category_deleted', details: { category_id: id, name, respawns_moved: 2 } },
    ]);
    await expectSynced();
    expect(member.records('category').has(String(id))).toBe(false);
    expect(member.records('respawn').get(String(respawn_id))).toMatchObject({
      category_id: 1,
      category_name: 'General',
    });
    expect(admin.records('respawn').get(String(disabled))).toMatchObject({
      category_id: 1,
      category_name: 'General',
    });
    expect(await onBoard(respawn_id)).toMatchObject({ category_id: 1, category_name: 'General' });
  });

  it('has a unique name, ignoring case, and may change its case', async () => {
    const { id, name } = await aCategory();
    const other = await aCategory();
    const sentence = `There is already a category named ${name}.`;
    await expectNoTick(app, async () => {
      expectRefusal(await post(` ${name.toUpperCase()}`), 409, 'category.nameExists', sentence, {
        name,
      });
      expectRefusal(await put(other.id, name.toLowerCase()), 409, 'category.nameExists', sentence, {
        name,
      });
      for (const missing of [undefined, '', ' ', null, 1]) {
        expectRefusal(
          await post(missing),
          400,
          'category.nameRequired',
          'Category name is required',
          { field: 'name' },
        );
        expectRefusal(
          await put(id, missing),
          400,
          'category.nameRequired',
          'Category name is required',
          { field: 'name' },
        );
      }
      expectRefusal(
        await post('a'.repeat(61)),
        400,
        'request.invalid',
        'The field “name” is not valid.',
        { field: 'name' },
      );
      await put(id, ` ${name}`).expect(200);
    });
    await put(id, name.toUpperCase()).expect(200);
  });

  it('with id 1 is the default: it may be renamed, not deleted', async () => {
    await expectNoTick(app, async () => {
      expectRefusal(
        await remove(1),
        403,
        'category.isDefault',
        'The default category cannot be deleted.',
        {},
      );
    });
    await put(1, 'Everything else').expect(200);
    await put(1, 'General').expect(200);
  });

  it('that is none is 404, also after it was deleted', async () => {
    const { id, name } = await aCategory();
    await remove(id).expect(200);
    await expectNoTick(app, async () => {
      expectRefusal(await remove(id), 404, 'category.notFound', GONE, {});
      expectRefusal(await put(id, aName()), 404, 'category.notFound', GONE, {});
    });
    expect((await aCategory(name)).id).not.toBe(id);
  });
});
