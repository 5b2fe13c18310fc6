import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { wrongCounts } from '../board/claims/consistency.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  anAdmin,
  aRespawn,
  aSpot,
  aWait,
  change,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { aGif } from '../dev/test/gifs.ts';
import { hadWork } from '../dev/test/jobs.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import { watching } from '../dev/test/watching.ts';
import { aCode, checked, records } from '../members/verification/test/verify.ts';
import { forgetUndos } from './retention.ts';
import { deleteClaim, guild, latest, splitOn, undo, undoLatest } from './test/undo.ts';
import { admin } from './test/write.ts';

const remove = (app: TestApp, path: string) => admin(app, `delete ${path}`).expect(200);
const deleteSpot = (app: TestApp, id: number) => remove(app, `/admin/respawns/${id}`);
async function aCategory(
  app: TestApp,
  name = aName('Category'),
): Promise<{ id: number; name: string }> {
  return (await admin(app, 'post /categories', { name }).expect(201)).body.data;
}
const moveTo = (app: TestApp, respawn_id: number, category_id: number | null) =>
  admin(app, `put /admin/respawns/${respawn_id}/category`, { category_id }).expect(200);
const gone = (list: string) =>
  `It belonged to something that no longer exists: ${list}. If the log offers to restore that, do so first.`;
const changed = (list: string) =>
  `This was changed again since then, so it can't be undone: ${list}. Change it by hand.`;

