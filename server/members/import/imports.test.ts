import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import {
  type ImportedRow,
  MAX_IMPORT_ROWS,
  MAX_NEW_CATEGORIES,
} from '../../../shared/schemas/import.ts';
import { deleteClaim, guild, undo } from '../../activity/test/undo.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  anAdmin,
  aRespawn,
  ban,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp } from '../../dev/test/test-app.ts';
import { watching } from '../../dev/test/watching.ts';

type Line = Record<string, string>;

const outcomes = (rows: readonly ImportedRow[]): string[] =>
  rows.map(({ outcome, code }) => code ?? outcome);

describe.each(databases)('tables that are imported on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const send = (what: string, rows: readonly Line[], preview = false) =>
    app.api.post(`/admin/import/${what}`).set(app.admin).send({ rows, preview });
  const spots = async () =>
    (await app.api.get('/admin/respawns').set(app.admin).expect(200)).body.data;
  const keys = async () =>
    (await app.api.get('/admin/access-keys').set(app.admin).expect(200)).body.data;
  const named = (all: { name?: string; character_name?: string }[], name: string) =>
    all.find((one) => nameKey(one.name ?? one.character_name ?? '') === nameKey(name));
  const lastEntry = async () =>
    (await app.api.get('/admin/activity-log?limit=1').set(app.admin).expect(200)).body.data.logs[0];

  it('create respawns and their categories, and change differing ones', async () => {
    const old = await aRespawn(app);
    const same = await aRespawn(app);
    const fresh = aName('Fresh spot');
    const category = aName('Fresh category');
    const rows = [
      { name: old.name.toUpperCase(), category: ` ${category} `, enabled: 'no' },
      { name: same.name, category: same.category_name ?? '', enabled: '' },
      { name: fresh, category: category.toLowerCase(), enabled: 'Sí' },
      { name: aName('Alone'), category: '' },
    ];
    const { body } = await send('respawns', rows).expect(200);
    expect(outcomes(body.data.rows)).toEqual(['changed', 'same', 'new', 'new']);
    expect(body.data.rows[0].changed).toEqual({
      name: { from: old.name, to: old.name.toUpperCase() },
      category: { from: old.category_name, to: category },
      is_enabled: { from: 1, to: 0 },
    });
    expect(body.data.new_categories).toEqual([category]);
    const after = await spots();
    expect(named(after, old.name)).toMatchObject({
      id: old.id,
      name: old.name.toUpperCase(),
      category_name: category,
      is_enabled: 0,
    });
    expect(named(after, fresh)).toMatchObject({
      category_name: category,
      is_enabled: 1,
      image_url: '/assets/respawns/any-spot.gif',
    });
    expect(named(after, rows[3]?.name ?? '')).toMatchObject({ category_id: null, is_enabled: 1 });
    expect(named(after, same.name)).toMatchObject(same);
    expect(await lastEntry()).toMatchObject({
      id: body.data.activity_id,
      action: 'respawns_imported',
      details: { added: 2, altered: 1, new_categories: [category] },
    });
    const picture = await fetch(`${app.url}/assets/respawns/any-spot.gif`);
    expect(picture.headers.get('content-type')).toBe('image/gif');
  });

  it('leave a column alone that the file has not', async () => {
    const spot = await aRespawn(app);
    await app.api
      .put(`/admin/respawns/${spot.id}`)
      .set(app.admin)
      .send({ is_enabled: 0 })
      .expect(200);
    const { body } = await send('respawns', [{ name: spot.name }, { name: aName('Usual') }]).expect(
      200,
    );
    expect(outcomes(body.data.rows)).toEqual(['same', 'new']);
    expect(named(await spots(), spot.name)).toMatchObject({
      is_enabled: 0,
      category_id: spot.category_id,
    });
    expect(named(await spots(), body.data.rows[1].name)).toMatchObject({ category_id: 1 });
  });

  it('make keys for who has none, and give who has one the type of the line', async () => {
    const member_type = await aMemberType(app);
    const old = await aKey(app);
    const same = await aKey(app);
    const fresh = aName('Newcomer');
    const rows = [
      { character_name: old.character_name.toUpperCase(), member_type: member_type.toUpperCase() },
      { character_name: same.character_name, member_type: '' },
      { character_name: `  ${fresh} `, member_type },
    ];
    const { body } = await send('members', rows).expect(200);
    expect(outcomes(body.data.rows)).toEqual(['changed', 'same', 'new']);
    const after = await keys();
    expect(named(after, old.character_name)).toEqual({ ...old, member_type });
    expect(named(after, same.character_name)).toEqual(same);
    expect(named(after, fresh)).toMatchObject({
      character_name: fresh,
      member_type,
      created_by_username: 'admin',
      is_revoked: 0,
    });
    expect(await lastEntry()).toMatchObject({
      action: 'members_imported',
      details: { added: 1, altered: 1 },
    });
  });

  it('report the error of each line, and import the others', async () => {
    const revoked = await aKey(app);
    const banned = await aKey(app);
    const twice = aName('Twice');
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    await ban(app, banned);
    await app.api.delete(`/admin/access-keys/${banned.id}`).set(app.admin).expect(200);
    const members = await send('members', [
      { character_name: ' ' },
      { character_name: 'n'.repeat(61) },
      { character_name: twice },
      { character_name: twice.toUpperCase() },
      { character_name: aName(), member_type: 'nobility' },
      { character_name: revoked.character_name, member_type: 'elite' },
      { character_name: banned.character_name },
    ]).expect(200);
    expect(outcomes(members.body.data.rows)).toEqual([
      'character.nameRequired',
      'import.tooLong',
      'new',
      'import.twice',
      'memberType.notFound',
      'key.notActive',
      'character.banned',
    ]);
    expect(members.body.data.rows[3].params).toEqual({ row: 3 });
    const respawns = await send('respawns', [
      { name: '' },
      { name: aName('Spot'), enabled: 'perhaps' },
      { name: aName('Spot'), category: 'c'.repeat(61) },
    ]);
    expect(outcomes(respawns.body.data.rows)).toEqual([
      'respawn.nameRequired',
      'import.yesOrNo',
      'import.tooLong',
    ]);
  });

  it('can be undone as a whole, unless what they made is in use or was changed since', async () => {
    const old = await aRespawn(app);
    const moved = await aKey(app);
    const holder = await aKey(app);
    const { expectSynced } = await watching(app);
    const before = await guild(app);
    const spot = aName('Made spot');
    const category = aName('Made category');
    const character_name = aName('Made member');
    await send('respawns', [
      { name: spot, category },
      { name: old.name.toUpperCase(), category, enabled: 'no' },
    ]).expect(200);
    const spotsImport = await lastEntry();
    expect(spotsImport).toMatchObject({ action: 'respawns_imported', undo: 'possible' });
    await send('members', [
      { character_name },
      { character_name: moved.character_name, member_type: 'elite' },
    ]).expect(200);
    const membersImport = await lastEntry();
    expect(membersImport).toMatchObject({ action: 'members_imported', undo: 'possible' });
    const { id: respawn_id } = await app.ctx.db
      .selectFrom('respawns')
      .select('id')
      .where('name', '=', spot)
      .executeTakeFirstOrThrow();
    const [claim] = await submitted(app, holder, aClaim(holder, { respawn_id }));
    expect((await undo(app, spotsImport.id)).body).toMatchObject({
      code: 'activity.inUse',
      params: { list: spot },
    });
    await deleteClaim(app, claim);
    await undo(app, spotsImport.id).expect(200);
    await expectSynced();
    const theirs = app.ctx.db
      .selectFrom('access_keys')
      .select('id')
      .where('character_name', '=', character_name);
    const { id: key_id } = await theirs.executeTakeFirstOrThrow();
    await app.api.put(`/admin/access-keys/${key_id}/revoke`).set(app.admin).expect(200);
    expect((await undo(app, membersImport.id)).body).toMatchObject({
      code: 'activity.changedMeanwhile',
      params: { list: character_name },
    });
    await app.api.put(`/admin/access-keys/${key_id}/enable`).set(app.admin).expect(200);
    await undo(app, membersImport.id).expect(200);
    await expectSynced();
    expect(await guild(app)).toEqual({ ...before, endings: expect.anything() });
  });

  it('are shown before they are done, which writes nothing; a table that changes nothing does not either', async () => {
    const key = await aKey(app);
    await expectNoTick(app, async () => {
      const rows = [
        { character_name: aName() },
        { character_name: key.character_name, member_type: 'elite' },
      ];
      expect(outcomes((await send('members', rows, true).expect(200)).body.data.rows)).toEqual([
        'new',
        'changed',
      ]);
      expect(
        outcomes(
          (await send('members', [{ character_name: key.character_name }]).expect(200)).body.data
            .rows,
        ),
      ).toEqual(['same']);
      const spot = await send(
        'respawns',
        [{ name: aName('Spot'), category: aName('Category') }],
        true,
      ).expect(200);
      expect(spot.body.data).toMatchObject({
        activity_id: null,
        new_categories: [expect.any(String)],
      });
    });
  });

  it('are taken up to their bounds', async () => {
    await expectNoTick(app, async () => {
      const many = Array.from({ length: MAX_IMPORT_ROWS + 1 }, (_, at) => ({ name: `Spot ${at}` }));
      expectRefusal(
        await send('respawns', many),
        400,
        'request.invalid',
        'The field “rows” is not valid.',
        { field: 'rows' },
      );
      expectRefusal(
        await send('respawns', []),
        400,
        'request.invalid',
        'The field “rows” is not valid.',
        { field: 'rows' },
      );
      const long = await send('members', [{ character_name: 'n'.repeat(201) }]);
      expect(long.body.code).toBe('request.invalid');
    });
  });

  it('are read one at a time for each admin', async () => {
    const rows = Array.from({ length: MAX_IMPORT_ROWS }, (_, at) => ({
      name: `Busy spot ${at}`,
      category: 'East',
    }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('respawns', rows, true)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(answers.length);
    for (const answer of refused) {
      const sentence = 'The server is still reading your last file. Please try again in a moment.';
      expectRefusal(answer, 429, 'import.busy', sentence, { seconds: 1 });
      expect(answer.headers['retry-after']).toBe('1');
    }
    const other = await anAdmin(app, 'owner');
    const [mine, theirs] = await Promise.all([
      send('respawns', rows, true),
      app.api
        .post('/admin/import/respawns')
        .set(other.headers)
        .send({ rows: [{ name: 'Quick spot' }], preview: true }),
    ]);
    expect([mine.status, theirs.status]).toEqual([200, 200]);
  });

  it('create no more categories than plausible', async () => {
    const prefix = aName('Many');
    const rows = Array.from({ length: MAX_NEW_CATEGORIES + 2 }, (_, at) => ({
      name: `${prefix} spot ${at}`,
      category: `${prefix} ${at}`,
    }));
    const { body } = await send('respawns', rows, true).expect(200);
    expect(outcomes(body.data.rows).slice(-3)).toEqual([
      'new',
      'import.manyCategories',
      'import.manyCategories',
    ]);
  });

  it('are an admin’s affair', async () => {
    for (const role of ['moderator', 'viewer'] as const) {
      const { headers } = await anAdmin(app, role);
      for (const what of ['respawns', 'members'])
        await app.api
          .post(`/admin/import/${what}`)
          .set(headers)
          .send({ rows: [], preview: true })
          .expect(403);
    }
  });

  it('reach watchers, two thousand lines as well as one', async () => {
    const { expectSynced } = await watching(app);
    const prefix = aName('Horde');
    await send('respawns', [{ name: aName('Seen'), category: aName('Seen category') }]).expect(200);
    await send('members', [{ character_name: aName('Seen') }]).expect(200);
    const rows = Array.from({ length: MAX_IMPORT_ROWS }, (_, at) => ({
      character_name: `${prefix} ${at}`,
    }));
    const { body } = await send('members', rows).expect(200);
    expect(new Set(outcomes(body.data.rows))).toEqual(new Set(['new']));
    await expectSynced(1, 0);
  });

  it('end where every further import of the same table changes nothing', async () => {
    const cell = fc.constantFrom('Alpha', 'ALPHA', ' beta ', 'Gamma', '', 'x'.repeat(70));
    const line = fc.record(
      {
        name: cell,
        category: fc.constantFrom('', 'East', 'east', 'West'),
        enabled: fc.constantFrom('', 'yes', '0', '?'),
      },
      { requiredKeys: ['name'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (rows) => {
        const before = await send('respawns', rows, true).expect(200);
        const done = await send('respawns', rows).expect(200);
        expect(done.body.data.rows).toEqual(before.body.data.rows);
        const again = (await send('respawns', rows, true).expect(200)).body.data.rows;
        expect(outcomes(again)).toEqual(
          outcomes(done.body.data.rows).map((was) =>
            was === 'new' || was === 'changed' ? 'same' : was,
          ),
        );
      }),
      { numRuns: 12 },
    );
  });
});
