import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import type { Dialect } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { isAll } from './scope.ts';
import { signInUsualAdmin, startUsualServer } from './usual-server.ts';

/** Databases that the tests' own are copies of. */
export interface Templates {
  /** On PostgreSQL, with the schema and nothing else. */
  migrated: string;
  /** As a server leaves them that was started with the usual settings: a database's name, a file. */
  filled: Record<Dialect, string>;
  /** Of the admin who is signed in there. */
  token: Record<Dialect, string>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a running PostgreSQL, without a database's name at its end; null in `npm test`, which starts none. */
    postgresUrl: string | null;
    templates: Templates;
  }
}

const MIGRATED = 'claimboard_template';
const FILLED = 'claimboard_filled';

/** Makes what the tests' databases are copied from, on SQLite and on a PostgreSQL that it starts: once for all projects. */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const all = vitest.getRootProject();
  // Projects are set up one after another, and ended together.
  if ('postgresUrl' in all.getProvidedContext()) return undefined;
  const postgres = isAll ? await startPostgres() : null;
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-template-'));
  const token = { sqlite: await fill({ DATA_DIR: folder }), postgres: '' };
  if (postgres) {
    await makeMigrated(postgres, folder);
    await postgres.createDatabase(FILLED);
    token.postgres = await fill({ DATA_DIR: folder, DATABASE_URL: `${postgres.url}/${FILLED}` });
  }
  all.provide('postgresUrl', postgres?.url ?? null);
  all.provide('templates', {
    migrated: MIGRATED,
    filled: { sqlite: path.join(folder, DATABASE_FILE), postgres: FILLED },
    token,
  });
  return async () => {
    await rm(folder, { recursive: true, force: true });
    await postgres?.stop();
  };
}

async function makeMigrated(postgres: PostgresServer, DATA_DIR: string): Promise<void> {
  await postgres.createDatabase(MIGRATED);
  const template = await openDatabase(
    { DATA_DIR, DATABASE_URL: `${postgres.url}/${MIGRATED}` },
    pino({ level: 'silent' }),
  );
  await migrate(template);
  await template.close();
}

/** @returns the token of the admin, who is signed in */
async function fill(settings: { DATA_DIR: string; DATABASE_URL?: string }): Promise<string> {
  const { api, close } = await startUsualServer(settings);
  const token = await signInUsualAdmin(api);
  await close();
  return token;
}
