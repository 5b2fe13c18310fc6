import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aKey,
  aMemberType,
  asMember,
  ban,
  change,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp, type TestApp } from '../dev/test/test-app.ts';
import { aCode } from '../members/verification/test/verify.ts';
import { guild, latest, undo, undoLatest } from './test/undo.ts';

const deleteKey = (app: TestApp, { id }: { id: number }) =>
  app.api.delete(`/admin/access-keys/${id}`).set(app.admin).expect(200);
const undoKey = (app: TestApp) => undoLatest(app, 'access_key_deleted');
const login = (app: TestApp, key: { key_value: string }) =>
  app.api.post('/validate-access-key').send({ accessKey: key.key_value });

describe.each(databases)('undoing the deletion of an access key on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('restores its value and the verification records of its character: the member can sign in again', async () => {
    const key = await aKey(app, 'Bubble');
    await aCode(app, 'Bubble');
    await aCode(app, 'Bubble');
    const before = await guild(app);
    await deleteKey(app, key);
    expect((await login(app, key)).body.code).toBe('session.invalidKey');
    const entry = await latest(app, 'access_key_deleted');
    expect(entry.undo).toBe('possible');
    expect((await undo(app, entry.id).expect(200)).body).toEqual({
      success: true,
      data: { restored_claims: 0, left_claims: 0 },
    });
    expect(await guild(app)).toEqual(before);
    expect((await login(app, key).expect(200)).body.data).toMatchObject({
      valid: true,
      characterName: key.character_name,
    });
    expect(await latest(app, 'access_key_restored')).toMatchObject({
      admin_username: 'admin',
      details: {
        undid: entry.id,
        undid_action: 'access_key_deleted',
        access_key_id: key.id,
        character_name: key.character_name,
        verification_records: 2,
      },
      undo: null,
    });
    expectRefusal(
      await undo(app, entry.id),
      409,
      'activity.alreadyUndone',
      'This has already been restored.',
    );
  });

  it('leaves a revoked key revoked, and a banned character banned, with a record that shows the ban', async () => {
    const revoked = await aKey(app);
    const banned = await aKey(app, 'Cachero');
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    await aCode(app, 'Cachero');
    await ban(app, banned);
    const before = await guild(app);
    for (const key of [revoked, banned]) {
      await deleteKey(app, key);
      expect((await undoKey(app)).status).toBe(200);
      expect(await guild(app)).toEqual(before);
    }
    expect((await login(app, revoked)).body.code).toBe('session.keyRevoked');
    expect((await login(app, banned)).body.code).toBe('session.banned');
  });

  it("keeps the calendar's address, which works again; browsers subscribed with the key are not subscribed again", async () => {
    const key = await aKey(app);
    const { url } = (
      await app.api.post('/calendar').set(asMember(key)).send({ language: 'en' }).expect(200)
    ).body.data;
    const read = () => supertest(app.url).get(new URL(url, app.url).pathname);
    await read().expect(200);
    await deleteKey(app, key);
    await read().expect(404);
    expect((await undoKey(app)).status).toBe(200);
    await read().expect(200);
  });

  it('is refused with instructions if the character has another key by now', async () => {
    const key = await aKey(app);
    await deleteKey(app, key);
    const other = await aKey(app, key.character_name.toUpperCase());
    const list = other.character_name;
    const before = await guild(app);
    const answer = await expectNoTick(app, () => undoKey(app));
    const sentence = `There is another access key now: ${list}. Delete it, then restore this one.`;
    expectRefusal(answer, 409, 'activity.keyReissued', sentence, { list });
    expect(await guild(app)).toEqual(before);
    const entry = await latest(app, 'access_key_deleted');
    await deleteKey(app, other);
    await undo(app, entry.id).expect(200);
    expect((await login(app, key)).status).toBe(200);
    expect((await login(app, other)).body.code).toBe('session.invalidKey');
  });

  it('refuses a value or an id that another key has by now', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    await deleteKey(app, key);
    const list = other.character_name;
    const set = (values: { id?: number; key_value?: string }) =>
      change(app, ({ tx }) =>
        tx.updateTable('access_keys').set(values).where('character_name', '=', list).execute(),
      );
    await set({ key_value: key.key_value });
    const sentence = `Another character has a key with the same value now: ${list}. Delete it, then restore this one.`;
    expectRefusal(
      await expectNoTick(app, () => undoKey(app)),
      409,
      'activity.keyValueTaken',
      sentence,
      { list },
    );
    await set({ key_value: other.key_value, id: key.id });
    const changed = `This was changed again since then, so it can't be undone: ${list}. Change it by hand.`;
    expectRefusal(
      await expectNoTick(app, () => undoKey(app)),
      409,
      'activity.changedMeanwhile',
      changed,
      { list },
    );
  });

  it('refuses a key whose member type was deleted since, but not one whose type was missing already', async () => {
    const type = await aMemberType(app);
    const key = await aKey(app, undefined, type);
    const other = await aKey(app, undefined, type);
    await deleteKey(app, key);
    const entry = await latest(app, 'access_key_deleted');
    await app.api.delete(`/admin/member-types/${type}`).set(app.admin).expect(200);
    const sentence = `The member type no longer exists: ${type}. Restore it or create one with that name, then try again.`;
    expectRefusal(
      await expectNoTick(app, () => undo(app, entry.id)),
      409,
      'activity.typeGone',
      sentence,
      { list: type },
    );
    await deleteKey(app, other);
    expect((await undoKey(app)).status).toBe(200);
    await app.api
      .post('/admin/member-types')
      .set(app.admin)
      .send({ member_type: type })
      .expect(201);
    await undo(app, entry.id).expect(200);
  });

  it('gives no id of a deleted key to another', async () => {
    const key = await aKey(app);
    await deleteKey(app, key);
    const next = await aKey(app);
    expect(next.id).toBeGreaterThan(key.id);
    expect((await undoKey(app)).status).toBe(200);
    expect((await aKey(app)).id).toBeGreaterThan(next.id);
  });

  it('keeps waitlist entries that an admin added meanwhile', async () => {
    const type = await aMemberType(app);
    const key = await aKey(app, undefined, type);
    const holder = await aKey(app);
    const { character_name } = key;
    await app.api.put('/admin/config').set(app.admin).send({ waits_enabled: 1 }).expect(200);
    const hours = { respawn_id: 90, date: '2026-11-21', hour_start: 10, hour_end: 12 };
    await submitted(app, holder, aClaim(holder, hours));
    await deleteKey(app, key);
    await app.api
      .post('/waits')
      .set(app.admin)
      .send({ ...hours, character_name, member_type: 'member' })
      .expect(201);
    expect((await undoKey(app)).status).toBe(200);
    const { body } = await app.api.get('/waits').set(app.admin).expect(200);
    const waits: { character_name: string; member_type: string }[] = body.data;
    expect(waits.find((wait) => wait.character_name === character_name)?.member_type).toBe(type);
  });
});
