import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { hashPassword } from '../../auth/passwords.ts';
import { connected } from '../../dev/test/board-watcher.ts';
import { aClaim, aKey, submit } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { ADMIN_PASSWORD, createTestApp, TODAY } from '../../dev/test/test-app.ts';
import { connect } from '../../dev/test/watcher.ts';
import { AT, COMPOSED, IN_PARTS, migrated } from './test/version-2.ts';

describe.each(databases)('names of version 2 on %s', (dialect) => {
  it('are found by any spelling: keys, bans, codes, claims and their days, and nothing is said where nothing was found', async () => {
    const { app, found } = await migrated(dialect, async (old) => {
      await old.respawn('Dragon’s Lair');
      await old.key(IN_PARTS, 'AAAA-AAAA-AAAA');
      await old.ban('Elder O’Bok');
      await old.code('Elder O’Bok');
      await old.claim(1, IN_PARTS, TODAY, 12);
    });
    expect(found).toEqual([]);
    expect(app.ctx.bus.clock()).toBeLessThan(45);
    const taken = await app.api.post('/admin/access-keys').set(app.admin).send({ characterName: COMPOSED });
    expect(taken.body).toMatchObject({ code: 'key.exists', params: { character_name: IN_PARTS } });
    const code = await app.api.post('/generate-verification-code').send({ character_name: "elder o'bok" });
    expect(code.body.code).toBe('session.banned');
    const records = (await app.api.get('/admin/verified-codes').set(app.admin)).body.data;
    expect(records).toMatchObject([{ character_name: 'Elder O’Bok', banned: 1 }]);
    const claim = { respawn_id: 1, character_name: COMPOSED, hour_start: 20, hour_end: 21, date: TODAY };
    const second = await app.api.post('/claims').send({ claims: [claim], access_key: 'AAAA-AAAA-AAAA' });
    expect(second.body.code).toBe('claim.characterHasClaim');
    expect((await app.api.get(`/claims/check-character-claims/${COMPOSED}`).set(app.admin).query({ date: TODAY })).body.data).toMatchObject(
      {
        hasClaimsForDate: true,
      },
    );
    const spot = await app.api.put('/admin/respawns/1').set(app.admin).send({ name: "Dragon's lair" });
    expect(spot.status).toBe(200);
  });

  it('of which one character has two keys: the older stays, revoked as it is, and the log names the other', async () => {
    const { app, found } = await migrated(dialect, async (old) => {
      await old.key(COMPOSED, 'AAAA-AAAA-AAAA', 1);
      await old.key(`${IN_PARTS}\u200b`, 'BBBB-BBBB-BBBB');
      await old.key('Somebody Else', 'CCCC-CCCC-CCCC');
    });
    const says = async (accessKey: string) => (await app.api.post('/validate-access-key').send({ accessKey })).body.code;
    expect(await Promise.all(['AAAA-AAAA-AAAA', 'BBBB-BBBB-BBBB', 'CCCC-CCCC-CCCC'].map(says))).toEqual([
      'session.keyRevoked',
      'session.invalidKey',
      undefined,
    ]);
    expect(found).toEqual([
      { character_name: COMPOSED, other_spelling: `${IN_PARTS}\u200b`, deleted_keys: 1, member_type: 'member', access_key_id: 2 },
    ]);
  });

  it('of which one character is banned twice: it stays banned, once', async () => {
    const { app, found } = await migrated(dialect, async (old) => {
      await old.ban("Elder O'Bok", '2026-11-20T12:00:00.000Z');
      await old.ban('Elder O’Bok', '2026-11-20T11:00:00.000Z');
    });
    expect(await app.ctx.db.selectFrom('bans').selectAll().execute()).toEqual([
      { character_key: "elder o'bok", character_name: 'Elder O’Bok', created_at: '2026-11-20T11:00:00.000Z' },
    ]);
    expect(found).toEqual([{ character_name: 'Elder O’Bok', other_spelling: "Elder O'Bok", merged_bans: 2 }]);
  });

  it('of which one character has two claims on a date: both stay with their hours, the earlier holds the day', async () => {
    const { app, found } = await migrated(dialect, async (old) => {
      await old.respawn('Lair');
      await old.key(COMPOSED, 'AAAA-AAAA-AAAA');
      await old.claim(1, IN_PARTS, TODAY, 10);
      await old.claim(2, COMPOSED, TODAY, 12);
      await old.claim(3, COMPOSED, '2026-11-22', 10);
      await old.claim(4, IN_PARTS, '2026-11-22', 12);
      await old.claim(5, IN_PARTS, '2026-11-23', 12);
    });
    const { db } = app.ctx;
    const key = 'näurin';
    expect(await db.selectFrom('occupied_days').selectAll().orderBy('date').execute()).toEqual([
      { character_key: key, date: TODAY, claim_id: 1 },
      { character_key: key, date: '2026-11-22', claim_id: 3 },
      { character_key: key, date: '2026-11-23', claim_id: 5 },
    ]);
    expect(
      (await db.selectFrom('occupied_hours').select('claim_id').orderBy('claim_id').execute()).map(({ claim_id }) => claim_id),
    ).toEqual([1, 2, 3, 4, 5]);
    expect((await db.selectFrom('claims').select('character_key').execute()).map((claim) => claim.character_key)).toEqual(
      Array.from({ length: 5 }, () => key),
    );
    const twice = { claims_on_one_date: 2, dates: 1 };
    expect(found).toEqual([
      { character_name: IN_PARTS, other_spelling: COMPOSED, date: TODAY, held_by_claim: 1, other_claim: 2, ...twice },
      { character_name: IN_PARTS, other_spelling: COMPOSED, date: '2026-11-22', held_by_claim: 3, other_claim: 4, ...twice },
    ]);
    // Either is deleted as any claim is, and put back only while the day is free.
    await app.api.delete('/admin/claims/2').set(app.admin).expect(200);
    const [{ id }] = (await app.api.get('/admin/activity-log?action=claim_deleted').set(app.admin)).body.data.logs;
    expect((await app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin)).body.code).toBe('activity.hoursTaken');
  });

  it('of which a list has one twice: the later is called "… (2)", and every watcher reads all anew', async () => {
    const { app, found } = await migrated(dialect, async (old) => {
      for (const name of ["Dragon's Lair", 'Dragon’s Lair (2)', 'Dragon’s Lair', 'Dragon`s lair']) await old.respawn(name);
      for (const name of ['Öst', 'O\u0308st']) await old.category(name);
      for (const name of ['Week\u00a01', 'Week\u200b 1']) await old.event(name);
      await old.admin('admin', await hashPassword(ADMIN_PASSWORD));
      for (const name of ['Ölaf', 'O\u0308laf']) await old.admin(name);
      await old.entry('Ölaf', 2);
      for (const admin_id of [3, null]) await old.entry('O\u0308laf', admin_id);
      for (const name of ['member\u200b', 'Vögte']) await old.type(name);
      await old.claim(1, 'Bubble', TODAY, 10, 'member\u200b');
    });
    const { db } = app.ctx;
    expect((await db.selectFrom('respawns').select(['name', 'name_key']).orderBy('id').execute()).map(({ name }) => name)).toEqual([
      "Dragon's Lair",
      'Dragon’s Lair (2)',
      'Dragon’s Lair (3)',
      'Dragon`s lair (4)',
    ]);
    expect((await db.selectFrom('categories').select('name').orderBy('id').execute()).map(({ name }) => name)).toEqual([
      'Caves',
      'Öst',
      'O\u0308st (2)',
    ]);
    expect((await db.selectFrom('events').select('name').orderBy('id').execute()).map(({ name }) => name)).toEqual([
      'Week\u00a01',
      'Week\u200b 1 (2)',
    ]);
    const types = await db.selectFrom('member_types').select(['member_type', 'is_system']).orderBy('name_key').execute();
    expect(types).toEqual([
      { member_type: 'member', is_system: 1 },
      { member_type: 'member\u200b (2)', is_system: 0 },
      { member_type: 'Vögte', is_system: 0 },
    ]);
    expect((await db.selectFrom('claims').select('member_type').execute())[0]?.member_type).toBe('member\u200b (2)');
    expect((await db.selectFrom('admins').select('username').orderBy('id').execute()).map(({ username }) => username)).toEqual([
      'admin',
      'Ölaf',
      'O\u0308laf (2)',
    ]);
    const entries = await db.selectFrom('activity').select(['admin_key', 'admin_id']).where('timestamp', '=', AT).orderBy('id').execute();
    expect(entries).toEqual([
      { admin_key: 'ölaf', admin_id: 2 },
      { admin_key: 'ölaf (2)', admin_id: 3 },
      { admin_key: 'ölaf', admin_id: null },
    ]);
    expect(found).toHaveLength(6);
    expect(found[0]).toEqual({ name: 'O\u0308st', changed: { name: { from: 'O\u0308st', to: 'O\u0308st (2)' } } });
    const body = (await db.selectFrom('changes').select('body').where('clock', '=', 42).executeTakeFirstOrThrow()).body;
    expect(JSON.parse(body)).toEqual([{ audience: 'all', change: { op: 'reset' } }]);
  });

  it('are put back by the undo under their new keys', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await old.respawn('Lair');
      await old.key(COMPOSED, 'AAAA-AAAA-AAAA');
      const claim = {
        ...{
          id: 7,
          event_id: null,
          event_name: null,
          character_name: IN_PARTS,
          character_key: IN_PARTS.toLowerCase(),
          member_type: 'member',
        },
        ...{
          date: TODAY,
          custom_duration: null,
          voucher_duration: 4,
          is_secondary_claim: 0,
          secondary_priority: 0,
          primary_claim_id: null,
        },
        ...{ is_split_claim: 0, created_at: AT, secondary_ids: [] },
        parts: [{ part_number: 1, respawn_id: 1, respawn_name: 'Lair', hour_start: 12, hour_end: 14 }],
      };
      const undo = JSON.stringify({ event: null, claims: [claim] });
      await sql`insert into activity (timestamp, action, details, undo) values (${AT}, 'claim_deleted', '{}', ${undo})`.execute(old.db);
    });
    await app.api.post('/admin/activity-log/1/undo').set(app.admin).expect(200);
    expect(await app.ctx.db.selectFrom('claims').select('character_key').execute()).toEqual([{ character_key: 'näurin' }]);
    const key = { ...(await aKey(app)), character_name: COMPOSED, key_value: 'AAAA-AAAA-AAAA' };
    const second = await submit(app, key, aClaim(key, { respawn_id: 1, hour_start: 20, hour_end: 21 }));
    expect(second.body.code).toBe('claim.characterHasClaim');
  });
});

describe.each(databases)('a ban on %s', (dialect) => {
  it('holds by any spelling of its character, also for live connections that are open', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app, "Elder O'Bök");
    const socket = connect(app.url, { access_key: key.key_value });
    await connected(socket);
    await app.api.post('/admin/ban-character').set(app.admin).send({ character_name: ' elder\u00a0O’BO\u0308\u200bK' }).expect(200);
    await expect.poll(() => socket.connected).toBe(false);
    expect((await app.api.post('/validate-access-key').send({ accessKey: key.key_value })).body.code).toBe('session.banned');
    const code = await app.api.post('/generate-verification-code').send({ character_name: 'Elder O´Bök' });
    expect(code.body.code).toBe('session.banned');
    await app.api.post('/admin/unban-character').set(app.admin).send({ character_name: "ELDER O'BÖK" }).expect(200);
    await app.api.post('/validate-access-key').send({ accessKey: key.key_value }).expect(200);
  });
});
