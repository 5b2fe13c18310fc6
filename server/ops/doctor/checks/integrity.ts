import { sql } from 'kysely';
import type { Tx } from '../../../db/open.ts';
import { check, type Found } from '../finding.ts';

const WITHIN_S = 300;

/** Whether the database itself is whole, and everything that a row names is there. */
export const integrity = check('integrity', (patient) => patient.read(patient.dialect === 'sqlite' ? ofSqlite : ofPostgres, WITHIN_S), {
  within_s: WITHIN_S,
  reads: true,
});

async function ofSqlite(tx: Tx): Promise<Found<'integrity'>> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(tx);
  const said = rows[0]?.integrity_check ?? 'ok';
  if (said !== 'ok') return { finding: 'damaged', params: { found: said } };
  const orphans = await sql<{ table: string; n: number }>`
    select "table", count(*) as n from pragma_foreign_key_check() group by "table" order by n desc`.execute(tx);
  const [first] = orphans.rows;
  return first ? { finding: 'orphans', params: first } : { finding: 'ok' };
}

/** PostgreSQL looks after its own pages; what it noted of them, indexes it gave up, and what rows name. */
async function ofPostgres(tx: Tx): Promise<Found<'integrity'>> {
  const noted = await sql<{ n: number }>`
    select coalesce(checksum_failures, 0)::int as n from pg_stat_database where datname = current_database()`.execute(tx);
  const n = noted.rows[0]?.n ?? 0;
  if (n > 0) return { finding: 'damaged', params: { found: `${n} checksums` } };
  const indexes = await sql<{ index: string }>`
    select c.relname as index from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace s on s.oid = c.relnamespace
    where not i.indisvalid and s.nspname = current_schema() order by 1`.execute(tx);
  const [index] = indexes.rows;
  if (index) return { finding: 'index', params: index };
  for (const { child, column, parent, key } of (await references(tx)).rows) {
    const [of, to] = [sql.id(child), sql.id(parent)];
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${of} of where of.${sql.id(column)} is not null
      and not exists (select 1 from ${to} "to" where "to".${sql.id(key)} = of.${sql.id(column)})`.execute(tx);
    const lost = rows[0]?.n ?? 0;
    if (lost > 0) return { finding: 'orphans', params: { table: child, n: lost } };
  }
  return { finding: 'ok' };
}

/** Which column names rows of which table. */
const references = (tx: Tx) =>
  sql<{ child: string; column: string; parent: string; key: string }>`
    select child.relname as child, own.attname as column, parent.relname as parent, theirs.attname as key
    from pg_constraint c
    join pg_class child on child.oid = c.conrelid
    join pg_class parent on parent.oid = c.confrelid
    join pg_namespace s on s.oid = child.relnamespace
    join pg_attribute own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
    join pg_attribute theirs on theirs.attrelid = c.confrelid and theirs.attnum = c.confkey[1]
    where c.contype = 'f' and array_length(c.conkey, 1) = 1 and s.nspname = current_schema()
    order by 1, 2`.execute(tx);
