import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import type { Logger } from 'pino';
import type { OpenDatabase } from './database.ts';
import { keepReserve, openWithReserve, privateFile, privateFolder } from './database-file.ts';
import { damageOf, isBusy, isDamage, StartError, sqliteCode } from './errors.ts';
import {
  checkpoint,
  hasLargeLog,
  hasWritten,
  leaveCheckpoints,
  refuseMismatch,
} from './file-mark.ts';
import type { Database } from './schema.ts';
import { keepStatements } from './statements.ts';
import { openReadingWorker, openWritingWorker } from './worker-connection.ts';

export const DATABASE_FILE = 'claimboard.sqlite';
/** How long a write waits for a lock that another program holds, in milliseconds: as long as for its own queue. */
const LOCK_TIMEOUT_MS = 10_000;
/** How often it tries, in milliseconds. SQLite's own waiting would block the event loop. */
const LOCK_RETRY_MS = 20;
/** How long opening waits for a program that is closing the file, in milliseconds: nothing is served yet. */
const OPEN_TIMEOUT_MS = 5_000;
const START_FIRST = 'Start Claimboard once, or set DATA_DIR to its folder.';

/**
 * Opens the database file.
 * @param beside a server may be running: take no lock on the folder, and create nothing
 */
export function openSqlite(dataDir: string, log: Logger, beside: boolean): OpenDatabase {
  const file = path.resolve(dataDir, DATABASE_FILE);
  const folder = path.dirname(file);
  if (beside && !existsSync(file))
    throw new StartError(`There is no database in ${folder} yet. ${START_FIRST}`);
  const lock = beside
    ? null
    : explain(file, () => {
        privateFolder(folder, log);
        return lockFolder(folder);
      });
  try {
    refuseMismatch(file);
    const open = (): OpenedFile => openFile(file);
    const { reading, snapshots, writing, checkpoints } = explain(file, () =>
      beside ? open() : openWithReserve(folder, open),
    );
    const marked = { writing, checkpoints, file };
    const checkpointIf = (isDue: (file: string) => boolean): void => {
      try {
        if (!beside && isDue(file)) checkpoint(marked);
      } catch {
        // The log can't be read: the file monitor reports it. A commit before it succeeded.
      }
    };
    if (!beside) checkpoint(marked);
    const db = new Kysely<Database>({ dialect: new ReadDialect(reading, snapshots) });
    const writer = new Kysely<Database>({
      dialect: Object.assign(new FileDialect(writing), {
        createDriver: () => new WriteDriver(writing, () => checkpointIf(hasLargeLog)),
      }),
    });
    const longReads = openReadingWorker(file);
    const longWriter = openWritingWorker(file, { onCommit: () => checkpointIf(hasWritten) });
    return {
      db,
      longReads,
      writer,
      longWriter,
      dialect: 'sqlite',
      file,
      withoutTimeouts: (work) => work(writer),
      checkpoint: () => checkpointIf(hasWritten),
      close: async () => {
        await Promise.all([db, longReads, longWriter].map((each) => each.destroy()));
        // destroy() skips a database that was never queried. The last connection to close checkpoints the WAL, so it must be the writer.
        for (const each of [reading, snapshots]) each.close();
        if (!beside) checkpoint(marked, true);
        checkpoints.close();
        await writer.destroy();
        writing.close();
        // The files beside it are gone, and have left room.
        if (!beside) keepReserve(folder);
        lock?.close();
      },
    };
  } catch (error) {
    lock?.close();
    throw error;
  }
}

/**
 * One server per data folder: a second one would miss the first one's live changes. The lock is an open SQLite
 * transaction, so the operating system releases it even when the process is killed.
 */
export function lockFolder(folder: string): BetterSqlite.Database {
  const file = path.join(folder, 'server.lock');
  privateFile(file);
  const lock = new BetterSqlite(file, { timeout: 0 });
  try {
    // Nothing is ever stored in it, and on a full disk there is no room for a journal.
    lock.pragma('journal_mode = memory');
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) {
      throw new StartError(
        `${folder} is in use by another Claimboard server. Stop that one, or set DATA_DIR to another folder.`,
      );
    }
    throw error;
  }
}

interface OpenedFile {
  reading: BetterSqlite.Database;
  /** For read transactions. */
  snapshots: BetterSqlite.Database;
  writing: BetterSqlite.Database;
  /** For `checkpoint`. */
  checkpoints: BetterSqlite.Database;
}

