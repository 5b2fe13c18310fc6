import BetterSqlite from 'better-sqlite3';
import { type DatabaseConnection, type Driver, Kysely, SqliteDialect, SqliteQueryCompiler } from 'kysely';
import type { OpenDatabase } from '../../db/open.ts';
import { FileAdapter } from '../../db/open-sqlite.ts';
import type { Database } from '../../db/schema.ts';

/** A database in memory that the server works on, and that the world may look into, copy and put back meanwhile. */
export interface MemoryDatabase extends OpenDatabase {
  /** What it holds, read beside the server. */
  rows: (sql: string) => Record<string, unknown>[];
  run: (sql: string) => void;
  isWriting: () => boolean;
  copy: () => Buffer;
  /** Puts a copy in its place while the server runs on, as a fail-over does that lost what was committed last. */
  putBack: (copy: Buffer) => void;
}

/** @param pause what every caller waits before it gets the connection, and again after it has given it back */
export function openMemory(copy: Buffer | null, pause: () => Promise<void>): MemoryDatabase {
  let sqlite = openCopy(copy);
  let prepared = new Map<string, BetterSqlite.Statement<unknown[], Record<string, unknown>>>();
  // A world asks the same few hundred questions again and again, and preparing one takes longer than its answer.
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? sqlite.prepare<unknown[], Record<string, unknown>>(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const inner = new SqliteDialect({ database: { prepare, close: () => sqlite.close() } });
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new OneAtATime(),
      createDriver: () => new PausingDriver(inner.createDriver(), pause),
      createIntrospector: (target) => inner.createIntrospector(target),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return {
    db,
    writer: db,
    dialect: 'sqlite',
    file: null,
    unhurried: (work) => work(db),
    close: async () => {
      await db.destroy();
      sqlite.close();
    },
    rows: (sql) => prepare(sql).all(),
    run: (sql) => sqlite.exec(sql),
    isWriting: () => sqlite.inTransaction,
    copy: () => sqlite.serialize(),
    putBack: (earlier) => {
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

/** The driver below keeps its callers apart by itself, so that they can be made to wait outside. */
class OneAtATime extends FileAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class PausingDriver implements Driver {
  readonly #inner: Driver;
  readonly #pause: () => Promise<void>;
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  constructor(inner: Driver, pause: () => Promise<void>) {
    this.#inner = inner;
    this.#pause = pause;
  }

  init = (): Promise<void> => this.#inner.init();

  acquireConnection = async (): Promise<DatabaseConnection> => {
    await this.#pause();
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return this.#inner.acquireConnection();
  };

  releaseConnection = async (): Promise<void> => {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
    await this.#pause();
  };

  beginTransaction: Driver['beginTransaction'] = (connection, settings) => this.#inner.beginTransaction(connection, settings);
  commitTransaction: Driver['commitTransaction'] = (connection) => this.#inner.commitTransaction(connection);
  rollbackTransaction: Driver['rollbackTransaction'] = (connection) => this.#inner.rollbackTransaction(connection);
  savepoint: NonNullable<Driver['savepoint']> = async (...of) => this.#inner.savepoint?.(...of);
  rollbackToSavepoint: NonNullable<Driver['rollbackToSavepoint']> = async (...of) => this.#inner.rollbackToSavepoint?.(...of);
  releaseSavepoint: NonNullable<Driver['releaseSavepoint']> = async (...of) => this.#inner.releaseSavepoint?.(...of);
  destroy = (): Promise<void> => this.#inner.destroy();
}
