import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject, TestRunner } from 'vitest';
import type { Dialect } from '../../db/database.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import type { Env } from '../../env.ts';
import { isAll, isLong } from './scope.ts';

/** Every server suite runs on both with `npm run test:all`, on SQLite alone with `npm test`: `describe.each(databases)`. */
export const databases: readonly Dialect[] = isAll ? ['sqlite', 'postgres'] : ['sqlite'];

/** SQLite; in long tests both. For rules whose queries another test runs on PostgreSQL, or that have none. */
export const usualDatabases: readonly Dialect[] = isLong ? databases : ['sqlite'];

/** The address of the tests' PostgreSQL, without a database's name. Skips the test where there is none. */
export function postgresUrl(): string {
  const url = inject('postgresUrl');
  if (url) return url;
  TestRunner.getCurrentTest()?.context.skip('needs PostgreSQL: npm run test:all');
  throw new Error('this needs PostgreSQL: npm run test:all');
}

export interface TestDatabase {
  settings: Pick<Env, 'DATA_DIR'> & Partial<Pick<Env, 'DATABASE_URL'>>;
  drop: () => Promise<void>;
}

/** One connection for all databases that a process makes and drops: opening one costs a quarter of what is then done over it. */
let server: pg.Pool | undefined;

async function onServer(sql: string): Promise<void> {
  if (!server) {
    server = new pg.Pool({
      connectionString: `${postgresUrl()}/postgres`,
      max: 1,
      allowExitOnIdle: true,
    });
    // Idle when the tests end, and PostgreSQL with them.
    server.on('error', () => {});
  }
  await server.query(sql);
}

/** A new database for one test: on PostgreSQL a copy of the template, on SQLite an empty folder. */
async function ownDatabase(dialect: Dialect, template: string): Promise<TestDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-test-'));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (dialect === 'sqlite') return { settings: { DATA_DIR: folder }, drop: removeFolder };
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // A copy of its files takes a sixth of the processor time that a copy by its log does.
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  return {
    settings: { DATA_DIR: folder, DATABASE_URL: `${postgresUrl()}/${name}` },
    drop: async () => {
      await onServer(`drop database ${name} with (force)`);
      await removeFolder();
    },
  };
}

export const freshDatabase = (dialect: Dialect): Promise<TestDatabase> =>
  ownDatabase(dialect, inject('templates').migrated);

/** One as a server leaves it that was started with the usual settings: filled, its admin signed in. */
export async function filledDatabase(dialect: Dialect): Promise<TestDatabase> {
  const { filled } = inject('templates');
  const database = await ownDatabase(dialect, filled.postgres);
  if (dialect === 'sqlite')
    await copyFile(filled.sqlite, path.join(database.settings.DATA_DIR, DATABASE_FILE));
  return database;
}
