import { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { inTime } from './in-time.ts';
import type { Db, OpenDatabase } from './open.ts';
import { patientPool } from './patient-pool.ts';
import { createReachability } from './reachability.ts';
import type { Database } from './schema.ts';
import { StartError } from './start-error.ts';

const INT8_OID = 20;
/** How long PostgreSQL may take to connect or to answer, in milliseconds. So soon one that was away is served from again. */
export const ANSWER_WITHIN_MS = 4_500;
/** How long a request waits for a connection that others use, in milliseconds. */
const POOL_WITHIN_MS = 10_000;
/** It gives up a statement by itself a little before, so that the connection remains of use. */
const STATEMENT_TIMEOUT_MS = 4_000;
/** A transaction that lies idle, with the clock locked: its server is gone, or cut off. One that is only busy may take a while. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** A connection that died silently is noticed this soon, in milliseconds; the system's own default is hours. */
const KEEP_ALIVE_MS = 10_000;
const READERS = 10;
/** How long closing may take before the connections are destroyed, in milliseconds. */
const CLOSE_WITHIN_MS = 2_000;

/** Opens a pool for reading, and one connection apart for writing. */
export async function openPostgres(url: string, log: Logger): Promise<OpenDatabase> {
  const sockets = new Set<Socket>();
  // Ours to destroy: pg itself waits for a database that says nothing to say goodbye.
  const stream = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const shared: pg.PoolConfig = {
    connectionString: url,
    Client: PromptClient,
    connectionTimeoutMillis: POOL_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    stream,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format),
    },
  };
  const limits: pg.PoolConfig = {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const reach = createReachability(log);
  const opened = (use: string, config: pg.PoolConfig, answerWithinMs = ANSWER_WITHIN_MS): Opened => {
    const pool = new pg.Pool({ ...shared, ...config });
    // Without a listener a restarted PostgreSQL would end the process: the pool listens only for connections that idle.
    const lost = (error: Error): void => log.warn({ reason: error.message }, 'a database connection was lost');
    pool.on('error', lost);
    pool.on('connect', (client) => client.on('error', lost));
    return { pool, db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: patientPool(pool, reach(use), answerWithinMs) }) }) };
  };

  const reading = opened('reading', { ...limits, max: READERS });
  try {
    (await reading.pool.connect()).release();
  } catch (error) {
    await reading.pool.end();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`DATABASE_URL: PostgreSQL cannot be reached: ${reason || 'no answer'}.`);
  }
  const writing = opened('writing', { ...limits, max: 1 });
  return {
    db: reading.db,
    // It waits for its server without holding the event loop.
    aside: reading.db,
    inTurns: reading.db,
    writer: writing.db,
    writerAside: writing.db,
    dialect: 'postgres',
    file: null,
    unhurried: async (work) => {
      const patient = opened('unhurried work', { max: 2 }, Number.POSITIVE_INFINITY);
      try {
        return await work(patient.db);
      } finally {
        await end(patient);
      }
    },
    close: async () => {
      const closed = Promise.all([end(reading), end(writing)]);
      if (await inTime(CLOSE_WITHIN_MS, closed)) return;
      for (const socket of sockets) socket.destroy();
      // What holds a connection may never give it back; without sockets it keeps nothing alive.
      closed.catch(() => {});
    },
  };
}

/** The pool has one time limit for waiting and for connecting; connecting has a shorter one. */
class PromptClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: ANSWER_WITHIN_MS });
  }
}

interface Opened {
  pool: pg.Pool;
  db: Db;
}

async function end({ pool, db }: Opened): Promise<void> {
  await db.destroy();
  // destroy() leaves a pool alone that was never asked anything.
  if (!pool.ending) await pool.end();
}
