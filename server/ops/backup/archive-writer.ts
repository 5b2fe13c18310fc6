import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import type { Db, OpenDatabase, Tx } from '../../db/database.ts';
import { makeFolder } from '../../db/database-file.ts';
import { StartError } from '../../db/errors.ts';
import { doneMigrations, refuseUnknown } from '../../db/migrate.ts';
import {
  archivedTables,
  type EndLine,
  FORMAT,
  type Header,
  MAX_LINE,
  type Row,
  rowText,
  type TableLine,
} from './archive-format.ts';
import { readArchive } from './archive-reader.ts';
import { PART } from './backup-files.ts';
import type { Progress } from './progress.ts';

/** Archives have keys and secrets. */
const FILE_MODE = 0o600;

export interface ArchiveOptions {
  now: () => Date;
  progress?: Progress;
  signal?: AbortSignal;
}

/**
 * Writes an archive of one moment of a database, without blocking its readers and writers. The file appears when it is complete.
 * @returns the number of rows
 * @throws StartError in one line; then there is no file
 */
export async function writeArchive(
  opened: Pick<OpenDatabase, 'db' | 'dialect' | 'file' | 'withoutTimeouts'>,
  file: string,
  { now, progress, signal }: ArchiveOptions,
): Promise<number> {
  if (existsSync(file))
    throw new StartError(`${file} exists already. Name another file, or move that one away.`);
  const part = `${file}.${randomBytes(4).toString('hex')}${PART}`;
  try {
    makeFolder(path.dirname(file));
    const rows = await withSource(opened, async (source) => {
      const into = createWriteStream(part, { flags: 'wx', mode: FILE_MODE, flush: true });
      // Takes half the time of the default level; the file is a fifth larger.
      await pipeline(
        Readable.from(linesOf(source, now(), progress)),
        createGzip({ level: 3 }),
        into,
        ...(signal ? [{ signal }] : []),
      );
      return source.tables.reduce((sum, table) => sum + table.rows, 0);
    });
    await rename(part, file);
    await syncFolder(path.dirname(file));
    return rows;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Makes a new name survive a power loss. Windows has no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const line = (value: object): string => `${JSON.stringify(value)}\n`;

async function* linesOf(
  { schema, tables, sequences, rows }: Source,
  now: Date,
  progress?: Progress,
): AsyncGenerator<string> {
  const total = tables.reduce((sum, table) => sum + table.rows, 0);
  const header: Header = {
    claimboard: FORMAT,
    made_at: now.toISOString(),
    schema: [...schema],
    tables: Object.fromEntries(tables.map((table) => [table.name, table.rows])),
    sequences: { ...sequences },
  };
  const first = line(header);
  yield first;
  const end: EndLine['end'] = { header: sha256(first), tables: {} };
  let done = 0;
  for (const table of tables) {
    const named = line({ table: table.name, columns: [...table.columns] } satisfies TableLine);
    const hash = createHash('sha256').update(named);
    yield named;
    let found = 0;
    for await (const some of rows(table)) {
      const text = some.map((row) => lineOf(table.name, row)).join('');
      if (text === '') continue;
      hash.update(text);
      yield text;
      found += some.length;
      progress?.(done + found, total);
    }
    if (found !== table.rows)
      throw new Error(`${table.name} had ${table.rows} rows, and then ${found}`);
    done += found;
    end.tables[table.name] = { rows: found, sha256: hash.digest('hex') };
  }
  yield line({ end } satisfies EndLine);
}

function lineOf(table: string, row: Parameters<typeof rowText>[0]): string {
  const text = `${rowText(row)}\n`;
  // The reader would refuse it.
  if (text.length > MAX_LINE / 3 && Buffer.byteLength(text) > MAX_LINE)
    throw new StartError(`a row of ${table} is too large for an archive`);
  return text;
}

/** Writes an archive and reads it back: older backups may only be deleted for one that can be restored. @throws as both */
export async function writeVerifiedArchive(
  opened: Opened,
  file: string,
  options: ArchiveOptions,
): Promise<number> {
  const rows = await writeArchive(opened, file, options);
  try {
    for await (const _ of readArchive(file)) options.signal?.throwIfAborted();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return rows;
}

interface SourceTable {
  name: string;
  rows: number;
  /** Sorted by name, so that both kinds of database have the same order. */
  columns: readonly string[];
}

/** A database at one moment, regardless of later writes. */
interface Source {
  schema: readonly string[];
  tables: readonly SourceTable[];
  sequences: Readonly<Record<string, number>>;
  /** A table in batches of about MAX_BATCH_CHARACTERS. */
  rows: (table: SourceTable) => AsyncIterable<readonly Row[]>;
}

type Opened = Pick<OpenDatabase, 'db' | 'dialect' | 'file' | 'withoutTimeouts'>;

/**
 * Reads a database in one transaction, over a connection of its own.
 * @throws StartError if it is empty, or newer than this program
 */
async function withSource<T>(opened: Opened, work: (source: Source) => Promise<T>): Promise<T> {
  const schema = await doneMigrations(opened.db, opened.dialect);
  if (schema.length === 0)
    throw new StartError('There is nothing to back up: this database is empty.');
  await refuseUnknown(schema);
  return opened.file === null ? fromPostgres(opened, work) : fromSqlite(opened.file, work);
}

/** Rows of SQLite in a batch. */
const MAX_BATCH_ROWS = 500;
/** How long to wait for a lock of another connection, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

async function fromSqlite<T>(file: string, work: (source: Source) => Promise<T>): Promise<T> {
  const sqlite = new BetterSqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.exec('begin');
    const all = (text: string): unknown[][] => sqlite.prepare<[], unknown[]>(text).raw(true).all();
    // The first statement fixes the moment, so the migrations are read again.
    const schema = all('select name from kysely_migration order by name').map(([name]) =>
      String(name),
    );
    const names = archivedTables(
      all("select name from sqlite_schema where type = 'table'").map(([name]) => String(name)),
    );
    const tables = names.map((name) => ({
      name,
      rows: Number(sqlite.prepare(`select count(*) from "${name}"`).pluck().get()),
      columns: all(`select name from pragma_table_info('${name}') order by name`).map(([column]) =>
        String(column),
      ),
    }));
    const known = new Set(names);
    const sequences = Object.fromEntries(
      all('select name, seq from sqlite_sequence').flatMap(([name, seq]) =>
        known.has(String(name)) ? [[name, seq]] : [],
      ),
    );
    return await work({ schema, tables, sequences, rows: (table) => rowsOfSqlite(sqlite, table) });
  } finally {
    sqlite.close();
  }
}

async function* rowsOfSqlite(
  sqlite: BetterSqlite.Database,
  { name, columns }: SourceTable,
): AsyncGenerator<Row[]> {
  const statement = sqlite
    .prepare<[], Row[number][]>(`select ${columns.map(quoted).join(', ')} from "${name}"`)
    .raw(true);
  let rows: Row[] = [];
  let weight = 0;
  for (const row of statement.iterate()) {
    rows.push(row);
    weight += sizeOfRow(row);
    if (rows.length < MAX_BATCH_ROWS && weight < MAX_BATCH_CHARACTERS) continue;
    yield rows;
    rows = [];
    weight = 0;
  }
  yield rows;
}

const quoted = (name: string): string => `"${name}"`;
/** Characters of text and bytes of pictures in a batch. */
const MAX_BATCH_CHARACTERS = 1_000_000;
const sizeOfRow = (row: Row): number =>
  row.reduce<number>(
    (sum, cell) => sum + (typeof cell === 'string' || Buffer.isBuffer(cell) ? cell.length : 8),
    0,
  );

const fromPostgres = <T>(
  { withoutTimeouts }: Opened,
  work: (source: Source) => Promise<T>,
): Promise<T> =>
  withoutTimeouts((db) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const schema = await doneMigrations(tx, 'postgres');
        const columns = await columnsOfPostgres(tx);
        const tables: SourceTable[] = [];
        const sequences: Record<string, number> = {};
        for (const name of archivedTables(columns.keys())) {
          const own = columns.get(name);
          if (!own) continue;
          const { rows } = await sql<{
            n: number;
          }>`select count(*) as n from ${sql.table(name)}`.execute(tx);
          tables.push({ name, rows: rows[0]?.n ?? 0, columns: [...own.keys()] });
          const last = await lastIdOfPostgres(tx, name, own.has('id'));
          if (last !== null) sequences[name] = last;
        }
        return work({ schema, tables, sequences, rows: (table) => rowsOfPostgres(tx, table) });
      }),
  );

/** Types of all columns, by table and column, sorted by name. */
export async function columnsOfPostgres(db: Db | Tx): Promise<Map<string, Map<string, string>>> {
  const { rows } = await sql<{ table_name: string; column_name: string; udt_name: string }>`
    select table_name, column_name, udt_name from information_schema.columns
    where table_schema = current_schema() order by column_name collate "C"`.execute(db);
  const tables = new Map<string, Map<string, string>>();
  for (const { table_name, column_name, udt_name } of rows)
    tables.set(table_name, (tables.get(table_name) ?? new Map()).set(column_name, udt_name));
  return tables;
}

/** Sequences ignore transactions, so this is at least the largest stored id. */
async function lastIdOfPostgres(
  db: Db | Tx,
  table: string,
  hasId: boolean,
): Promise<number | null> {
  if (!hasId) return null;
  const { rows } = await sql<{
    name: string | null;
  }>`select pg_get_serial_sequence(quote_ident(${table}), 'id') as name`.execute(db);
  const name = rows[0]?.name;
  if (!name) return null;
  const last = await sql<{
    last: number;
  }>`select case when is_called then last_value else 0 end as last from ${sql.raw(name)}`.execute(
    db,
  );
  return last.rows[0]?.last ?? 0;
}

/** Rows of PostgreSQL in a batch. */
const MAX_FETCH_ROWS = 2_000;

async function* rowsOfPostgres(tx: Tx, { name, columns }: SourceTable): AsyncGenerator<Row[]> {
  await sql`declare archived no scroll cursor for select ${sql.join(columns.map((each) => sql.ref(each)))} from ${sql.table(name)}`.execute(
    tx,
  );
  // Starts small: the size of the rows is not known yet.
  for (let most = 8; ; ) {
    const { rows } = await sql<
      Record<string, Row[number]>
    >`fetch ${sql.raw(String(most))} from archived`.execute(tx);
    if (rows.length === 0) break;
    const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
    yield cells;
    const weight = cells.reduce((sum, row) => sum + sizeOfRow(row), 0);
    most = Math.max(
      1,
      Math.min(most * 4, MAX_FETCH_ROWS, Math.floor((MAX_BATCH_CHARACTERS / weight) * rows.length)),
    );
  }
  await sql`close archived`.execute(tx);
}