/** Readers have connections of their own: they see what is committed, and never wait for the writer. */
function openFile(file: string): OpenedFile {
  // SQLite creates the two files beside it with the mode of the database file.
  for (const each of [file, `${file}-wal`, `${file}-shm`])
    if (each === file || existsSync(each)) privateFile(each);
  const writing = new BetterSqlite(file, { timeout: OPEN_TIMEOUT_MS });
  try {
    writing.pragma('journal_mode = WAL');
    leaveCheckpoints(writing);
    // The build's default, NORMAL, may lose an acknowledged claim when the power goes.
    writing.pragma('synchronous = FULL');
    writing.pragma('foreign_keys = ON');
    const openReading = (): BetterSqlite.Database =>
      new BetterSqlite(file, { timeout: OPEN_TIMEOUT_MS, readonly: true });
    const checkpoints = new BetterSqlite(file, { timeout: 0 });
    const opened = { reading: openReading(), snapshots: openReading(), writing, checkpoints };
    writing.pragma('busy_timeout = 0');
    return opened;
  } catch (error) {
    writing.close();
    throw error;
  }
}

/** @throws StartError with one line for the operator if opening fails */
export function explain<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = sqliteCode(error);
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
      throw new StartError(
        `The database file ${file} is locked by another program. Close that one and start again.`,
      );
    }
    if (isDamage(error)) throw new StartError(damageOf(file));
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The database file ${file} cannot be opened: ${reason}. Check that its disk is not full and that this user may write to DATA_DIR.`,
    );
  }
}

/**
 * Kysely's adapter says that SQLite cannot roll back a change of the schema, and so runs migrations outside a transaction: a crash
 * in one would leave half of it for good. SQLite can. Only `pragma foreign_keys` must be set outside (`withoutReferences`).
 */
export class FileAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One connection to a database file. */
export class FileDialect extends SqliteDialect {
  readonly #database: BetterSqlite.Database;
  constructor(database: BetterSqlite.Database) {
    super({ database });
    this.#database = database;
  }
  override createAdapter(): SqliteAdapter {
    return new FileAdapter();
  }
  override createDriver(): Driver {
    return new FileDriver(this.#database);
  }
}

class FileDriver extends SqliteDriver {
  readonly #database: BetterSqlite.Database;
  constructor(database: BetterSqlite.Database) {
    super({ database: { prepare: keepStatements(database), close: () => void database.close() } });
    this.#database = database;
  }
  /** SQLite rolls back on its own if the disk is full or fails. A second rollback would hide the error that says why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Writes to a database file. */
class WriteDriver extends FileDriver {
  readonly #writing: BetterSqlite.Database;
  readonly #onCommit: () => void;
  constructor(writing: BetterSqlite.Database, onCommit: () => void) {
    super(writing);
    this.#writing = writing;
    this.#onCommit = onCommit;
  }
  /** Takes the write lock at once, and yields to the event loop while another program holds it. */
  override async beginTransaction(): Promise<void> {
    const until = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        this.#writing.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
      }
      await setTimeout(LOCK_RETRY_MS);
    }
  }
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#onCommit();
  }
}

/**
 * Reads a database file. A transaction runs on a second connection, one at a time: it may yield to the event loop between its
 * statements, and meanwhile the other reads neither wait for it nor see its state.
 */
class ReadDialect extends SqliteDialect {
  readonly #reading: BetterSqlite.Database;
  readonly #snapshots: BetterSqlite.Database;
  constructor(reading: BetterSqlite.Database, snapshots: BetterSqlite.Database) {
    super({ database: reading });
    this.#reading = reading;
    this.#snapshots = snapshots;
  }
  override createAdapter(): SqliteAdapter {
    return new ReadAdapter();
  }
  override createDriver(): Driver {
    return new ReadDriver(new FileDriver(this.#reading), new FileDriver(this.#snapshots));
  }
}

class ReadAdapter extends FileAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReadDriver implements Driver {
  readonly #reading: FileDriver;
  readonly #snapshots: FileDriver;
  #snapshot: Promise<void> = Promise.resolve();
  #endOf = new WeakMap<DatabaseConnection, () => void>();

  constructor(reading: FileDriver, snapshots: FileDriver) {
    this.#reading = reading;
    this.#snapshots = snapshots;
  }
  async init(): Promise<void> {
    await Promise.all([this.#reading.init(), this.#snapshots.init()]);
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    return new ReadConnection(await this.#reading.acquireConnection());
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const before = this.#snapshot;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#snapshot = promise;
    await before;
    this.#endOf.set(connection, resolve);
    if (connection instanceof ReadConnection)
      connection.target = await this.#snapshots.acquireConnection();
    await this.#snapshots.beginTransaction(connection);
  }
  commitTransaction = (connection: DatabaseConnection): Promise<void> =>
    this.#snapshots.commitTransaction(connection);
  rollbackTransaction = (connection: DatabaseConnection): Promise<void> =>
    this.#snapshots.rollbackTransaction(connection);
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#endOf.get(connection)?.();
  }
  async destroy(): Promise<void> {
    await Promise.all([this.#reading.destroy(), this.#snapshots.destroy()]);
  }
}

class ReadConnection implements DatabaseConnection {
  target: DatabaseConnection;
  constructor(target: DatabaseConnection) {
    this.target = target;
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.target.executeQuery<R>(query);
  }
  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.target.streamQuery<R>(query, chunkSize);
  }
}
