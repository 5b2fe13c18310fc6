import { Socket } from 'node:net';
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Db, OpenDatabase } from './database.ts';
import { DatabaseAway, endsConnection, PoolBusy, StartError } from './errors.ts';
import { inTime } from './promises.ts';
import type { Database } from './schema.ts';

const INT8_OID = 20;
/** How long PostgreSQL may take to connect or to answer, in milliseconds. A recovered database is used again this soon. */
export const ANSWER_WITHIN_MS = 4_500;
/** How long a request waits for a connection that others use, in milliseconds. */
const POOL_WITHIN_MS = 10_000;
/** PostgreSQL cancels a statement after this, in milliseconds: before ANSWER_WITHIN_MS, so that the connection stays usable. */
const STATEMENT_TIMEOUT_MS = 4_000;
/** How long a write waits for the clock's lock, which another server's write holds, in milliseconds: as long as for its own queue. */
const LOCK_TIMEOUT_MS = 10_000;
/** Time to ask over another connection why a write takes long, in milliseconds. */
const EXPLAIN_WITHIN_MS = 500;
/** PostgreSQL connections of one server for statistics and other long reads. */
const LONG_READERS = 3;
/** PostgreSQL cancels a statement of a long read after this, in milliseconds. */
const LONG_STATEMENT_TIMEOUT_MS = 15_000;
/** Ends an idle transaction that keeps the clock locked: its server died or lost the network. A busy server may pause for a while. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** A connection that died silently is noticed this soon, in milliseconds; the system's own default is hours. */
const KEEP_ALIVE_MS = 10_000;
/** PostgreSQL connections of one server for reads. One more is for writes. */
const READERS = 10;
/** How long closing may take before the connections are destroyed, in milliseconds. */
const CLOSE_WITHIN_MS = 2_000;

export interface PostgresLimits {
  answerMs?: number;
  statementMs?: number;
  lockMs?: number;
}

/** Opens a pool for reading, one for long reads, and one connection for writing. */
export async function openPostgres(
  url: string,
  log: Logger,
  {
    answerMs = ANSWER_WITHIN_MS,
    statementMs = STATEMENT_TIMEOUT_MS,
    lockMs = LOCK_TIMEOUT_MS,
  }: PostgresLimits = {},
): Promise<OpenDatabase> {
  const sockets = new Set<Socket>();
  // To destroy on close: pg itself waits for a silent database to say goodbye.
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
        oid === INT8_OID
          ? Number
          : pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format),
    },
  };
  const limits: pg.PoolConfig = {
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const reach = createReachability(log);
  const opened = (
    use: string,
    config: pg.PoolConfig,
    patience: Patience = { answerWithinMs: answerMs },
  ): Opened => {
    const pool = new pg.Pool({ ...shared, ...config });
    // Without a listener a restarted PostgreSQL would end the process: the pool listens only for connections that idle.
    const lost = (error: Error): void =>
      log.warn({ reason: error.message }, 'a database connection was lost');
    pool.on('error', lost);
    pool.on('connect', (client) => client.on('error', lost));
    const patient = patientPool(pool, reach(use), patience);
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
    {
      answerWithinMs: Math.max(answerMs - EXPLAIN_WITHIN_MS, 1),
      whenLate: (pid) => explainLate(reading.pool, pid),
    },
  );
  const long = Math.max(LONG_STATEMENT_TIMEOUT_MS, statementMs);
  const longReading = opened(
    'long reads',
    { ...limits, statement_timeout: long, max: LONG_READERS },
    { answerWithinMs: long + (answerMs - statementMs) },
  );
  return {
    db: reading.db,
    longReads: longReading.db,
    writer: writing.db,
    longWriter: writing.db,
    dialect: 'postgres',
    file: null,
    withoutTimeouts: async (work) => {
      const patient = opened(
        'withoutTimeouts work',
        { max: 2 },
        { answerWithinMs: Number.POSITIVE_INFINITY },
      );
      try {
        return await work(patient.db);
      } finally {
        await end(patient);
      }
    },
    checkpoint: () => {},
    close: async () => {
      const closed = Promise.all([end(reading), end(writing), end(longReading)]);
      if (await inTime(CLOSE_WITHIN_MS, closed)) return;
      for (const socket of sockets) socket.destroy();
      // A lent connection may never be returned; without its socket it does not keep the process alive.
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
  // destroy() skips a pool that was never used.
  if (!pool.ending) await pool.end();
}

/** State that the pools of one database share. */
export interface Reachability {
  away: (error: unknown) => void;
  answered: () => void;
  /** A connection stopped answering: those that have been idle since then are as likely dead, and are not used again. */
  distrust: () => void;
  /** How often connections were distrusted. */
  era: () => number;
}

interface Patience {
  /** How long a statement may take, in milliseconds; Infinity: no limit. */
  answerWithinMs: number;
  /** Called if a statement takes longer; by default its connection counts as dead. */
  whenLate?: WhenLate;
}

/**
 * A pool in the form Kysely needs that drops connections which stopped answering. pg would return a connection whose statement timed out,
 * with the answer still to come, and every later user would wait in vain.
 */
export function patientPool(
  pool: pg.Pool,
  reach: Reachability,
  { answerWithinMs, whenLate = async () => 'silent' }: Patience,
): PostgresPool {
  const made = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => made.set(client, reach.era()));
  const fresh = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect();
      if (made.get(client) === reach.era()) return client;
      client.release(true);
    }
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      try {
        return new LentClient(await fresh(), { reach, answerWithinMs, whenLate });
      } catch (error) {
        if (isQueueTimeout(error) && pool.totalCount > 0 && pool.idleCount === 0)
          throw new PoolBusy('all connections are in use', { cause: error });
        reach.away(error);
        throw new DatabaseAway(error);
      }
    },
  };
}