describe.each(databases)('undoing the deletion of a respawn on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('restores it with its id, picture, category and claims, and all watchers see the former state', async () => {
    const spot = await aRespawn(app);
    const other = aSpot();
    const category = await aCategory(app);
    await moveTo(app, spot.id, category.id);
    await admin(app, 'put /admin/config', { waits_enabled: 1 }).expect(200);
    const one = await aKey(app);
    const two = await aKey(app, undefined, 'elite');
    const three = await aKey(app);
    await submitted(app, one, aClaim(one, { respawn_id: spot.id, hour_start: 19, hour_end: 23 }));
    await submitted(app, two, aClaim(two, splitOn(spot.id, other)));
    const secondary = aClaim(two, {
      date: '2026-11-22',
      respawn_id: spot.id,
      hour_start: 20,
      hour_end: 22,
      is_secondary_claim: 1,
    });
    await submitted(app, two, aClaim(two, { date: '2026-11-22', respawn_id: other }), secondary);
    const wait = await aWait(app, three, { respawn_id: spot.id, hour_start: 19, hour_end: 23 });
    const { expectSynced } = await watching(app);
    const before = await guild(app);
    await deleteSpot(app, spot.id);
    await expectSynced();
    const entry = await latest(app, 'respawn_deleted');
    expect([entry.undo, entry.details.claim_count]).toEqual(['possible', 3]);
    const { body } = await undo(app, entry.id).expect(200);
    expect(body.data).toEqual({ restored_claims: 3, left_claims: 0 });
    expect(await guild(app)).toEqual(before);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    await expectSynced();
    await supertest(app.url).get(spot.image_url).expect(200);
    expect(await latest(app, 'respawn_restored')).toMatchObject({
      details: {
        undid: entry.id,
        undid_action: 'respawn_deleted',
        respawn_id: spot.id,
        name: spot.name,
        claim_count: 3,
        restored_claims: 3,
      },
    });
    // Its waitlist entries are back, too.
    const { status } = await app.ctx.db
      .selectFrom('waits')
      .select('status')
      .where('id', '=', wait.id)
      .executeTakeFirstOrThrow();
    expect(status).toBe('waiting');
    expect((await aRespawn(app)).id).toBeGreaterThan(spot.id);
  });

  it('restores a disabled one as disabled: members do not see it, and no category is added', async () => {
    const { id } = await aRespawn(app);
    await moveTo(app, id, null);
    await admin(app, `put /admin/respawns/${id}`, { is_enabled: 0 }).expect(200);
    const { expectSynced, member, admin: owner } = await watching(app);
    const before = await guild(app);
    await deleteSpot(app, id);
    expect((await undoLatest(app, 'respawn_deleted')).status).toBe(200);
    expect(await guild(app)).toEqual(before);
    await expectSynced();
    expect([
      member.records('respawn').has(String(id)),
      owner.records('respawn').has(String(id)),
    ]).toEqual([false, true]);
  });

  it('counts its archived claims, which were never deleted', async () => {
    const { id } = await aRespawn(app);
    await change(app, async ({ tx }) => {
      const claim = {
        event_id: null,
        character_name: 'Old',
        character_key: 'old',
        member_type: 'member',
        date: '2026-01-01',
      };
      const rest = {
        custom_duration: null,
        voucher_duration: 4,
        is_secondary_claim: 0,
        secondary_priority: 0,
        primary_claim_id: null,
      } as const;
      const archived = {
        ...claim,
        ...rest,
        id: 900_000 + id,
        is_split_claim: 0,
        created_at: NOW,
        last_date: '2026-01-01',
      } as const;
      await tx.insertInto('archived_claims').values(archived).execute();
      const part = {
        claim_id: archived.id,
        part_number: 1,
        respawn_id: id,
        respawn_name: 'x',
        hour_start: 1,
        hour_end: 2,
      };
      await tx
        .insertInto('archived_claim_parts')
        .values({ ...part, last_date: '2026-01-01' })
        .execute();
      await tx
        .updateTable('respawns')
        .set({ total_claims: 1, last_claim_date: '2026-01-01' })
        .where('id', '=', id)
        .execute();
    });
    const before = await guild(app);
    await deleteSpot(app, id);
    expect((await undoLatest(app, 'respawn_deleted')).status).toBe(200);
    expect(await guild(app)).toEqual(before);
  });

  it('lets a claim be put back that had been deleted before it', async () => {
    const { id, name } = await aRespawn(app);
    const key = await aKey(app);
    const before = await guild(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: id }));
    await deleteClaim(app, claim);
    const entry = await latest(app, 'claim_deleted');
    await deleteSpot(app, id);
    expectRefusal(await undo(app, entry.id), 409, 'activity.goneMeanwhile', gone(name), {
      list: name,
    });
    expect((await undoLatest(app, 'respawn_deleted')).status).toBe(200);
    expect(await guild(app)).toEqual({ ...before, endings: expect.anything() });
    await undo(app, entry.id).expect(200);
  });

  it('is refused if its name is taken, its category deleted or a claim’s hours taken, and nothing is restored', async () => {
    const spot = await aRespawn(app);
    const other = await aRespawn(app);
    const category = await aCategory(app);
    const key = await aKey(app);
    await moveTo(app, spot.id, category.id);
    await submitted(app, key, aClaim(key, splitOn(spot.id, other.id)));
    await deleteSpot(app, spot.id);
    const { id } = await latest(app, 'respawn_deleted');
    const refused = async (
      ...[code, sentence, list]: [Parameters<typeof expectRefusal>[2], string, string]
    ): Promise<void> => {
      const was = await guild(app);
      expectRefusal(await expectNoTick(app, () => undo(app, id)), 409, code, sentence, { list });
      expect(await guild(app)).toEqual(was);
    };
    await admin(app, `put /admin/respawns/${other.id}`, {
      name: spot.name.toUpperCase(),
    }).expect(200);
    const named = `Another spot has this name now: ${spot.name.toUpperCase()}. Rename it, then restore this one.`;
    await refused('activity.spotNameTaken', named, spot.name.toUpperCase());
    await admin(app, `put /admin/respawns/${other.id}`, { name: other.name }).expect(200);
    await remove(app, `/categories/${category.id}`);
    await refused('activity.goneMeanwhile', gone(category.name), category.name);
    expect((await undoLatest(app, 'category_deleted')).status).toBe(200);
    const rival = await aKey(app);
    const [taken] = await submitted(
      app,
      rival,
      aClaim(rival, { respawn_id: other.id, hour_start: 14, hour_end: 16 }),
    );
    const was = await guild(app);
    const answer = await expectNoTick(app, () => undo(app, id));
    expect([answer.status, answer.body.code, answer.body.params.claims[0].id]).toEqual([
      409,
      'activity.hoursTaken',
      taken?.id,
    ]);
    expect(await guild(app)).toEqual(was);
    await deleteClaim(app, taken);
    await undo(app, id).expect(200);
  });

  it('requires a role that may change the guild; a moderator may restore claims', async () => {
    const { id } = await aRespawn(app);
    const key = await aKey(app);
    const moderator = await anAdmin(app, 'moderator');
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: id }));
    await deleteClaim(app, claim);
    const entry = await latest(app, 'claim_deleted');
    await app.api.post(`/admin/activity-log/${entry.id}/undo`).set(moderator.headers).expect(200);
    await deleteSpot(app, id);
    const deletion = await latest(app, 'respawn_deleted');
    await expectNoTick(app, async () => {
      const answer = await app.api
        .post(`/admin/activity-log/${deletion.id}/undo`)
        .set(moderator.headers);
      expect([answer.status, answer.body.code]).toEqual([403, 'session.notAllowed']);
    });
  });
});

