import { tmpdir } from 'node:os';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a running PostgreSQL, without a database's name at its end. */
    postgresUrl: string;
  }
}

/** A migrated database that every test's own is copied from. */
export const TEMPLATE = 'claimboard_template';

/** Starts the PostgreSQL that the server suites run on. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  await postgres.createDatabase(TEMPLATE);
  const settings = { DATA_DIR: tmpdir(), DATABASE_URL: `${postgres.url}/${TEMPLATE}` };
  const template = await openDatabase(settings, pino({ level: 'silent' }));
  await migrate(template);
  await template.close();
  project.provide('postgresUrl', postgres.url);
  return postgres.stop;
}
