import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Env } from '../env.ts';
import type { Database } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

export interface OpenDatabase {
  db: Db;
  dialect: Dialect;
  close: () => Promise<void>;
}

const DATABASE_FILE = 'claimboard.sqlite';
/** How long one connection waits for another's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const INT8_OID = 20;
/** A PostgreSQL that answers nothing is given up after this long, in milliseconds; so is a transaction that lies idle, with the clock locked. */
const CONNECT_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const START_FIRST = 'Start Claimboard once, or set DATA_DIR to its folder.';

/**
 * Opens the database that the settings name, without touching its schema; `beside` a server that may be running,
 * for a moment's work on a database that exists.
 * @throws Error with one line for the operator: locked, corrupt, not writable, not reachable
 */
export async function openDatabase(
  env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  log: Logger,
  { beside = false }: { beside?: boolean } = {},
): Promise<OpenDatabase> {
  return env.DATABASE_URL ? openPostgres(env.DATABASE_URL, log) : openSqlite(env.DATA_DIR, beside);
}

function openSqlite(folder: string, beside: boolean): OpenDatabase {
  const file = path.resolve(folder, DATABASE_FILE);
  if (beside && !existsSync(file)) throw new StartError(`There is no database in ${path.dirname(file)} yet. ${START_FIRST}`);
  const lock = beside
    ? null
    : explain(file, () => {
        mkdirSync(path.dirname(file), { recursive: true });
        return lockFolder(path.dirname(file));
      });
  try {
    const sqlite = explain(file, () => openFile(file));
    const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: sqlite }) });
    return {
      db,
      dialect: 'sqlite',
      close: async () => {
        await db.destroy();
        // destroy() leaves a database alone that was never asked anything.
        sqlite.close();
        lock?.close();
      },
    };
  } catch (error) {
    lock?.close();
    throw error;
  }
}

/**
 * One server a data folder: another one would not see this one's changes live. The lock is an open SQLite
 * transaction, so the operating system releases it even when the process is killed.
 */
function lockFolder(folder: string): BetterSqlite.Database {
  const lock = new BetterSqlite(path.join(folder, 'server.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) {
      throw new StartError(`${folder} is in use by another Claimboard server. Stop that one, or set DATA_DIR to another folder.`);
    }
    throw error;
  }
}

function openFile(file: string): BetterSqlite.Database {
  const isNew = !existsSync(file);
  const sqlite = new BetterSqlite(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.pragma('journal_mode = WAL');
    // The build's default, NORMAL, may lose an acknowledged claim when the power goes.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    if (!isNew) {
      const found = sqlite.pragma('quick_check(1)', { simple: true });
      if (found !== 'ok') throw new StartError(`The database file ${file} is damaged (${String(found)}). Restore it from a backup.`);
    }
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** An error whose message is all that the operator needs; shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

function sqliteCode(error: unknown): string {
  return error instanceof BetterSqlite.SqliteError ? error.code : '';
}

function explain<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = sqliteCode(error);
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
      throw new StartError(`The database file ${file} is locked by another program. Close that one and start again.`);
    }
    if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
      throw new StartError(`The database file ${file} is damaged or not a database. Restore it from a backup, or move it away.`);
    }
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The database file ${file} cannot be opened: ${reason}. Is DATA_DIR a folder this user may write to?`);
  }
}

async function openPostgres(url: string, log: Logger): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format),
    },
  });
  // Without a listener a restarted PostgreSQL would end the process: the pool listens only for connections that idle.
  const lost = (error: Error): void => log.warn({ reason: error.message }, 'a database connection was lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`DATABASE_URL: PostgreSQL cannot be reached: ${reason || 'no answer'}.`);
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, dialect: 'postgres', close: () => db.destroy() };
}
