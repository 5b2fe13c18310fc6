import type { Logger } from 'pino';
import { createBuildName } from './build-name.ts';
import { inTime } from './db/in-time.ts';
import { migrate } from './db/migrate.ts';
import type { Db, Dialect, OpenDatabase } from './db/open.ts';
import { openDatabase } from './db/open-database.ts';
import { createStorage, noStorage, type Storage, type StorageOptions } from './db/storage.ts';
import { createWriteQueue, type WriteQueue, type WriteQueueOptions } from './db/write-queue.ts';
import type { Env } from './env.ts';
import { createJobBell, type JobBell } from './jobs/bell.ts';
import { type ChangeBus, createBus } from './live/bus.ts';
import { createPresenceRelay, type PresenceRelay } from './live/presence-relay.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** What every operation works with; put together in one place, handed down as an argument. */
export interface Context {
  env: Env;
  log: Logger;
  db: Db;
  /** For reading what may take long; it sees what is committed. */
  aside: Db;
  /** For reading much in one transaction with turns of the event loop in between; likewise. */
  inTurns: Db;
  dialect: Dialect;
  /** Where writes wait for their turn. */
  writes: WriteQueue;
  /** The file that the data is in. */
  storage: Storage;
  bus: ChangeBus;
  /** Rung for what is stored to be done later. */
  jobs: JobBell;
  /** Carries between servers who watches and who is choosing; nothing of it is stored. */
  presence: PresenceRelay;
  metrics: Metrics;
  /** Which build of the client a browser would be given now; null where none is built. */
  build: () => string | null;
  /** The server's time; tests set it. */
  now: () => Date;
  /**
   * Waits for what is under way, a few seconds at most.
   * @throws Error when it was not done by then; all connections are closed nevertheless
   */
  close: () => Promise<void>;
}

/** How long what is under way may take when the server closes, in milliseconds. */
const CLOSE_WITHIN_MS = 3_000;

export interface ContextOptions {
  env: Env;
  log: Logger;
  now?: () => Date;
  /** For tests. */
  storage?: StorageOptions;
  queue?: WriteQueueOptions;
  build?: () => string | null;
  /** Instead of the one that the settings name; it is closed with the context. */
  database?: OpenDatabase;
  metrics?: Metrics;
}

/**
 * Opens the database, brings its schema up to date and starts listening for changes.
 * @throws StartError with one line for the operator
 */
export async function createContext({
  env,
  log,
  now = () => new Date(),
  storage: watching,
  queue,
  metrics = createMetrics(),
  build = createBuildName(),
  ...given
}: ContextOptions): Promise<Context> {
  const database = given.database ?? (await openDatabase(env, log));
  try {
    await migrate(database);
    const storage = database.file === null ? noStorage : createStorage(database.file, log, watching);
    const writes = createWriteQueue(database.writer, { assertWritable: storage.assertWritable, ...queue });
    const bus = await createBus(database.db, database.dialect, { log, metrics });
    const presence = createPresenceRelay();
    const unlisten = env.DATABASE_URL ? await listen(env.DATABASE_URL, bus, presence, log) : async () => {};
    return {
      env,
      log,
      now,
      build,
      db: database.db,
      aside: database.aside,
      inTurns: database.inTurns,
      dialect: database.dialect,
      writes,
      storage,
      bus,
      jobs: createJobBell(),
      presence,
      metrics,
      close: async () => {
        const done = await inTime(
          CLOSE_WITHIN_MS,
          writes
            .idle()
            .then(() => unlisten())
            .then(() => bus.idle()),
        );
        await database.close();
        if (!done) throw new Error('what was under way did not end in time');
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * For a tool that works for a moment beside a running server: it takes no lock, leaves the schema alone and hears
 * no changes. What it writes the server notices by the clock.
 * @throws StartError with one line for the operator
 */
export async function createToolContext({ env, log, now = () => new Date() }: ContextOptions): Promise<Context> {
  const database = await openDatabase(env, log, { beside: true });
  const metrics = createMetrics();
  try {
    const bus = await createBus(database.db, database.dialect, { log, metrics });
    const { db, aside, inTurns, dialect } = database;
    const writes = createWriteQueue(database.writer);
    const close = async (): Promise<void> => {
      await writes.idle();
      await bus.idle();
      await database.close();
    };
    const presence = createPresenceRelay();
    const jobs = createJobBell();
    return {
      env,
      log,
      now,
      build: createBuildName(),
      db,
      aside,
      inTurns,
      dialect,
      writes,
      storage: noStorage,
      bus,
      jobs,
      presence,
      metrics,
      close,
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** PostgreSQL's driver is loaded only where it is used. */
async function listen(url: string, bus: ChangeBus, presence: PresenceRelay, log: Logger): Promise<() => Promise<void>> {
  const { listenToPostgres } = await import('./live/postgres.ts');
  return listenToPostgres(url, bus, presence, log);
}