/** Connecting has a shorter limit, with another message. */
const isQueueTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/**
 * What to do with a statement of this process id that takes too long. `waits`: it waits for a lock, which has its own limit; `ends`: it
 * was cancelled and its answer comes soon; `silent`: unknown.
 */
export type WhenLate = (pid: number | null) => Promise<'waits' | 'ends' | 'silent'>;

interface Lending extends Required<Patience> {
  reach: Reachability;
}

const COMMANDS: readonly PostgresQueryResult<unknown>['command'][] = [
  'UPDATE',
  'DELETE',
  'INSERT',
  'SELECT',
  'MERGE',
  'COMMIT',
  'ROLLBACK',
];

class LentClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #reach: Reachability;
  readonly #answerWithinMs: number;
  readonly #whenLate: WhenLate;
  #silence: DatabaseAway | null = null;

  constructor(client: pg.PoolClient, { reach, answerWithinMs, whenLate }: Lending) {
    this.#client = client;
    this.#reach = reach;
    this.#answerWithinMs = answerWithinMs;
    this.#whenLate = whenLate;
  }

  query<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>;
  query(cursor: object): never;
  query<R>(
    sql: string | object,
    parameters: ReadonlyArray<unknown> = [],
  ): Promise<PostgresQueryResult<R>> {
    if (typeof sql !== 'string') throw new Error('this pool streams nothing');
    return this.#ask(sql, parameters);
  }

  async #ask<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>> {
    // The rollback after a timeout would only time out as well.
    if (this.#silence) throw this.#silence;
    try {
      const { command, rowCount, rows } = await this.#answerOf(
        this.#client.query(sql, [...parameters]),
      );
      this.#reach.answered();
      return {
        command: COMMANDS.find((each) => each === command) ?? 'SELECT',
        rowCount: rowCount ?? 0,
        rows,
      };
    } catch (error) {
      if (!endsConnection(error)) throw error;
      this.#silence = new DatabaseAway(error);
      this.#reach.distrust();
      this.#reach.away(error);
      throw this.#silence;
    }
  }

  async #answerOf(query: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    if (this.#answerWithinMs === Number.POSITIVE_INFINITY) return query;
    // Nothing reads what it answers after that.
    query.catch(() => {});
    for (let late: 'waits' | 'ends' | 'silent' = 'waits'; late !== 'silent'; ) {
      if (await inTime(this.#answerWithinMs, query)) return query;
      late = late === 'ends' ? 'silent' : await this.#whenLate(processIdOf(this.#client));
    }
    throw new Error(`no answer within ${this.#answerWithinMs} ms`);
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#silence !== null);
  }
}

/** The connection's process id in PostgreSQL, which pg's types lack. */
const processIdOf = (client: pg.PoolClient): number | null =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : null;

/**
 * State that the pools of one database share, by use. Each pool logs once when the database is gone and once when it is back: if
 * only one of them is served, their messages differ.
 */
export function createReachability(log: Logger): (use: string) => Reachability {
  let era = 0;
  return (use) => {
    let away = false;
    return {
      away: (error) => {
        if (!away)
          log.warn(
            { use, reason: error instanceof Error ? error.message : String(error) },
            'the database does not answer',
          );
        away = true;
      },
      answered: () => {
        if (away) log.info({ use }, 'the database answers again');
        away = false;
      },
      distrust: () => {
        era += 1;
      },
      era: () => era,
    };
  };
}