describe.each(databases)('undos of admins’ other deletions, on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('restores a category with its spots; spots that were moved or deleted since are left alone', async () => {
    const category = await aCategory(app);
    const other = await aCategory(app);
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const three = await aRespawn(app);
    for (const { id } of [one, two, three]) await moveTo(app, id, category.id);
    const { expectSynced } = await watching(app);
    const before = await guild(app);
    await remove(app, `/categories/${category.id}`);
    expect((await undoLatest(app, 'category_deleted')).body.data).toEqual({
      restored_claims: 0,
      left_claims: 0,
    });
    expect(await guild(app)).toEqual(before);
    await expectSynced();
    expect((await latest(app, 'category_restored')).details).toMatchObject({
      name: category.name,
      respawns_moved: 3,
    });

    await remove(app, `/categories/${category.id}`);
    await moveTo(app, two.id, other.id);
    await deleteSpot(app, three.id);
    expect((await undoLatest(app, 'category_deleted')).status).toBe(200);
    await expectSynced();
    const { body } = await app.api.get('/admin/respawns').set(app.admin).expect(200);
    const spots: { id: number; category_id: number | null }[] = body.data;
    const categoryOf = ({ id }: { id: number }) =>
      spots.find((spot) => spot.id === id)?.category_id;
    expect([one, two, three].map(categoryOf)).toEqual([category.id, other.id, undefined]);
  });

  it('a category is not put back beside another of its name', async () => {
    const category = await aCategory(app);
    await remove(app, `/categories/${category.id}`);
    const list = category.name.toUpperCase();
    const other = await aCategory(app, list);
    expect(other.id).not.toBe(category.id);
    const sentence = `Another category has this name now: ${list}. Rename it, then restore this one.`;
    const answer = await expectNoTick(app, () => undoLatest(app, 'category_deleted'));
    expectRefusal(answer, 409, 'activity.categoryNameTaken', sentence, { list });
    await admin(app, `put /categories/${other.id}`, { name: aName('Other') }).expect(200);
    expect((await undoLatest(app, 'category_deleted')).status).toBe(200);
  });

  it('restores a member type, and with it the permissions of its keys', async () => {
    const member_type = await aMemberType(app, {
      voucher_duration_hours: 7,
      guild_ranks: ['Scout'],
      max_hours_per_day: 9,
    });
    const key = await aKey(app, undefined, member_type);
    const { expectSynced } = await watching(app);
    const before = await guild(app);
    await remove(app, `/admin/member-types/${member_type}`);
    await expectSynced();
    expect((await undoLatest(app, 'member_type_deleted')).status).toBe(200);
    expect(await guild(app)).toEqual(before);
    await expectSynced();
    expect((await latest(app, 'member_type_restored')).details).toMatchObject({
      member_type,
      access_keys: 1,
      claims: 0,
    });
    await submitted(app, key, aClaim(key, { respawn_id: aSpot(), hour_start: 12, hour_end: 19 }));
  });

  it('a member type is not put back beside another of its name, or of its rank', async () => {
    const member_type = await aMemberType(app, { guild_ranks: ['Raider'] });
    await remove(app, `/admin/member-types/${member_type}`);
    const { id } = await latest(app, 'member_type_deleted');
    const list = member_type.toUpperCase();
    await admin(app, 'post /admin/member-types', { member_type: list }).expect(201);
    const named = `Another member type has this name now: ${list}. Delete it, then restore this one.`;
    expectRefusal(
      await expectNoTick(app, () => undo(app, id)),
      409,
      'activity.typeNameTaken',
      named,
      { list },
    );
    await remove(app, `/admin/member-types/${list}`);
    const thief = await aMemberType(app, { guild_ranks: ['RAIDER'] });
    const ranked = `The guild rank RAIDER belongs to the type ${thief} now. Remove it there, then restore this one.`;
    const params = { rank: 'RAIDER', member_type: thief };
    expectRefusal(
      await expectNoTick(app, () => undo(app, id)),
      409,
      'activity.rankTaken',
      ranked,
      params,
    );
    await admin(app, `put /admin/member-types/${thief}`, { guild_ranks: [] }).expect(200);
    await undo(app, id).expect(200);
  });

  it('restores a verification record without changing the key if another character verified since', async () => {
    await aCode(app, 'Bubble');
    const [record] = await records(app);
    const { expectSynced } = await watching(app);
    const before = await guild(app);
    await remove(app, `/admin/verified-codes/${record?.id}`);
    expect((await undoLatest(app, 'verification_deleted')).status).toBe(200);
    expect(await guild(app)).toEqual(before);
    await expectSynced();
    expect((await latest(app, 'verification_restored')).details).toMatchObject({
      character_name: 'Bubble',
      verification_id: record?.id,
    });

    const set = (values: { verified_at: string }) =>
      change(app, ({ tx }) => tx.updateTable('verifications').set(values).execute());
    await set({ verified_at: NOW });
    await remove(app, `/admin/verified-codes/${record?.id}`);
    await aCode(app, 'Bubble');
    await set({ verified_at: NOW });
    expect((await undoLatest(app, 'verification_deleted')).status).toBe(200);
    const tokens = await app.ctx.db
      .selectFrom('verifications')
      .select(['id', 'token_hash'])
      .orderBy('id')
      .execute();
    expect(tokens).toEqual([
      { id: record?.id, token_hash: null },
      { id: expect.anything(), token_hash: expect.any(String) },
    ]);
  });

  it('a restored verification record does not give its browser a key created since', async () => {
    const character_name = 'Trollefar';
    const later = 'Eternal Oblivion';
    const deletedRecord = async (name: string) => {
      const { verification_token } = await aCode(app, name);
      const { id } = await aKey(app, name);
      const [record] = (await records(app)).filter((one) => one.character_name === name);
      await change(app, ({ tx }) =>
        tx
          .updateTable('verifications')
          .set({ verified_at: NOW })
          .where('character_name', '=', name)
          .execute(),
      );
      await remove(app, `/admin/verified-codes/${record?.id}`);
      return { id, verification_token };
    };
    const first = await deletedRecord(character_name);
    expect((await undoLatest(app, 'verification_deleted')).status).toBe(200);
    expect(await checked(app, character_name, first.verification_token)).toMatchObject({
      accessKey: expect.any(String),
    });

    const second = await deletedRecord(later);
    await remove(app, `/admin/access-keys/${second.id}`);
    await aKey(app, later);
    expect((await undoLatest(app, 'verification_deleted')).status).toBe(200);
    expect(await checked(app, later, second.verification_token)).not.toHaveProperty('accessKey');
  });
});

