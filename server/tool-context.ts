import type { Logger } from 'pino';
import { createBackOff } from './db/back-off.ts';
import { assumedHeartbeats } from './db/clock/heartbeats.ts';
import { timeOf } from './db/clock/server-clock.ts';
import type { OpenDatabase } from './db/database.ts';
import { refuseOutdated } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import type { Writing } from './db/unit-of-work.ts';
import { createWriteQueue } from './db/write-queue.ts';
import type { Env } from './env.ts';
import { composeFeatures } from './feature.ts';
import { features } from './features.ts';

/** For commands: reads and writes, without watchers. */
export interface ToolContext extends Writing {
  /** Waits for writes under way. */
  close: () => Promise<void>;
}

interface ToolContextOptions {
  env: Env;
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  now?: () => Date;
}

/**
 * Opens the database beside a running server: it takes no lock and migrates nothing. The server notices what is written by the
 * clock.
 * @throws StartError with one line for the operator
 */
export async function openToolContext(
  options: ToolContextOptions & { log: Logger },
): Promise<ToolContext> {
  const database = await openDatabase(options.env, options.log, { beside: true });
  try {
    await refuseOutdated(database.db, database.dialect);
  } catch (error) {
    await database.close();
    throw error;
  }
  return createToolContext(database, {
    ...options,
    now: options.now ?? (await timeOf(database, options.log)),
    isAlone: false,
  });
}

/**
 * For an open database, which is closed with the context.
 * @param isAlone no server runs on it, so this process expires deadlines and moves the board's day
 */
export function createToolContext(
  database: OpenDatabase,
  { env, log, now, isAlone }: ToolContextOptions & { now: () => Date; isAlone: boolean },
): ToolContext {
  const { db, longReads, dialect, writer, longWriter } = database;
  const writes = createWriteQueue(writer, { longWriter, isShared: dialect === 'postgres' });
  return {
    ...composeFeatures(features),
    env,
    now,
    db,
    longReads,
    dialect,
    memory: new Map(),
    writes,
    publish: () => null,
    heartbeats: assumedHeartbeats,
    backOff: createBackOff(log),
    isInCharge: () => isAlone,
    close: async () => {
      await writes.idle();
      await database.close();
    },
  };
}
