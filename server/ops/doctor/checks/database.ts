import { existsSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { wrongCounts, wrongOccupancy } from '../../../board/claims/consistency.ts';
import type { Tx } from '../../../db/database.ts';
import { isDamage } from '../../../db/errors.ts';
import { findMismatch, newestBackupPath } from '../../../db/file-mark.ts';
import { doneMigrations, MIGRATION_NAMES, refuseUnknown } from '../../../db/migrate.ts';
import { wayBackFrom } from '../../backup/before-migration.ts';
import { type CheckContext, check, type ResultOf } from '../check.ts';

/** For checks that read everything. */
const LONG = { within_s: 240, readsDatabase: true };

export const database = check('database', async (ctx) => {
  const { file, dialect } = ctx;
  const mismatch = file === null ? null : findMismatch(file);
  if (file !== null && mismatch !== null)
    return { finding: mismatch, params: { file, backup: newestBackupPath(path.dirname(file)) } };
  if (file !== null && !existsSync(file))
    return { finding: 'missing', params: { folder: path.dirname(file) } };
  try {
    const done = await ctx.read((tx) => doneMigrations(tx, dialect));
    if (done.length === 0) return { finding: 'empty' };
    const unknown = await newerOf(done, ctx);
    if (unknown !== null) return { finding: 'newer', params: { reason: unknown } };
    const missing = MIGRATION_NAMES.filter((name) => !done.includes(name));
    return missing.length > 0
      ? { finding: 'older', params: { n: missing.length } }
      : { finding: 'ok', params: { kind: KIND[dialect] } };
  } catch (error) {
    if (isDamage(error)) return { finding: 'damaged', params: { file: file ?? '' } };
    return {
      finding: 'away',
      params: { reason: error instanceof Error ? error.message : String(error) },
    };
  }
});

const KIND = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

async function newerOf(done: readonly string[], { env }: CheckContext): Promise<string | null> {
  try {
    await refuseUnknown(done, (unknown) => wayBackFrom(unknown, env));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const occupancy = check(
  'occupancy',
  async (ctx) => {
    const { claims, wrong, first } = await ctx.read(wrongOccupancy, LONG.within_s);
    return first === null
      ? { finding: 'ok', params: { claims } }
      : { finding: 'wrong', params: { n: wrong, ...first } };
  },
  LONG,
);

export const counts = check(
  'counts',
  async (ctx) => {
    const [first, ...others] = await ctx.read(wrongCounts, LONG.within_s);
    if (!first) return { finding: 'ok' };
    const { type, id, kept, counted } = first;
    return {
      finding: 'wrong',
      params: {
        n: others.length + 1,
        of: type,
        id,
        kept: String(kept[0]),
        counted: String(counted[0]),
      },
    };
  },
  LONG,
);

/** Clocks may differ by this many seconds: holds last minutes. */
const MAX_DIFFERENCE_S = 60;

/** Compares the machine's clock with the public address's Date header, the database's clock and the newest stored time. */
export const clock = check('clock', async (ctx) => {
  const off = await aheadOfPublic(ctx);
  if (off !== null && Math.abs(off) >= MAX_DIFFERENCE_S) {
    return {
      finding: off > 0 ? 'ahead' : 'behind',
      params: { seconds: Math.abs(off), url: ctx.env.PUBLIC_URL ?? '' },
    };
  }
  const stored = await storedTimes(ctx).catch(() => null);
  if (stored === null) return { finding: 'ok' };
  const database =
    stored.database === null
      ? 0
      : Math.round((ctx.machineTime().getTime() - stored.database) / 1_000);
  if (Math.abs(database) >= MAX_DIFFERENCE_S)
    return { finding: 'database', params: { seconds: Math.abs(database) } };
  const ahead = Math.round((stored.last - ctx.now().getTime()) / 1_000);
  return ahead >= MAX_DIFFERENCE_S
    ? { finding: 'future', params: { seconds: ahead } }
    : { finding: 'ok' };
});

/** How far this machine is ahead of the public address, in seconds; null if that did not answer. */
async function aheadOfPublic({
  env: { PUBLIC_URL },
  publicConfig,
  machineTime,
}: CheckContext): Promise<number | null> {
  if (!PUBLIC_URL) return null;
  const config = await publicConfig(PUBLIC_URL);
  const date = 'status' in config ? Date.parse(config.headers.date ?? '') : Number.NaN;
  if (!('status' in config) || Number.isNaN(date)) return null;
  const since = Date.now() - config.answered_at;
  // The header was written between request and answer, and has whole seconds.
  return Math.round(
    (machineTime().getTime() - since - (config.answered_at - config.asked_at) / 2 - date - 500) /
      1_000,
  );
}

const storedTimes = ({
  read,
  dialect,
}: CheckContext): Promise<{ last: number; database: number | null }> =>
  read(async (tx) => {
    const last = await tx
      .selectFrom('changes')
      .select('at')
      .orderBy('clock', 'desc')
      .limit(1)
      .executeTakeFirst();
    const { rows } =
      dialect === 'postgres'
        ? await sql<{
            ms: number;
          }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(tx)
        : { rows: [] };
    return { last: Date.parse(last?.at ?? '') || 0, database: rows[0]?.ms ?? null };
  });

const INTEGRITY_WITHIN_S = 300;

/** Damage, and rows that refer to missing rows. */
export const integrity = check(
  'integrity',
  (ctx) => ctx.read(ctx.dialect === 'sqlite' ? checkSqlite : checkPostgres, INTEGRITY_WITHIN_S),
  {
    within_s: INTEGRITY_WITHIN_S,
    readsDatabase: true,
  },
);

async function checkSqlite(tx: Tx): Promise<ResultOf<'integrity'>> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(tx);
  const found = rows[0]?.integrity_check ?? 'ok';
  if (found !== 'ok') return { finding: 'damaged', params: { found } };
  const orphans = await sql<{ table: string; n: number }>`
    select "table", count(*) as n from pragma_foreign_key_check() group by "table" order by n desc`.execute(
    tx,
  );
  const [first] = orphans.rows;
  return first ? { finding: 'orphans', params: first } : { finding: 'ok' };
}

/** PostgreSQL checks its own pages: this reads its counters, finds invalid indexes, and rows that refer to missing rows. */
async function checkPostgres(tx: Tx): Promise<ResultOf<'integrity'>> {
  const noted = await sql<{ n: number }>`
    select coalesce(checksum_failures, 0)::int as n from pg_stat_database where datname = current_database()`.execute(
    tx,
  );
  const n = noted.rows[0]?.n ?? 0;
  if (n > 0) return { finding: 'damaged', params: { found: `${n} checksums` } };
  const indexes = await sql<{ index: string }>`
    select c.relname as index from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace s on s.oid = c.relnamespace
    where not i.indisvalid and s.nspname = current_schema() order by 1`.execute(tx);
  const [index] = indexes.rows;
  if (index) return { finding: 'index', params: index };
  for (const { child, column, parent, key } of (await references(tx)).rows) {
    const of = sql.id(child);
    const to = sql.id(parent);
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from ${of} of where of.${sql.id(column)} is not null
      and not exists (select 1 from ${to} "to" where "to".${sql.id(key)} = of.${sql.id(column)})`.execute(
      tx,
    );
    const lost = rows[0]?.n ?? 0;
    if (lost > 0) return { finding: 'orphans', params: { table: child, n: lost } };
  }
  return { finding: 'ok' };
}

/** The foreign keys. */
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
