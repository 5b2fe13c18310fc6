import type { Logger } from 'pino';
import { migrate } from './db/migrate.ts';
import { type Db, type Dialect, type OpenDatabase, openDatabase } from './db/open.ts';
import type { Env } from './env.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { type ChangeBus, createBus } from './live/bus.ts';
import { listenToPostgres } from './live/postgres.ts';
import { createPresenceRelay, type PresenceRelay } from './live/presence-relay.ts';

/** What every operation works with; put together in one place, handed down as an argument. */
export interface Context {
  env: Env;
  log: Logger;
  db: Db;
  dialect: Dialect;
  bus: ChangeBus;
  /** Carries between servers who watches and who is choosing; nothing of it is stored. */
  presence: PresenceRelay;
  metrics: Metrics;
  /** The server's time; tests set it. */
  now: () => Date;
  close: () => Promise<void>;
}

export interface ContextOptions {
  env: Env;
  log: Logger;
  now?: () => Date;
  /** Instead of the one that the settings name; it is closed with the context. */
  database?: OpenDatabase;
  metrics?: Metrics;
}

/**
 * Opens the database, brings its schema up to date and starts listening for changes.
 * @throws StartError with one line for the operator
 */
export async function createContext({ env, log, now = () => new Date(), metrics, ...given }: ContextOptions): Promise<Context> {
  const database = given.database ?? (await openDatabase(env, log));
  try {
    await migrate(database);
    const bus = await createBus(database.db, database.dialect, log);
    const presence = createPresenceRelay();
    const unlisten = env.DATABASE_URL ? await listenToPostgres(env.DATABASE_URL, bus, presence, log) : async () => {};
    return {
      env,
      log,
      now,
      db: database.db,
      dialect: database.dialect,
      bus,
      presence,
      metrics: metrics ?? createMetrics(),
      close: async () => {
        await unlisten();
        await bus.idle();
        await database.close();
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
  try {
    const bus = await createBus(database.db, database.dialect, log);
    const { db, dialect } = database;
    const close = async (): Promise<void> => {
      await bus.idle();
      await database.close();
    };
    return { env, log, now, db, dialect, bus, presence: createPresenceRelay(), metrics: createMetrics(), close };
  } catch (error) {
    await database.close();
    throw error;
  }
}
