import type BetterSqlite from 'better-sqlite3';
import { type DatabaseConnection, type Driver, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import { keepStatements } from './statements.ts';

/**
 * Kysely's own says that a change of the schema cannot be rolled back, and so runs migrations outside a transaction:
 * a kill in the middle of one would leave half of it, for good. In SQLite it can be. What cannot be done inside a
 * transaction is `pragma foreign_keys`: `references.ts` does it around it.
 */
export class FileAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A database file, spoken to over one connection, which prepares each statement once. */
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

/**
 * SQLite rolls back by itself where the disk is full or fails. Rolling back once more would be an error, which would
 * hide the one that says why.
 */
class FileDriver extends SqliteDriver {
  readonly #database: BetterSqlite.Database;
  constructor(database: BetterSqlite.Database) {
    super({ database: { prepare: keepStatements(database), close: () => void database.close() } });
    this.#database = database;
  }
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}
