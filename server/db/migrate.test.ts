import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import { aClaim, aKey, anActiveEvent, submitted } from '../dev/test/builders.ts';
import { databases, freshDatabase, type TestDatabase } from '../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { wayBackFrom } from '../ops/backup/before-migration.ts';
import { fileNameAt } from '../ops/backup/file-name.ts';
import { doneMigrations, MIGRATION_NAMES, MIGRATIONS, type Migrations, migrate, migrateTo } from './migrate.ts';
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

describe.each(databases)('a database that went through all of them, on %s', (dialect) => {
  it('is found so over the connection that there is', async () => {
    const on = await freshDatabase(dialect);
    onTestFinished(on.drop);
    const open = await openDatabase(on.settings, pino({ level: 'silent' }));
    onTestFinished(open.close);
    await migrate(open);
    const unhurried = () => Promise.reject(new Error('one more connection'));
    await expect(migrate({ ...open, unhurried })).resolves.toBeUndefined();
  });
});

describe.each(databases)('a database that a newer program has changed on %s', (dialect) => {
  it('is one line that says so, and is left as it is', async () => {
    const on = await freshDatabase(dialect);
    onTestFinished(on.drop);
    const log = pino({ level: 'silent' });
    const { writer: db, close } = await openDatabase(on.settings, log);
    onTestFinished(close);
    const open = { db, dialect, unhurried: <T>(work: (to: typeof db) => Promise<T>) => work(db) };
    await migrate(open);
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', '2027-01-01')`.execute(db);
    const refused = (): Promise<void> => migrate(open, { wayBack: (unknown) => wayBackFrom(unknown, on.settings) });
    await expect(refused()).rejects.toBeInstanceOf(StartError);
    const said =
      'this database was changed by a newer Claimboard (999-of-tomorrow), which this one cannot read. Install that version again, or';
    await expect(refused()).rejects.toThrow(`${said} restore a backup from before.`);

    // What was made before a still later one is as unreadable as the database.
    const folder = path.join(on.settings.DATA_DIR, 'backups');
    await mkdir(folder);
    for (const [at, occasion] of [
      ['2026-11-19T08:00:00Z', 'before-014-wait-ends'],
      ['2026-11-20T09:30:00Z', 'before-999-of-tomorrow'],
      ['2026-11-21T09:30:00Z', 'before-999-the-day-after'],
      ['2026-11-22T09:30:00Z', 'timed'],
    ] as const)
      await writeFile(path.join(folder, fileNameAt(new Date(at), occasion)), '');
    const file = path.join(folder, 'claimboard-2026-11-20-093000-before-999-of-tomorrow.jsonl.gz');
    await expect(refused()).rejects.toThrow(
      `${said} restore the backup made at 2026-11-20 09:30 UTC into a new DATA_DIR or database: npm run restore -- ${file}`,
    );
  });
});

/** What a table's rows are copied into, which then takes its place. */
const rebuilt: Migrations = {
  ...MIGRATIONS,
  '999-rebuilt': async () => ({
    up: async (db) => {
      await sql`create table new_claims as select * from claims`.execute(db);
      await sql`drop table claims`.execute(db);
      await sql`alter table new_claims rename to claims`.execute(db);
      await sql`create unique index claims_id on claims (id)`.execute(db);
    },
  }),
};
const emptied: Migrations = {
  ...MIGRATIONS,
  '999-emptied': async () => ({ up: async (db) => void (await sql`delete from events`.execute(db)) }),
};

describe('a migration that makes a table of SQLite anew', () => {
  const claimsAndHours = async (app: TestApp) => {
    const ofTable = async (table: string) => (await sql`select * from ${sql.table(table)} order by 1, 2, 3`.execute(app.ctx.db)).rows;
    return [await ofTable('claims'), await ofTable('claim_parts'), await ofTable('occupied_hours')];
  };

  it('loses no row that points to its rows; one that does loses nothing, since it does not come about', async () => {
    const on = await freshDatabase('sqlite');
    onTestFinished(on.drop);
    const app = await createTestApp('sqlite', { on });
    await anActiveEvent(app);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const before = await claimsAndHours(app);
    expect(before.map((rows) => rows.length > 0)).toEqual([true, true, true]);

    const { writer, close } = await openDatabase(on.settings, pino({ level: 'silent' }), { beside: true });
    onTestFinished(close);
    const lost = migrateTo(writer, 'sqlite', '999-emptied', emptied);
    await expect(lost).rejects.toThrow('1 rows would point to nothing after the migrations up to 999-emptied');
    expect([await doneMigrations(writer, 'sqlite'), await claimsAndHours(app)]).toEqual([MIGRATION_NAMES, before]);

    await migrateTo(writer, 'sqlite', '999-rebuilt', rebuilt);
    expect(await claimsAndHours(app)).toEqual(before);
    // And after it they are again taken along.
    await sql`delete from claims`.execute(writer);
    expect((await claimsAndHours(app)).map((rows) => rows.length)).toEqual([0, 0, 0]);
  });

  it('is not kept from it for ever by a row that somebody lost before', async () => {
    const on = await freshDatabase('sqlite');
    onTestFinished(on.drop);
    const { writer, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
    onTestFinished(close);
    await migrate({ db: writer, dialect: 'sqlite', unhurried: (work) => work(writer) });
    await sql`pragma foreign_keys = off`.execute(writer);
    await sql`insert into occupied_days values ('nobody', '2026-11-21', 77)`.execute(writer);
    await sql`pragma foreign_keys = on`.execute(writer);
    await migrateTo(writer, 'sqlite', '999-rebuilt', rebuilt);
    expect(await doneMigrations(writer, 'sqlite')).toContain('999-rebuilt');
  });
});
