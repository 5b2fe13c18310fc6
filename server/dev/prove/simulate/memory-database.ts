import BetterSqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely';
import type { OpenDatabase } from '../../../db/database.ts';
import type { Database } from '../../../db/schema.ts';
import { FileAdapter } from '../../../db/sqlite.ts';

type Pause = () => Promise<void>;

/** A database in memory that the server works on, and that the world may look into, copy and put back meanwhile. */
export interface MemoryDatabase extends OpenDatabase {
  /** Its rows, read beside the server. */
  rows: (sql: string) => Record<string, unknown>[];
  run: (sql: string) => void;
  /** The clock of the last commit, ignoring open transactions. */
  storedClock: () => number;
  /** Whether its connection is in use: a commit of many jobs takes a turn for each, without any other sign of work. */
  isInUse: () => boolean;
  copy: () => Buffer;
  /** The process that worked on it has died: nothing is done any more. @returns what was committed */
  die: () => Buffer;
  /** Puts a copy in its place while the server runs on, as a fail-over does that lost what was committed last. */
  restore: (copy: Buffer) => void;
}

/** @param pauses asked by every caller for what it waits: before it gets the connection, before each statement, and after it has given the connection back */
export function openMemory(copy: Buffer | null, pauses: () => Pause): MemoryDatabase {
  let sqlite = openCopy(copy);
  let isDead = false;
  let storedClock = 0;
  let prepared = new Map<string, BetterSqlite.Statement<unknown[], Record<string, unknown>>>();
  // A world asks the same few hundred questions again and again, and preparing one takes longer than its answer.
  const prepare = (sql: string) => {
    if (isDead) throw new Error('the process has died');
    const statement = prepared.get(sql) ?? sqlite.prepare<unknown[], Record<string, unknown>>(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const rows = (sql: string) => prepare(sql).all();
  /** As the connection sees it, which is only what is stored while no transaction is under way. */
  const keepClock = (): void => {
    // The one without a copy is still to get its tables.
    if (copy && !isDead && !sqlite.inTransaction)
      storedClock = Number(rows('select value from clock')[0]?.value);
  };
  const inner = new SqliteDialect({ database: { prepare, close: () => sqlite.close() } });
  const driver = new PausingDriver(inner.createDriver(), { pauses, onBegin: keepClock });
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new OneAtATime(),
      createDriver: () => driver,
      createIntrospector: (target) => inner.createIntrospector(target),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return {
    db,
    longReads: db,
    writer: db,
    longWriter: db,
    dialect: 'sqlite',
    file: null,
    withoutTimeouts: (work) => work(db),
    checkpoint: () => {},
    close: async () => {
      await db.destroy();
      sqlite.close();
    },
    rows,
    run: (sql) => sqlite.exec(sql),
    storedClock: () => {
      keepClock();
      return storedClock;
    },
    isInUse: () => driver.isTaken,
    copy: () => sqlite.serialize(),
    die: () => {
      isDead = true;
      if (sqlite.inTransaction) sqlite.exec('rollback');
      return sqlite.serialize();
    },
    restore: (earlier) => {
      sqlite.close();
      sqlite = openCopy(earlier);
      prepared = new Map();
    },
  };
}

function openCopy(copy: Buffer | null): BetterSqlite.Database {
  const sqlite = copy ? new BetterSqlite(copy) : new BetterSqlite(':memory:');
  sqlite.pragma('foreign_keys = ON');
  return sqlite;
}

/** The driver below would serialize callers; this one lets them wait outside. */
class OneAtATime extends FileAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Each statement yields, including begin and commit, so that other work runs in between. */
class PausingConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly pause: Pause;

  constructor(inner: DatabaseConnection, pause: Pause) {
    this.#inner = inner;
    this.pause = pause;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.pause();
    return this.#inner.executeQuery<R>(query);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery<R>(query, chunkSize);
  }
}

class PausingDriver implements Driver {
  readonly #inner: Driver;
  readonly #pauses: () => Pause;
  readonly #onBegin: () => void;
  isTaken = false;
  readonly #waiting: (() => void)[] = [];

  constructor(inner: Driver, { pauses, onBegin }: { pauses: () => Pause; onBegin: () => void }) {
    this.#inner = inner;
    this.#pauses = pauses;
    this.#onBegin = onBegin;
  }

  init = (): Promise<void> => this.#inner.init();

  acquireConnection = async (): Promise<DatabaseConnection> => {
    const pause = this.#pauses();
    await pause();
    if (this.isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.isTaken = true;
    return new PausingConnection(await this.#inner.acquireConnection(), pause);
  };

  releaseConnection = async (connection: DatabaseConnection): Promise<void> => {
    const next = this.#waiting.shift();
    if (next) next();
    else this.isTaken = false;
    if (connection instanceof PausingConnection) await connection.pause();
  };

  beginTransaction: Driver['beginTransaction'] = async (connection, settings) => {
    this.#onBegin();
    await this.#inner.beginTransaction(connection, settings);
  };
  commitTransaction: Driver['commitTransaction'] = (connection) =>
    this.#inner.commitTransaction(connection);
  rollbackTransaction: Driver['rollbackTransaction'] = (connection) =>
    this.#inner.rollbackTransaction(connection);
  savepoint: NonNullable<Driver['savepoint']> = async (...of) => this.#inner.savepoint?.(...of);
  rollbackToSavepoint: NonNullable<Driver['rollbackToSavepoint']> = async (...of) =>
    this.#inner.rollbackToSavepoint?.(...of);
  releaseSavepoint: NonNullable<Driver['releaseSavepoint']> = async (...of) =>
    this.#inner.releaseSavepoint?.(...of);
  destroy = (): Promise<void> => this.#inner.destroy();
}
