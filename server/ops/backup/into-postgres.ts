import { sql } from 'kysely';
import type { Logger } from 'pino';
import { StartError } from '../../db/failures.ts';
import type { Tx } from '../../db/open.ts';
import { openPostgres } from '../../db/postgres.ts';
import type { Row } from './format.ts';
import { columnsOfPostgres } from './source.ts';
import { FILLED_BY_MIGRATIONS } from './tables.ts';
import { archived, notEmpty, ours, type Target } from './target.ts';

/** One transaction, the schema among it. */
export async function intoPostgres(url: string, log: Logger, work: (target: Target) => Promise<void>): Promise<void> {
  const opened = await openPostgres(url, log);
  try {
    await opened.withoutTimeouts((db) =>
      db.transaction().execute(async (tx) => {
        await dropEmpty(tx);
        await work(targetOf(tx));
      }),
    );
  } finally {
    await opened.close();
  }
}

const isMigrations = (name: string): boolean => name.startsWith('kysely_migration');

/** An archive is loaded into tables of its own version: those that are there go, once nothing is in them. */
async function dropEmpty(tx: Tx): Promise<void> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(tx);
  const names = rows.map(({ name }) => name);
  const mine = [...ours(names), ...names.filter(isMigrations)];
  // A server that begins just now is waited for, and found.
  if (mine.length > 0) await sql`lock table ${sql.join(mine.map((name) => sql.table(name)))} in access exclusive mode`.execute(tx);
  for (const name of names) {
    if (FILLED_BY_MIGRATIONS.has(name) || isMigrations(name)) continue;
    const found = await sql`select 1 from ${sql.table(name)} limit 1`.execute(tx);
    if (found.rows.length > 0) throw notEmpty('The database', name);
  }
  if (mine.length > 0) await sql`drop table ${sql.join(mine.map((name) => sql.table(name)))}`.execute(tx);
}

function targetOf(tx: Tx): Target {
  let types: Awaited<ReturnType<typeof columnsOfPostgres>> = new Map();
  let references: { table: string; name: string; definition: string }[] = [];
  return {
    db: tx,
    dialect: 'postgres',
    columns: async () => {
      types = await columnsOfPostgres(tx);
      return new Map(archived(types.keys()).map((name) => [name, [...(types.get(name)?.keys() ?? [])]]));
    },
    begin: async (made) => {
      for (const name of made) await sql`delete from ${sql.table(name)}`.execute(tx);
      const found = await sql<(typeof references)[number]>`
        select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
          and conrelid::regclass::text in (${sql.join(ours(types.keys()))})`.execute(tx);
      references = found.rows;
      for (const { table, name } of references) await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx);
    },
    insert: (table, columns, rows) =>
      insert(
        tx,
        table,
        columns.map((name) => ({ name, type: types.get(table)?.get(name) ?? 'text' })),
        rows,
      ),
    goOnAfter: async (table, id) => {
      if (id === 0) return;
      await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), 'id'),
        greatest(${id}::bigint, (select coalesce(max(id), 1) from ${sql.table(table)})))`.execute(tx);
    },
    end: async () => {
      for (const { table, name, definition } of references)
        await refused(table, sql.raw(`alter table ${table} add constraint ${name} ${definition}`).execute(tx));
    },
  };
}

/** Rows that one statement takes: a statement has no limit then, whatever a table's columns are. */
const ROWS_AT_ONCE = 2_000;

async function insert(tx: Tx, table: string, columns: readonly { name: string; type: string }[], rows: readonly Row[]): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const lists = columns.map(({ type }, nth) => sql`${some.map((row) => row[nth] ?? null)}::${sql.raw(type)}[]`);
    await refused(table, sql`insert into ${sql.table(table)} (${names}) select * from unnest(${sql.join(lists)})`.execute(tx));
  }
}

async function refused(table: string, asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(`The archive cannot be restored: a row of ${table} is not taken (${why}).`);
  }
}
