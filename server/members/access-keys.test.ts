import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  aSpot,
  asMember,
  ban,
  change,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp, NOW } from '../dev/test/test-app.ts';

const NO_KEY = 'Access key not found';

describe.each(databases)('access keys on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const create = (body: object) => app.api.post('/admin/access-keys').set(app.admin).send(body);
  const put = (id: number, action: string, body: object = {}) =>
    app.api.put(`/admin/access-keys/${id}/${action}`).set(app.admin).send(body);
  const remove = (id: number) => app.api.delete(`/admin/access-keys/${id}`).set(app.admin);

  it('are made for a character, of type member unless another is named', async () => {
    const answer = await create({ characterName: '  Lady   Bubble ' }).expect(201);
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        character_name: 'Lady Bubble',
        key_value: expect.stringMatching(
          /^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/,
        ),
        created_by_username: 'admin',
        member_type: 'member',
        created_at: NOW,
        is_revoked: 0,
        revoked_because: null,
        discord_user_id: null,
        discord_name: null,
      },
    });
  });

  it("take the type's stored name, ignoring case", async () => {
    expect(
      (await create({ characterName: aName(), memberType: ' ELITE ' }).expect(201)).body.data
        .member_type,
    ).toBe('elite');
  });

  it('are listed, the newest first', async () => {
    const older = await aKey(app);
    const newer = await aKey(app);
    const { body } = await expectNoTick(app, () =>
      app.api.get('/admin/access-keys').set(app.admin).expect(200),
    );
    expect(body.data.slice(0, 2)).toEqual([newer, older]);
  });

  it('differ from one another', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => aKey(app)));
    expect(new Set(keys.map((key) => key.key_value)).size).toBe(20);
  });

  it.each([{}, { characterName: '' }, { characterName: '   ' }, { characterName: 7 }])(
    'need a character, not %j',
    async (body) => {
      const answer = await expectNoTick(app, () => create(body));
      expectRefusal(answer, 400, 'character.nameRequired', 'Character name is required', {
        field: 'characterName',
      });
    },
  );

  it('refuse a type that is none, an empty one and a name without end', async () => {
    await expectNoTick(app, async () => {
      const unknown = await create({ characterName: aName(), memberType: 'nobility' });
      expectRefusal(unknown, 404, 'memberType.notFound', 'There is no such member type.', {});
      const empty = await create({ characterName: aName(), memberType: ' ' });
      expectRefusal(empty, 400, 'request.invalid', 'The field “memberType” is not valid.', {
        field: 'memberType',
      });
      const long = await create({ characterName: 'n'.repeat(61) });
      expectRefusal(long, 400, 'request.invalid', 'The field “characterName” is not valid.', {
        field: 'characterName',
      });
    });
  });

  it('R1.1: are one per character, active or revoked, ignoring case', async () => {
    const key = await aKey(app, aName('Sir'));
    const sentence = `${key.character_name} already has an access key.`;
    const again = () => create({ characterName: ` ${key.character_name.toUpperCase()}` });
    const params = { character_name: key.character_name };
    expectRefusal(await expectNoTick(app, again), 409, 'key.exists', sentence, params);
    await put(key.id, 'revoke').expect(200);
    expectRefusal(await expectNoTick(app, again), 409, 'key.exists', sentence, params);
    await remove(key.id).expect(200);
    await again().expect(201);
  });

  it('are one, also when two admins make it at the same moment', async () => {
    const characterName = aName();
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ characterName })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('are not made for a banned character', async () => {
    const character_name = aName();
    await ban(app, { character_name });
    const answer = await expectNoTick(app, () =>
      create({ characterName: character_name.toUpperCase() }),
    );
    const params = { character_name: character_name.toUpperCase() };
    const sentence = `${params.character_name} is banned. Unban the character first.`;
    expectRefusal(answer, 409, 'character.banned', sentence, params);
  });

  it('are revoked and enabled again; twice does no harm', async () => {
    const key = await aKey(app);
    for (let i = 0; i < 2; i++)
      expect((await put(key.id, 'revoke').expect(200)).body.data).toEqual({
        ...key,
        is_revoked: 1,
      });
    for (let i = 0; i < 2; i++)
      expect((await put(key.id, 'enable').expect(200)).body.data).toEqual(key);
    await app.api.get('/respawns').set(asMember(key)).expect(200);
  });

  it('that are revoked answer without their Discord link, which has ended', async () => {
    const key = await aKey(app);
    const link = { discord_user_id: '80351110224678912', discord_name: 'nelly' };
    await change(app, ({ tx }) =>
      tx.updateTable('access_keys').set(link).where('id', '=', key.id).execute(),
    );
    expect((await put(key.id, 'revoke').expect(200)).body.data).toEqual({ ...key, is_revoked: 1 });
    expect((await put(key.id, 'enable').expect(200)).body.data).toEqual(key);
  });

  it('change their holder’s type, and with it the voucher, at once', async () => {
    const key = await aKey(app);
    const type = await aMemberType(app, { voucher_duration_hours: 8 });
    const respawn_id = aSpot();
    const answer = await put(key.id, 'member-type', { memberType: type.toUpperCase() }).expect(200);
    expect(answer.body.data).toEqual({ ...key, member_type: type });
    const [row] = await submitted(app, key, aClaim(key, { respawn_id, hour_end: null }));
    expect(row).toMatchObject({ member_type: type, hour_end: 18 });
  });

  it('that are revoked keep their type', async () => {
    const key = await aKey(app);
    await put(key.id, 'revoke').expect(200);
    const answer = await expectNoTick(app, () =>
      put(key.id, 'member-type', { memberType: 'elite' }),
    );
    expectRefusal(
      answer,
      409,
      'key.notActive',
      'Only active keys can have their member type edited.',
      {},
    );
  });

  it('refuse to change to a type that is none, or to nothing', async () => {
    const key = await aKey(app);
    await expectNoTick(app, async () => {
      const unknown = await put(key.id, 'member-type', { memberType: 'nobility' });
      expectRefusal(unknown, 404, 'memberType.notFound', 'There is no such member type.', {});
      for (const body of [{}, { memberType: '' }, { memberType: 7 }]) {
        const answer = await put(key.id, 'member-type', body);
        expectRefusal(answer, 400, 'request.invalid', 'The field “memberType” is not valid.', {
          field: 'memberType',
        });
      }
    });
  });

  it('are deleted with every verification record of their character and no other', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const record = {
      character_name: '',
      code: null,
      token_hash: null,
      created_at: NOW,
      expires_at: null,
      verified_at: NOW,
    };
    const keys = [key, key, other].map(({ character_name }) => character_name.toLowerCase());
    await change(app, ({ tx }) =>
      tx
        .insertInto('verifications')
        .values(keys.map((character_key) => ({ ...record, character_key })))
        .execute(),
    );
    expect((await remove(key.id).expect(200)).body).toEqual({ success: true });
    const left = await app.ctx.db.selectFrom('verifications').select('character_key').execute();
    expect(left).toEqual([{ character_key: other.character_name.toLowerCase() }]);
    await expectNoTick(app, async () => {
      expectRefusal(await remove(key.id), 404, 'key.notFound', NO_KEY, {});
      expectRefusal(await put(key.id, 'revoke'), 404, 'key.notFound', NO_KEY, {});
      expectRefusal(await put(key.id, 'enable'), 404, 'key.notFound', NO_KEY, {});
      expectRefusal(
        await put(key.id, 'member-type', { memberType: 'elite' }),
        404,
        'key.notFound',
        NO_KEY,
        {},
      );
    });
  });

  it('leave their claims when they are deleted', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id }));
    await remove(key.id).expect(200);
    expect(
      await app.ctx.db
        .selectFrom('claims')
        .select('id')
        .where('id', '=', claim?.id ?? 0)
        .execute(),
    ).toHaveLength(1);
  });

  it('are listed with the last claims of their characters', async () => {
    const idle = await aKey(app);
    const key = await aKey(app);
    const date = '2026-11-24';
    await submitted(app, key, aClaim(key, { respawn_id: aSpot(), date }));
    const read = (query: object) =>
      app.api.get('/admin/last-claims').set(app.admin).query(query).expect(200);
    expect((await read({ limit: 2 })).body.data).toEqual([
      { id: key.id, last_claim_date: date },
      { id: idle.id, last_claim_date: null },
    ]);
    expect((await read({ limit: 1, before: key.id })).body.data).toEqual([
      { id: idle.id, last_claim_date: null },
    ]);
    // Hours that are held are not a claim yet.
    await app.ctx.writes.transaction((tx) =>
      tx.updateTable('claims').set({ held_until: '2026-11-21T18:10:00.000Z' }).execute(),
    );
    expect((await read({ limit: 1 })).body.data).toEqual([{ id: key.id, last_claim_date: null }]);
  });
});
