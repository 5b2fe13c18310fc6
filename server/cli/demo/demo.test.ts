import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { BEFORE_1_0 } from '../../db/migrations/list.ts';
import { openDatabase } from '../../db/open-database.ts';
import { freshDatabase } from '../../dev/test/databases.ts';

it('npm run demo leaves a database of an older version as it is', { timeout: 120_000 }, async () => {
  const { settings, drop } = await freshDatabase('sqlite');
  onTestFinished(drop);
  const older = [...BEFORE_1_0].sort();
  const database = await openDatabase(settings, pino({ level: 'silent' }));
  await migrate(database);
  await database.withoutTimeouts(async (db) => {
    await sql`delete from kysely_migration`.execute(db);
    for (const name of older) await sql`insert into kysely_migration (name, timestamp) values (${name}, '')`.execute(db);
  });
  await database.close();

  const program = path.resolve(import.meta.dirname, 'index.ts');
  const env = { PATH: process.env.PATH, DATA_DIR: settings.DATA_DIR };
  const run = promisify(execFile)(process.execPath, [program], { env });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('an older Claimboard made this database') });

  const { db, close } = await openDatabase(settings, pino({ level: 'silent' }));
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  await close();
  expect(rows.map(({ name }) => name)).toEqual(older);
});
