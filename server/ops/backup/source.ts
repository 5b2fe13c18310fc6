import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { StartError } from '../../db/failures.ts';
import { doneMigrations, refuseUnknown } from '../../db/migrate.ts';
import type { Db, OpenDatabase, Tx } from '../../db/open.ts';
import type { Row } from './format.ts';
import { TABLES } from './tables.ts';

export interface SourceTable {
  name: string;
  rows: number;
  /** In the order of their names: both kinds of database have the same. */
  columns: readonly string[];
}

/** A database as it was at one moment, however much is written meanwhile. */
export interface Source {
  schema: readonly string[];
  tables: readonly SourceTable[];
  sequences: Readonly<Record<string, number>>;
  /** All of a table, some rows at a time: some megabytes at most, unless one row is larger. */
  rows: (table: SourceTable) => AsyncIterable<readonly Row[]>;
}

type Opened = Pick<OpenDatabase, 'db' | 'dialect' | 'file' | 'withoutTimeouts'>;

/**
 * Reads a database in one transaction over a connection of its own, so that nobody waits for it.
 * @throws StartError where it was never filled, or is newer than this program
 */
export async function withSource<T>(opened: Opened, work: (source: Source) => Promise<T>): Promise<T> {
  const schema = await doneMigrations(opened.db, opened.dialect);
  if (schema.length === 0) throw new StartError('There is nothing to back up: this database is empty.');
  await refuseUnknown(schema);
  return opened.file === null ? fromPostgres(opened, work) : fromSqlite(opened.file, work);
}

/** Rows of SQLite that are handed on at once. */
const ROWS_AT_ONCE = 500;
/** How long it waits for another connection's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

async function fromSqlite<T>(file: string, work: (source: Source) => Promise<T>): Promise<T> {
  const sqlite = new BetterSqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.exec('begin');
    const all = (text: string): unknown[][] => sqlite.prepare<[], unknown[]>(text).raw(true).all();
    // The first look is the moment that all others see: the migrations, too, are of it.
    const schema = all('select name from kysely_migration order by name').map(([name]) => String(name));
    const names = new Set(all("select name from sqlite_schema where type = 'table'").map(([name]) => name));
    const tables = TABLES.filter((name) => names.has(name)).map((name) => ({
      name,
      rows: Number(sqlite.prepare(`select count(*) from "${name}"`).pluck().get()),
      columns: all(`select name from pragma_table_info('${name}') order by name`).map(([column]) => String(column)),
    }));
    const known = new Set(TABLES);
    const sequences = Object.fromEntries(
      all('select name, seq from sqlite_sequence').flatMap(([name, seq]) => (known.has(String(name)) ? [[name, seq]] : [])),
    );
    return await work({ schema, tables, sequences, rows: (table) => rowsOfSqlite(sqlite, table) });
  } finally {
    sqlite.close();
  }
}

async function* rowsOfSqlite(sqlite: BetterSqlite.Database, { name, columns }: SourceTable): AsyncGenerator<Row[]> {
  const statement = sqlite.prepare<[], Row[number][]>(`select ${columns.map(quoted).join(', ')} from "${name}"`).raw(true);
  let rows: Row[] = [];
  let weight = 0;
  for (const row of statement.iterate()) {
    rows.push(row);
    weight += weightOf(row);
    if (rows.length < ROWS_AT_ONCE && weight < WEIGHT_AT_ONCE) continue;
    yield rows;
    rows = [];
    weight = 0;
  }
  yield rows;
}

const quoted = (name: string): string => `"${name}"`;
/** Characters or bytes of text and pictures that are handed on at once. */
const WEIGHT_AT_ONCE = 1_000_000;
const weightOf = (row: Row): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' || Buffer.isBuffer(cell) ? cell.length : 8), 0);

const fromPostgres = <T>({ withoutTimeouts }: Opened, work: (source: Source) => Promise<T>): Promise<T> =>
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
        for (const name of TABLES) {
          const own = columns.get(name);
          if (!own) continue;
          const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(tx);
          tables.push({ name, rows: rows[0]?.n ?? 0, columns: [...own.keys()] });
          const last = await lastIdOfPostgres(tx, name, own.has('id'));
          if (last !== null) sequences[name] = last;
        }
        return work({ schema, tables, sequences, rows: (table) => rowsOfPostgres(tx, table) });
      }),
  );

/** Types of all columns, by table and by column, in the order of their names. */
export async function columnsOfPostgres(db: Db | Tx): Promise<Map<string, Map<string, string>>> {
  const { rows } = await sql<{ table_name: string; column_name: string; udt_name: string }>`
    select table_name, column_name, udt_name from information_schema.columns
    where table_schema = current_schema() order by column_name collate "C"`.execute(db);
  const tables = new Map<string, Map<string, string>>();
  for (const { table_name, column_name, udt_name } of rows)
    tables.set(table_name, (tables.get(table_name) ?? new Map()).set(column_name, udt_name));
  return tables;
}

/** Sequences are of no transaction: what they say is never less than what is stored. */
async function lastIdOfPostgres(db: Db | Tx, table: string, hasId: boolean): Promise<number | null> {
  if (!hasId) return null;
  const { rows } = await sql<{ name: string | null }>`select pg_get_serial_sequence(quote_ident(${table}), 'id') as name`.execute(db);
  const name = rows[0]?.name;
  if (!name) return null;
  const last = await sql<{ last: number }>`select case when is_called then last_value else 0 end as last from ${sql.raw(name)}`.execute(db);
  return last.rows[0]?.last ?? 0;
}

/** Rows that a cursor is asked for at once, at most. */
const FETCH_MOST = 2_000;

async function* rowsOfPostgres(tx: Tx, { name, columns }: SourceTable): AsyncGenerator<Row[]> {
  await sql`declare archived no scroll cursor for select ${sql.join(columns.map((each) => sql.ref(each)))} from ${sql.table(name)}`.execute(
    tx,
  );
  // Nobody knows how large a row is before the first were seen.
  for (let most = 8; ; ) {
    const { rows } = await sql<Record<string, Row[number]>>`fetch ${sql.raw(String(most))} from archived`.execute(tx);
    if (rows.length === 0) break;
    const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
    yield cells;
    const weight = cells.reduce((sum, row) => sum + weightOf(row), 0);
    most = Math.max(1, Math.min(most * 4, FETCH_MOST, Math.floor((WEIGHT_AT_ONCE / weight) * rows.length)));
  }
  await sql`close archived`.execute(tx);
}
