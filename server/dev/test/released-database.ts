import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Db, Dialect } from '../../db/database.ts';
import { migrateTo } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import type { Cell, Released } from '../../db/released/format.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import { freshDatabase, type TestDatabase } from './databases.ts';

const bytesOf = (cell: Cell): Buffer | string | number | null =>
  typeof cell === 'object' && cell !== null ? Buffer.from(cell.base64, 'base64') : cell;

/** A database as that program left it; gone when the test has finished. */
export async function loaded(dialect: Dialect, released: Released): Promise<TestDatabase> {
  const on = await freshDatabase(dialect);
  onTestFinished(on.drop);
  if (dialect === 'sqlite') intoFile(path.join(on.settings.DATA_DIR, DATABASE_FILE), released);
  else await intoPostgres(on, released);
  return on;
}

/** With the schema that it had, to the letter. */
function intoFile(file: string, released: Released): void {
  const database = new BetterSqlite(file);
  database.pragma('synchronous = OFF');
  fill(database, released);
  database.close();
}

export function fill(
  database: BetterSqlite.Database,
  { migrations, given_out, schema, tables }: Released,
): void {
  database.pragma('foreign_keys = OFF');
  database.exec('begin');
  for (const each of schema) database.exec(each);
  for (const { name, columns, rows } of tables) {
    const insert = database.prepare(
      `insert into "${name}" (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows) insert.run(row.map(bytesOf));
  }
  for (const [name, last] of Object.entries(given_out)) {
    database.prepare('delete from sqlite_sequence where name = ?').run(name);
    database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last);
  }
  database.exec(`create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
    create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0);
    insert into kysely_migration_lock values ('migration_lock', 0)`);
  const went = database.prepare(
    "insert into kysely_migration values (?, '2026-11-18T17:30:00.000Z')",
  );
  for (const name of migrations) went.run(name);
  database.exec('commit');
  database.pragma('foreign_keys = ON');
}

/** With the schema that its migrations make; a file's rows are the same in both. */
async function intoPostgres(
  on: TestDatabase,
  { migrations, given_out, tables }: Released,
): Promise<void> {
  const { writer, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
  await sql`drop schema public cascade; create schema public`.execute(writer);
  await migrateTo(writer, 'postgres', { name: migrations.at(-1) });
  await writer.transaction().execute(async (tx) => {
    // Rows that refer to each other are in any order.
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const { name, columns, rows } of tables) {
      await sql`delete from ${sql.table(name)}`.execute(tx);
      if (rows.length === 0) continue;
      const into = columns.map((column) => sql.ref(column));
      const values = rows.map((row) => sql`(${sql.join(row.map(bytesOf))})`);
      await sql`insert into ${sql.table(name)} (${sql.join(into)}) values ${sql.join(values)}`.execute(
        tx,
      );
    }
    for (const [name, last] of Object.entries(given_out))
      await sql`select setval(${`${name}_id_seq`}, ${last})`.execute(tx);
  });
  await close();
}

/** The columns, constraints and indexes of PostgreSQL, a line each. */
export async function schemaOfPostgres(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', table_name, column_name, udt_name, is_nullable, column_default) as line
      from information_schema.columns where table_schema = current_schema()
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
    union all select indexdef from pg_indexes where schemaname = current_schema()`.execute(db);
  return rows
    .map(({ line }) => line)
    .filter((line) => !line.includes('kysely_'))
    .sort();
}

/** Rows with dangling references, by table and column; an intact database has none. */
export async function orphans(db: Db, dialect: Dialect): Promise<unknown[]> {
  if (dialect === 'sqlite')
    return (await sql`select * from pragma_foreign_key_check`.execute(db)).rows;
  const { rows } = await sql<{ child: string; column: string; parent: string; key: string }>`
    select c.conrelid::regclass::text as child, a.attname as column, c.confrelid::regclass::text as parent, b.attname as key
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
    where c.contype = 'f'
  `.execute(db);
  const found: unknown[] = [];
  for (const { child, column, parent, key } of rows) {
    const of = sql.ref(`child.${column}`);
    const to = sql.ref(`parent.${key}`);
    const lost = await sql<object>`
      select ${of} as lost from ${sql.table(child)} as child left join ${sql.table(parent)} as parent on ${to} = ${of}
      where ${of} is not null and ${to} is null
    `.execute(db);
    found.push(...lost.rows.map((row) => ({ child, column, parent, ...row })));
  }
  return found;
}
