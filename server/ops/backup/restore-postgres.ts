import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Tx } from '../../db/database.ts';
import { StartError } from '../../db/errors.ts';
import { openPostgres } from '../../db/postgres.ts';
import { archivedTables, FILLED_BY_MIGRATIONS, ourTables } from './archive-format.ts';
import { columnsOfPostgres } from './archive-writer.ts';
import { notEmpty, type RowsOfTable, type Target } from './restore-target.ts';

/** In one transaction, the schema included. */
export async function restorePostgres(
  url: string,
  log: Logger,
  work: (target: Target) => Promise<void>,
): Promise<void> {
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

/** An archive needs the tables of its own version, so the existing ones are dropped if they are empty. */
async function dropEmpty(tx: Tx): Promise<void> {
  const { rows } = await sql<{
    name: string;
  }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(tx);
  const names = rows.map(({ name }) => name);
  const mine = [...ourTables(names), ...names.filter(isMigrations)];
  // Waits for a server that starts at this moment, and then finds its rows.
  if (mine.length > 0)
    await sql`lock table ${sql.join(mine.map((name) => sql.table(name)))} in access exclusive mode`.execute(
      tx,
    );
  for (const name of names) {
    if (FILLED_BY_MIGRATIONS.has(name) || isMigrations(name)) continue;
    const found = await sql`select 1 from ${sql.table(name)} limit 1`.execute(tx);
    if (found.rows.length > 0) throw notEmpty('The database', name);
  }
  if (mine.length > 0)
    await sql`drop table ${sql.join(mine.map((name) => sql.table(name)))}`.execute(tx);
}

function targetOf(tx: Tx): Target {
  let types: Awaited<ReturnType<typeof columnsOfPostgres>> = new Map();
  let references: { table: string; name: string; definition: string }[] = [];
  return {
    db: tx,
    dialect: 'postgres',
    columns: async () => {
      types = await columnsOfPostgres(tx);
      return new Map(
        archivedTables(types.keys()).map((name) => [name, [...(types.get(name)?.keys() ?? [])]]),
      );
    },
    begin: async (made) => {
      for (const name of made) await sql`delete from ${sql.table(name)}`.execute(tx);
      const found = await sql<(typeof references)[number]>`
        select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
          and conrelid::regclass::text in (${sql.join(ourTables(types.keys()))})`.execute(tx);
      references = found.rows;
      for (const { table, name } of references)
        await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx);
    },
    insert: (some) => insert(tx, types.get(some.table), some),
    continueIdsAfter: async (table, id) => {
      if (id === 0) return;
      await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), 'id'),
        greatest(${id}::bigint, (select coalesce(max(id), 1) from ${sql.table(table)})))`.execute(
        tx,
      );
    },
    end: async () => {
      for (const { table, name, definition } of references)
        await refused(
          table,
          sql.raw(`alter table ${table} add constraint ${name} ${definition}`).execute(tx),
        );
    },
  };
}

/** One array a column keeps a statement below the limit of parameters. */
const ROWS_A_STATEMENT = 2_000;

async function insert(
  tx: Tx,
  types: ReadonlyMap<string, string> | undefined,
  { table, columns, rows }: RowsOfTable,
): Promise<void> {
  const names = sql.join(columns.map((name) => sql.ref(name)));
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const some = rows.slice(from, from + ROWS_A_STATEMENT);
    const lists = columns.map(
      (name, nth) =>
        sql`${some.map((row) => row[nth] ?? null)}::${sql.raw(types?.get(name) ?? 'text')}[]`,
    );
    await refused(
      table,
      sql`insert into ${sql.table(table)} (${names}) select * from unnest(${sql.join(lists)})`.execute(
        tx,
      ),
    );
  }
}

async function refused(table: string, query: Promise<unknown>): Promise<void> {
  try {
    await query;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The archive cannot be restored: a row of ${table} is not taken (${why}).`,
    );
  }
}
