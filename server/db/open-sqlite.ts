import { existsSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { sqliteCode } from './failures.ts';
import { FileDialect } from './file-dialect.ts';
import type { OpenDatabase } from './open.ts';
import { privateFile, privateFolder } from './private-files.ts';
import type { Database } from './schema.ts';
import { StartError } from './start-error.ts';

export const DATABASE_FILE = 'claimboard.sqlite';
/** How long one connection waits for another's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const START_FIRST = 'Start Claimboard once, or set DATA_DIR to its folder.';

export function openSqlite(dataDir: string, log: Logger, beside: boolean): OpenDatabase {
  const file = path.resolve(dataDir, DATABASE_FILE);
  const folder = path.dirname(file);
  if (beside && !existsSync(file)) throw new StartError(`There is no database in ${folder} yet. ${START_FIRST}`);
  const lock = beside
    ? null
    : explain(file, () => {
        privateFolder(folder, log);
        return lockFolder(folder);
      });
  try {
    const sqlite = explain(file, () => openFile(file));
    const db = new Kysely<Database>({ dialect: new FileDialect(sqlite) });
    return {
      db,
      writer: db,
      dialect: 'sqlite',
      file,
      unhurried: (work) => work(db),
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
  const file = path.join(folder, 'server.lock');
  privateFile(file);
  const lock = new BetterSqlite(file, { timeout: 0 });
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
  // The two beside it take the rights of the first where they are made anew.
  for (const each of [file, `${file}-wal`, `${file}-shm`]) if (each === file || existsSync(each)) privateFile(each);
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