describe.each(databases)('the undo data of a deleted respawn on %s', (dialect) => {
  it('is deleted after the configured time, with its picture; the log says that it can no longer be restored', async () => {
    const app = await createTestApp(dialect, { env: { UNDO_KEPT_DAYS: '10' } });
    const one = await aRespawn(app, 'One', aGif());
    const two = await aRespawn(app, 'Two');
    await deleteSpot(app, one.id);
    await supertest(app.url).get(one.image_url).expect(200);
    app.setNow('2026-12-02T18:00:00.000Z');
    expect(await hadWork(app, forgetUndos)).toBe(true);
    await supertest(app.url).get(one.image_url).expect(404);
    await supertest(app.url).get(two.image_url).expect(200);
    for (const table of ['undos', 'undo_pieces', 'undo_images'] as const)
      expect(await app.ctx.db.selectFrom(table).selectAll().execute()).toEqual([]);
    const entry = await latest(app, 'respawn_deleted');
    expect(entry.undo).toBe('expired');
    expect((await undo(app, entry.id)).body.code).toBe('activity.undoExpired');
  });

  it('of a later version, of records that are missing and of an unknown kind is refused', async () => {
    const app = await createTestApp(dialect);
    const { id } = await aRespawn(app);
    await deleteSpot(app, id);
    expect(
      await app.ctx.db
        .selectFrom('undos')
        .select(['version', 'records', 'pieces', 'record_pieces'])
        .execute(),
    ).toEqual([{ version: 2, records: 1, pieces: 1, record_pieces: 1 }]);
    const set = (values: object) =>
      change(app, ({ tx }) => tx.updateTable('undos').set(values).execute());
    const refusal = async () =>
      (await expectNoTick(app, () => undoLatest(app, 'respawn_deleted'))).body.code;
    await set({ version: 3 });
    expect(await refusal()).toBe('activity.otherVersion');
    await set({ version: 2, records: 2 });
    expect(await refusal()).toBe('activity.undoIncomplete');
    await set({ records: 1 });
    const body = JSON.stringify([{ kind: 'statue', deleted: { id: 1 } }]);
    const kept = await app.ctx.db
      .selectFrom('undo_pieces')
      .select('body')
      .executeTakeFirstOrThrow();
    const write = (text: string) =>
      change(app, ({ tx }) => tx.updateTable('undo_pieces').set({ body: text }).execute());
    await write(body);
    expect(await refusal()).toBe('activity.otherVersion');
    await write(kept.body);
    expect((await undoLatest(app, 'respawn_deleted')).status).toBe(200);
  });

  it('is columns of spots that were changed in different ways: each is set back in its own', async () => {
    const app = await createTestApp(dialect);
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const three = await aRespawn(app);
    await moveTo(app, one.id, null);
    const before = await guild(app);
    const { keepUndo } = await import('./undo-store.ts');
    const { changedRespawns } = await import('../board/respawns/restore.ts');
    const { logActivity } = await import('../auth/activity-log.ts');
    await change(app, async (unit) => {
      const { tx, changes } = unit;
      const records = [
        ...(await changedRespawns(tx, [one.id], { category_id: 1, is_enabled: 0 })),
        ...(await changedRespawns(tx, [two.id, three.id], { is_enabled: 0 })),
      ];
      const kept = await keepUndo(unit, { records });
      await tx
        .updateTable('respawns')
        .set({ is_enabled: 0 })
        .where('id', 'in', [one.id, two.id, three.id])
        .execute();
      await tx.updateTable('respawns').set({ category_id: 1 }).where('id', '=', one.id).execute();
      changes.reset();
      await logActivity(
        unit,
        { role: 'server' },
        { action: 'respawns_disabled', details: { count: 3, names: [] }, undo: kept },
      );
    });
    expect((await undoLatest(app, 'respawns_disabled')).status).toBe(200);
    expect(await guild(app)).toEqual(before);
  });

  it('restores changed columns, unless they were changed again', async () => {
    const app = await createTestApp(dialect);
    const spot = await aRespawn(app);
    const key = await aKey(app);
    const { keepUndo } = await import('./undo-store.ts');
    const { changedKeys } = await import('../members/restore.ts');
    const { changedRespawns } = await import('../board/respawns/restore.ts');
    const { logActivity } = await import('../auth/activity-log.ts');
    const before = await guild(app);
    const by = { role: 'server' } as const;
    // The changes of a bulk ban.
    const banOnce = () =>
      change(app, async (unit) => {
        const { tx, changes } = unit;
        const spots = await changedRespawns(tx, [spot.id], { is_enabled: 0, category_id: null });
        const keys = await changedKeys(tx, [key.id], { is_revoked: 1, member_type: 'elite' });
        const ban = { character_name: 'Cachero', created_at: NOW };
        const kept = await keepUndo(unit, {
          records: [...spots, ...keys, { kind: 'ban', made: ban }],
        });
        await tx
          .updateTable('respawns')
          .set({ is_enabled: 0, category_id: null })
          .where('id', '=', spot.id)
          .execute();
        await tx
          .updateTable('access_keys')
          .set({ is_revoked: 1, member_type: 'elite' })
          .where('id', '=', key.id)
          .execute();
        await tx
          .insertInto('bans')
          .values({ ...ban, character_key: 'cachero' })
          .execute();
        changes.reset();
        await logActivity(unit, by, {
          action: 'characters_banned',
          details: { count: 1, names: ['Cachero'] },
          undo: kept,
        });
      });
    await banOnce();
    const { expectSynced } = await watching(app);
    const { id } = await latest(app, 'characters_banned');
    await undo(app, id).expect(200);
    const { keys, ...rest } = await guild(app);
    expect({ ...rest, keys: keys?.slice(0, 1) }).toEqual(before);
    await expectSynced();
    const undone = {
      count: 1,
      names: ['Cachero'],
      undid: id,
      undid_action: 'characters_banned',
      restored_claims: 0,
    };
    expect((await latest(app, 'change_undone')).details).toEqual(undone);

    await banOnce();
    const again = await latest(app, 'characters_banned');
    await moveTo(app, spot.id, 1);
    const one = spot.name;
    const two = key.character_name;
    expectRefusal(
      await expectNoTick(app, () => undo(app, again.id)),
      409,
      'activity.changedMeanwhile',
      changed(one),
      { list: one },
    );
    await moveTo(app, spot.id, null);
    await admin(app, `put /admin/access-keys/${key.id}/enable`).expect(200);
    expectRefusal(
      await expectNoTick(app, () => undo(app, again.id)),
      409,
      'activity.changedMeanwhile',
      changed(two),
      { list: two },
    );
    await admin(app, `put /admin/access-keys/${key.id}/revoke`).expect(200);
    await change(app, ({ tx }) => tx.deleteFrom('bans').execute());
    const banned = await expectNoTick(app, () => undo(app, again.id));
    expectRefusal(banned, 409, 'activity.changedMeanwhile', changed('Cachero'), {
      list: 'Cachero',
    });
  });
});
