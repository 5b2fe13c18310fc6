import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aClaim, aKey, anActiveEvent, submitted } from '../dev/test/builders.ts';
import { databases, freshDatabase, type TestDatabase } from '../dev/test/databases.ts';
import { loaded } from '../dev/test/released-database.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { fileNameAt } from '../ops/backup/backup-files.ts';
import { wayBackFrom } from '../ops/backup/before-migration.ts';
import type { Dialect } from './database.ts';
import { StartError } from './errors.ts';
import { doneMigrations, MIGRATION_NAMES, migrate, migrateTo } from './migrate.ts';
import { MIGRATIONS, type Migrations } from './migrations/list.ts';
import { openDatabase } from './open-database.ts';
import { readReleased } from './released/format.ts';

/** A database that went through these migrations only. */
async function wentThrough(dialect: Dialect, migrations: readonly string[]): Promise<TestDatabase> {
  const on = await freshDatabase(dialect);
  onTestFinished(on.drop);
  const open = await openDatabase(on.settings, pino({ level: 'silent' }));
  await migrate(open);
  await sql`delete from kysely_migration`.execute(open.writer);
  for (const name of migrations)
    await sql`insert into kysely_migration values (${name}, '2026-11-20T10:00:00.000Z')`.execute(
      open.writer,
    );
  await open.close();
  return on;
}

describe.each(databases)('a database of an early development version on %s', (dialect) => {
  it.each([
    [['001-initial']],
    [['001-initial', '002-guild-undo-epoch', '003-names-addresses']],
    [MIGRATION_NAMES.slice(0, 1)],
    [MIGRATION_NAMES.slice(0, 3)],
  ])(
    'that went through %j is left as it is, and one line says which version to start once',
    async (migrations) => {
      const on = await wentThrough(dialect, migrations);
      const refused = createTestApp(dialect, { on });
      await expect(refused).rejects.toBeInstanceOf(StartError);
      await expect(refused).rejects.toThrow(
        /^this database is from an early development version\. Start the version of commit [0-9a-f]{7} once, which updates it, then this one\.$/,
      );
      const { db, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
      onTestFinished(close);
      expect(await doneMigrations(db, dialect)).toEqual(migrations);
    },
  );
});

it('two servers that start at once on a PostgreSQL of the version before migrate it once', async () => {
  const on = await loaded('postgres', readReleased('004'));
  const both = await Promise.all(
    [1, 2].map(() => openDatabase(on.settings, pino({ level: 'silent' }))),
  );
  for (const open of both) onTestFinished(open.close);
  await Promise.all(both.map((open) => migrate(open)));
  for (const { db, dialect } of both)
    expect(await doneMigrations(db, dialect)).toEqual(MIGRATION_NAMES);
});

describe.each(databases)('a database that went through all of them, on %s', (dialect) => {
  it('is found so over the connection that there is', async () => {
    const on = await freshDatabase(dialect);
    onTestFinished(on.drop);
    const open = await openDatabase(on.settings, pino({ level: 'silent' }));
    onTestFinished(open.close);
    await migrate(open);
    const withoutTimeouts = () => Promise.reject(new Error('one more connection'));
    await expect(migrate({ ...open, withoutTimeouts })).resolves.toBeUndefined();
  });
});

describe.each(databases)('a database that a newer program has changed on %s', (dialect) => {
  it('is one line that says so, and is left as it is', async () => {
    const on = await freshDatabase(dialect);
    onTestFinished(on.drop);
    const log = pino({ level: 'silent' });
    const { writer: db, close } = await openDatabase(on.settings, log);
    onTestFinished(close);
    const open = {
      db,
      dialect,
      withoutTimeouts: <T>(work: (to: typeof db) => Promise<T>) => work(db),
    };
    await migrate(open);
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', '2027-01-01')`.execute(
      db,
    );
    const refused = (): Promise<void> =>
      migrate(open, { wayBack: (unknown) => wayBackFrom(unknown, on.settings) });
    await expect(refused()).rejects.toBeInstanceOf(StartError);
    const sentence =
      'this database was changed by a newer Claimboard (999-of-tomorrow), which this one cannot read. Install that version again, or';
    await expect(refused()).rejects.toThrow(`${sentence} restore a backup from before.`);

    // A backup of a still later version is as unreadable as the database.
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
      `${sentence} restore the backup made at 2026-11-20 09:30 UTC into a new DATA_DIR or database: npm run restore -- ${file}`,
    );
  });
});

/** The copy of a table's rows, which then replaces the table. */
const rebuilt: Migrations = {
  ...MIGRATIONS,
  '999-rebuilt': {
    up: async (db) => {
      await sql`create table new_claims as select * from claims`.execute(db);
      await sql`drop table claims`.execute(db);
      await sql`alter table new_claims rename to claims`.execute(db);
      await sql`create unique index claims_id on claims (id)`.execute(db);
    },
  },
};
const emptied: Migrations = {
  ...MIGRATIONS,
  '999-emptied': { up: async (db) => void (await sql`delete from events`.execute(db)) },
};

describe('a migration that recreates a table of SQLite', () => {
  const claimsAndHours = async (app: TestApp) => {
    const ofTable = async (table: string) =>
      (await sql`select * from ${sql.table(table)} order by 1, 2, 3`.execute(app.ctx.db)).rows;
    return [await ofTable('claims'), await ofTable('claim_parts'), await ofTable('occupied_hours')];
  };

  it('loses no row that points to its rows; a migration that would is rolled back', async () => {
    const on = await freshDatabase('sqlite');
    onTestFinished(on.drop);
    const app = await createTestApp('sqlite', { on });
    await anActiveEvent(app);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { date: '2026-11-25', hour_start: 12, hour_end: 13 }));
    const before = await claimsAndHours(app);
    expect(before.map((rows) => rows.length > 0)).toEqual([true, true, true]);

    const { writer, close } = await openDatabase(on.settings, pino({ level: 'silent' }), {
      beside: true,
    });
    onTestFinished(close);
    const lost = migrateTo(writer, 'sqlite', { name: '999-emptied', migrations: emptied });
    await expect(lost).rejects.toThrow(
      '1 rows would point to nothing after the migrations up to 999-emptied',
    );
    expect([await doneMigrations(writer, 'sqlite'), await claimsAndHours(app)]).toEqual([
      MIGRATION_NAMES,
      before,
    ]);

    await migrateTo(writer, 'sqlite', { name: '999-rebuilt', migrations: rebuilt });
    expect(await claimsAndHours(app)).toEqual(before);
    // And after it they are again taken along.
    await sql`delete from claims`.execute(writer);
    expect((await claimsAndHours(app)).map((rows) => rows.length)).toEqual([0, 0, 0]);
  });

  it('is not blocked forever by a row whose reference was lost before', async () => {
    const on = await freshDatabase('sqlite');
    onTestFinished(on.drop);
    const { writer, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
    onTestFinished(close);
    await migrate({ db: writer, dialect: 'sqlite', withoutTimeouts: (work) => work(writer) });
    await sql`pragma foreign_keys = off`.execute(writer);
    await sql`insert into occupied_days values ('nobody', '2026-11-21', 77)`.execute(writer);
    await sql`pragma foreign_keys = on`.execute(writer);
    await migrateTo(writer, 'sqlite', { name: '999-rebuilt', migrations: rebuilt });
    expect(await doneMigrations(writer, 'sqlite')).toContain('999-rebuilt');
  });
});
