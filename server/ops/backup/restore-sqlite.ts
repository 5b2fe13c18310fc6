import { existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { privateFile, privateFolder } from '../../db/database-file.ts';
import { StartError } from '../../db/errors.ts';
import { refuseMismatch } from '../../db/file-mark.ts';
import type { Database } from '../../db/schema.ts';
import { DATABASE_FILE, explain, FileDialect, lockFolder } from '../../db/sqlite.ts';
import { archivedTables, FILLED_BY_MIGRATIONS } from './archive-format.ts';
import { syncFolder } from './archive-writer.ts';
import { notEmpty, type RowsOfTable, type Target } from './restore-target.ts';

/** Fills a new file and then renames it: a failure leaves nothing. */
export async function restoreSqlite(
  dataDir: string,
  log: Logger,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const file = path.resolve(dataDir, DATABASE_FILE);
  const folder = path.dirname(file);
  const lock = explain(file, () => {
    privateFolder(folder, log);
    return lockFolder(folder);
  });
  const made = `${file}.restoring`;
  const discard = (): void => {
    for (const each of [made, `${made}-journal`]) rmSync(each, { force: true });
  };
  try {
    refuseMismatch(file);
    explain(file, () => assertEmpty(file));
    discard();
    privateFile(made);
    await fill(made, work);
    const handle = await open(made, 'r+');
    await handle.sync();
    await handle.close();
    await rename(made, file);
    await syncFolder(folder);
  } finally {
    discard();
    lock.close();
  }
}

function assertEmpty(file: string): void {
  if (!existsSync(file)) return;
  const sqlite = new BetterSqlite(file);
  try {
    const names = sqlite.prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
    );
    for (const name of names.pluck().all()) {
      if (FILLED_BY_MIGRATIONS.has(name) || name.startsWith('kysely_migration')) continue;
      if (sqlite.prepare(`select 1 from "${name}" limit 1`).get()) throw notEmpty(file, name);
    }
  } finally {
    // The last connection deletes the WAL, which must not be taken for the new file's.
    sqlite.close();
  }
  if (existsSync(`${file}-wal`))
    throw new StartError(
      `The database file ${file} is in use by another program. Close that one first.`,
    );
}

async function fill(file: string, work: (target: Target) => Promise<void>): Promise<void> {
  const sqlite = new BetterSqlite(file);
  const db = new Kysely<Database>({ dialect: new FileDialect(sqlite) });
  try {
    // Nothing is lost if the machine fails now.
    sqlite.pragma('synchronous = off');
    sqlite.pragma('cache_size = -65536');
    await work({
      db,
      dialect: 'sqlite',
      columns: async () => {
        const names = sqlite
          .prepare<[], string>("select name from sqlite_schema where type = 'table'")
          .pluck()
          .all();
        const columns = sqlite
          .prepare<[string], string>('select name from pragma_table_info(?) order by name')
          .pluck();
        return new Map(archivedTables(names).map((name) => [name, columns.all(name)]));
      },
      begin: async (made) => {
        sqlite.pragma('foreign_keys = off');
        for (const name of made) sqlite.exec(`delete from "${name}"`);
        sqlite.exec('begin');
      },
      insert: async (some) => insert(sqlite, some),
      continueIdsAfter: async (table, id) => {
        const changed = sqlite
          .prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?')
          .run(id, table).changes;
        if (changed === 0)
          sqlite.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, id);
      },
      end: async () => {
        const wrong: unknown = sqlite.pragma('foreign_key_check', { simple: true });
        if (wrong !== undefined)
          throw new StartError(
            `The archive cannot be restored: rows of ${String(wrong)} belong to none.`,
          );
        sqlite.exec('commit');
        sqlite.pragma('foreign_keys = on');
      },
    });
  } finally {
    await db.destroy();
    sqlite.close();
  }
}

function insert(sqlite: BetterSqlite.Database, { table, columns, rows }: RowsOfTable): void {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const statement = sqlite.prepare(
    `insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`,
  );
  try {
    for (const row of rows) statement.run(...row);
  } catch (error) {
    throw new StartError(
      `The archive cannot be restored: a row of ${table} is not taken (${error instanceof Error ? error.message : String(error)}).`,
    );
  }
}
