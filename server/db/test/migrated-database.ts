import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { OpenDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';
import { DATABASE_FILE } from '../sqlite.ts';

const open = (DATA_DIR: string): Promise<OpenDatabase> =>
  openDatabase({ DATA_DIR }, pino({ level: 'silent' }));

/** The file of a migrated database: migrating one takes longer than most tests. */
let template: Promise<Buffer> | undefined;

async function makeTemplate(): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-template-'));
  const database = await open(folder);
  await migrate(database);
  await database.close();
  const file = await readFile(path.join(folder, DATABASE_FILE));
  await rm(folder, { recursive: true });
  return file;
}

/** A SQLite database with the schema and nothing else, for one test of the database layer alone. */
export async function migratedDatabase(): Promise<OpenDatabase> {
  template ??= makeTemplate();
  const file = await template;
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-test-'));
  await writeFile(path.join(folder, DATABASE_FILE), file, { mode: 0o600 });
  const database = await open(folder);
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  return database;
}
