import { existsSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { openAside, openWritingAside } from './aside.ts';
import { damageOf, isDamage, sqliteCode } from './failures.ts';
import { FileDialect } from './file-dialect.ts';
import type { Db, OpenDatabase } from './open.ts';
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
    const { reading, readingInTurns, writing } = explain(file, () => openFile(file));
    const [db, inTurns, writer] = [spokenTo(reading), spokenTo(readingInTurns), spokenTo(writing)];
    const [aside, writerAside] = [openAside(file), openWritingAside(file)];
    return {
      db,
      aside,
      inTurns,
      writer,
      writerAside,
      dialect: 'sqlite',
      file,
      unhurried: (work) => work(writer),
      close: async () => {
        await Promise.all([db, aside, inTurns, writer, writerAside].map((each) => each.destroy()));
        // destroy() leaves a database alone that was never asked anything. The last one to leave tidies up, which takes the right to write.
        for (const each of [reading, readingInTurns, writing]) each.close();
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
export function lockFolder(folder: string): BetterSqlite.Database {
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

const spokenTo = (sqlite: BetterSqlite.Database): Db => new Kysely<Database>({ dialect: new FileDialect(sqlite) });

interface OpenedFile {
  reading: BetterSqlite.Database;
  readingInTurns: BetterSqlite.Database;
  writing: BetterSqlite.Database;
}

/**
 * Opens the file for writing, and for reading: who reads sees what was committed, never what is being written, and waits
 * for nobody. A transaction that lets others have their turn has a connection of its own, or theirs would read what it
 * sees, and would wait for it.
 */
function openFile(file: string): OpenedFile {
  // The two beside it take the rights of the first where they are made anew.
  for (const each of [file, `${file}-wal`, `${file}-shm`]) if (each === file || existsSync(each)) privateFile(each);
  const writing = new BetterSqlite(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    writing.pragma('journal_mode = WAL');
    // The build's default, NORMAL, may lose an acknowledged claim when the power goes.
    writing.pragma('synchronous = FULL');
    writing.pragma('foreign_keys = ON');
    const forReading = (): BetterSqlite.Database => new BetterSqlite(file, { timeout: BUSY_TIMEOUT_MS, readonly: true });
    return { reading: forReading(), readingInTurns: forReading(), writing };
  } catch (error) {
    writing.close();
    throw error;
  }
}

/** @throws StartError with one line for the operator, where opening fails */
export function explain<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = sqliteCode(error);
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
      throw new StartError(`The database file ${file} is locked by another program. Close that one and start again.`);
    }
    if (isDamage(error)) throw new StartError(damageOf(file));
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The database file ${file} cannot be opened: ${reason}. Is DATA_DIR a folder this user may write to?`);
  }
}
