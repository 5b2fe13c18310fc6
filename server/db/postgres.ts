import { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from './failures.ts';
import type { Db, OpenDatabase } from './open.ts';
import { createReachability, patientPool, type WhenLate } from './postgres-pool.ts';
import { inTime } from './promises.ts';
import type { Database } from './schema.ts';

const INT8_OID = 20;
/** How long PostgreSQL may take to connect or to answer, in milliseconds. So soon one that was away is served from again. */
export const ANSWER_WITHIN_MS = 4_500;
/** How long a request waits for a connection that others use, in milliseconds. */
const POOL_WITHIN_MS = 10_000;
/** It gives up a statement by itself a little before, so that the connection remains of use. */
const STATEMENT_TIMEOUT_MS = 4_000;
/** How long a write waits for the clock's lock, which another server's write holds, in milliseconds: as long as for its own queue. */
const LOCK_TIMEOUT_MS = 10_000;
/** Within this, PostgreSQL tells over another connection why a write takes long, in milliseconds. */
const EXPLAIN_WITHIN_MS = 500;
/** Connections for statistics and other long reads: however many there are, the other reads have their own. */
const LONG_READERS = 3;
const LONG_STATEMENT_TIMEOUT_MS = 15_000;
/** A transaction that lies idle, with the clock locked: its server is gone, or cut off. One that is only busy may take a while. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** A connection that died silently is noticed this soon, in milliseconds; the system's own default is hours. */
const KEEP_ALIVE_MS = 10_000;
const READERS = 10;
/** How long closing may take before the connections are destroyed, in milliseconds. */
const CLOSE_WITHIN_MS = 2_000;

/** What tests shorten, in milliseconds. */
export interface PostgresLimits {
  answerMs?: number;
  statementMs?: number;
  lockMs?: number;
}

/** Opens a pool for reading, one for long reads, and one connection for writing. */
export async function openPostgres(
  url: string,
  log: Logger,
  { answerMs = ANSWER_WITHIN_MS, statementMs = STATEMENT_TIMEOUT_MS, lockMs = LOCK_TIMEOUT_MS }: PostgresLimits = {},
): Promise<OpenDatabase> {
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
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const reach = createReachability(log);
  const opened = (use: string, config: pg.PoolConfig, answerWithinMs = answerMs, whenLate?: WhenLate): Opened => {
    const pool = new pg.Pool({ ...shared, ...config });
    // Without a listener a restarted PostgreSQL would end the process: the pool listens only for connections that idle.
    const lost = (error: Error): void => log.warn({ reason: error.message }, 'a database connection was lost');
    pool.on('error', lost);
    pool.on('connect', (client) => client.on('error', lost));
    const patient = patientPool(pool, reach(use), answerWithinMs, whenLate);
    return { pool, db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: patient }) }) };
  };

  const reading = opened('reading', { ...limits, max: READERS });
  try {
    (await reading.pool.connect()).release();
  } catch (error) {
    await reading.pool.end();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`DATABASE_URL: PostgreSQL cannot be reached: ${reason || 'no answer'}.`);
  }
  // A wait for the lock counts against statement_timeout, too, so that a slow write is cancelled otherwise.
  const writing = opened(
    'writing',
    { ...limits, max: 1, lock_timeout: lockMs, statement_timeout: lockMs + statementMs },
    Math.max(answerMs - EXPLAIN_WITHIN_MS, 1),
    (pid) => explainLate(reading.pool, pid),
  );
  const long = Math.max(LONG_STATEMENT_TIMEOUT_MS, statementMs);
  const longReading = opened('long reads', { ...limits, statement_timeout: long, max: LONG_READERS }, long + (answerMs - statementMs));
  return {
    db: reading.db,
    // It waits for its server without holding the event loop.
    longReads: longReading.db,
    writer: writing.db,
    longWriter: writing.db,
    dialect: 'postgres',
    file: null,
    withoutTimeouts: async (work) => {
      const patient = opened('withoutTimeouts work', { max: 2 }, Number.POSITIVE_INFINITY);
      try {
        return await work(patient.db);
      } finally {
        await end(patient);
      }
    },
    close: async () => {
      const closed = Promise.all([end(reading), end(writing), end(longReading)]);
      if (await inTime(CLOSE_WITHIN_MS, closed)) return;
      for (const socket of sockets) socket.destroy();
      // What holds a connection may never give it back; without sockets it keeps nothing alive.
      closed.catch(() => {});
    },
  };
}

/** Finds out why a write takes long, and cancels it unless it waits for a lock. */
async function explainLate(pool: pg.Pool, pid: number | null): ReturnType<WhenLate> {
  let explained: Awaited<ReturnType<WhenLate>> = 'silent';
  const ask = async (): Promise<void> => {
    const { rows } = await pool.query<{ waits: boolean }>(
      `select coalesce(wait_event_type = 'Lock', false) as waits,
         case when wait_event_type is distinct from 'Lock' then pg_cancel_backend(pid) end
       from pg_stat_activity where pid = $1 and state = 'active'`,
      [pid],
    );
    if (rows[0]) explained = rows[0].waits ? 'waits' : 'ends';
  };
  await inTime(EXPLAIN_WITHIN_MS, ask()).catch(() => false);
  return explained;
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
