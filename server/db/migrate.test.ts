import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import { aClaim, aKey, submitted } from '../test/builders.ts';
import { databases, freshDatabase, type TestDatabase } from '../test/databases.ts';
import { createTestApp } from '../test/test-app.ts';
import { migrate } from './migrate.ts';
import * as initial from './migrations/001-initial.ts';
import type { Dialect } from './open.ts';
import { openDatabase } from './open-database.ts';
import { StartError } from './start-error.ts';

/** A database as version 1 left it, with what its guild did. */
async function ofVersion1(dialect: Dialect): Promise<TestDatabase> {
  const on = await freshDatabase(dialect);
  onTestFinished(on.drop);
  const { writer: db, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
  if (dialect === 'postgres') await sql`drop schema public cascade; create schema public`.execute(db);
  const migrations: Record<string, Migration> = { '001-initial': { up: (target) => initial.up(target, dialect) } };
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
  const at = '2026-11-20T10:00:00.000Z';
  const entry = (action: string, admin: string | null) =>
    sql`insert into activity (timestamp, action, admin_id, admin_username, details) values (${at}, ${action}, null, ${admin}, '{"name":"Old hunt"}')`;
  for (const [action, admin] of [
    ['admin_login', 'Ölaf'],
    ['event_created', 'Ölaf'],
    ['event_deleted', 'Thora'],
    ['verification_started', null],
  ] as const) {
    await entry(action, admin).execute(db);
  }
  await sql`update config set submission_enabled = 0`.execute(db);
  await sql`update clock set value = 41, board_date = '2026-11-21'`.execute(db);
  await sql`insert into categories (name, name_key) values ('Caves', 'caves')`.execute(db);
  await sql`insert into respawns (name, name_key, image, category_id, created_at) values ('Old Spot', 'old spot', 'a.gif', 1, ${at})`.execute(
    db,
  );
  await close();
  return on;
}

describe.each(databases)('a database of version 1 on %s', (dialect) => {
  it('is brought up to date with all that it holds, once', async () => {
    const on = await ofVersion1(dialect);
    const app = await createTestApp(dialect, { on });
    expect((await app.api.get('/config').expect(200)).body).toMatchObject({ submission_enabled: 0, guild_name: null });
    expect((await app.api.get('/admin/respawns').set(app.admin).expect(200)).body.data).toMatchObject([{ id: 1, name: 'Old Spot' }]);
    expect(app.ctx.bus.clock()).toBeGreaterThan(41);

    const log = async (query: object) => (await app.api.get('/admin/activity-log').set(app.admin).query(query).expect(200)).body.data;
    const ofOlaf = await log({ admin: 'öLAF' });
    expect([ofOlaf.filtered, ofOlaf.logs.map(({ action }: ActivityEntry) => action)]).toEqual([2, ['event_created', 'admin_login']]);
    // What was deleted before there was an undo cannot be put back.
    expect((await log({ action: 'event_deleted' })).logs).toMatchObject([
      { admin_username: 'Thora', undo: null, details: { name: 'Old hunt' } },
    ]);

    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 1, guild_name: 'Red Rose' }).expect(200);
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key));
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    const [{ id }] = (await log({ action: 'claim_deleted' })).logs;
    await app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin).expect(200);

    const { epoch } = await app.ctx.db.selectFrom('clock').select('epoch').executeTakeFirstOrThrow();
    expect(epoch).toMatch(/^[0-9a-f]{16}$/);
    if (dialect === 'sqlite') return;
    const second = await createTestApp(dialect, { on });
    expect(second.ctx.bus.epoch).toBe(app.ctx.bus.epoch);
    expect((await second.api.get('/config').expect(200)).body.guild_name).toBe('Red Rose');
  });
});

describe.each(databases)('a database that a newer program has changed on %s', (dialect) => {
  it('is one line that says so, and is left as it is', async () => {
    const on = await freshDatabase(dialect);
    onTestFinished(on.drop);
    const log = pino({ level: 'silent' });
    const { writer: db, close } = await openDatabase(on.settings, log);
    onTestFinished(close);
    await migrate({ dialect, unhurried: (work) => work(db) });
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', '2027-01-01')`.execute(db);
    const refused = migrate({ dialect, unhurried: (work) => work(db) });
    await expect(refused).rejects.toBeInstanceOf(StartError);
    await expect(refused).rejects.toThrow(
      'this database was changed by a newer Claimboard (999-of-tomorrow), which this one cannot read. Install that version again, or restore a backup from before.',
    );
  });
});
