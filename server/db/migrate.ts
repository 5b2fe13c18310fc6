import { type QueryExecutorProvider, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { DomainError } from '../../shared/errors.ts';
import type { Db, Dialect, OpenDatabase } from './database.ts';
import { StartError } from './errors.ts';
import { LAST_STEP, LAST_WITH_STEPS, MIGRATIONS, type Migrations } from './migrations/list.ts';

/** Kysely's own table of the migrations that a database went through. */
const MIGRATION_TABLE = 'kysely_migration';
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

export interface MigrateOptions {
  /** Called before a database with data is changed, with the name of the first migration. */
  before?: (migration: string) => Promise<void>;
  /** How to go back from a migration that this program does not know: a sentence, or ''. */
  wayBack?: (unknown: string) => Promise<string>;
}

/** The sentence for the operator about a migration that this program does not know. */
export const changedByNewer = (migration: string): string =>
  `this database was changed by a newer Claimboard (${migration}), which this one cannot read.`;

/** Whether a database with these migrations, or an archive of it, is from before this program's first migration was complete. */
export const isTooOld = (done: readonly string[]): boolean =>
  done.length > 0 && !done.includes(LAST_STEP);

/** @throws StartError if this program does not know the schema that these migrations lead to */
export async function refuseUnknown(
  done: readonly string[],
  wayBack: MigrateOptions['wayBack'] = async () => '',
): Promise<void> {
  if (isTooOld(done))
    throw new StartError(
      `this database is from an early development version. Start the version of commit ${LAST_WITH_STEPS} once, which updates it, then this one.`,
    );
  const unknown = done.find((name) => !MIGRATION_NAMES.includes(name));
  if (unknown === undefined) return;
  const otherwise = 'restore a backup from before.';
  throw new StartError(
    `${changedByNewer(unknown)} Install that version again, or ${(await wayBack(unknown)) || otherwise}`,
  );
}

/**
 * Brings the schema up to date. Several servers that start at once wait for each other.
 * @throws StartError if the database is newer than this program, or too old
 * @throws Error if a migration fails; its changes are rolled back
 */
export async function migrate(
  { db, withoutTimeouts, dialect }: Pick<OpenDatabase, 'db' | 'withoutTimeouts' | 'dialect'>,
  { before = async () => {}, wayBack }: MigrateOptions = {},
): Promise<void> {
  const done = await doneMigrations(db, dialect);
  await refuseUnknown(done, wayBack);
  const next = MIGRATION_NAMES.find((name) => !done.includes(name));
  // Usually none: then PostgreSQL need not open another connection.
  if (next === undefined) return;
  if (done.length > 0) await before(next);
  await withoutTimeouts((patient) => migrateTo(patient, dialect));
}

/**
 * For commands beside a server, which migrate nothing.
 * @throws StartError if a server has to bring the schema up to date first, or if the database is newer than this program or too old
 */
export async function refuseOutdated(db: Db, dialect: Dialect): Promise<void> {
  const done = await doneMigrations(db, dialect);
  await refuseUnknown(done);
  // Without any, the database is empty, and each command says what that means for it.
  if (done.length > 0 && MIGRATION_NAMES.some((name) => !done.includes(name)))
    throw new StartError(
      'an older Claimboard made this database. Start Claimboard once; it brings the database up to date.',
    );
}

/**
 * Migrates up to one migration, or to the last: all the way, or not at all.
 * @throws Error if one fails, or leaves rows whose references point nowhere
 */
export async function migrateTo(
  db: Db,
  dialect: Dialect,
  {
    name = MIGRATION_NAMES.at(-1) ?? '',
    migrations = MIGRATIONS,
  }: { name?: string | undefined; migrations?: Migrations } = {},
): Promise<void> {
  await oneServerAtATime(db, dialect, (own) =>
    withoutReferences(own, dialect, async () => {
      try {
        await runMigrations(own, dialect, { name, migrations, lost: 0 });
      } catch (error) {
        if (!(error instanceof LostRows)) throw error;
        // Rows that were lost before must not block every later version.
        const lost = await countLost(own, dialect);
        if (lost === 0) throw error;
        await runMigrations(own, dialect, { name, migrations, lost });
      }
    }),
  );
}

/** Any number, the same in all servers. */
const MIGRATION_LOCK = 20_261_125;

/** Kysely takes its own lock only after it has read PostgreSQL's catalog, which fails while another server renames a column. */
async function oneServerAtATime(
  db: Db,
  dialect: Dialect,
  work: (own: Db) => Promise<void>,
): Promise<void> {
  // A restore migrates in its own transaction, into a database that no server uses yet.
  if (dialect === 'sqlite' || db.isTransaction) return work(db);
  await db.connection().execute(async (own) => {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(own);
    try {
      await work(own);
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(own);
    }
  });
}

interface Target {
  name: string;
  migrations: Migrations;
  /** Rows whose references point nowhere already. */
  lost: number;
}

async function runMigrations(
  db: Db,
  dialect: Dialect,
  { name, migrations, lost }: Target,
): Promise<void> {
  const checked: Record<string, Migration> = {};
  for (const [each, { up }] of Object.entries(migrations)) {
    checked[each] = {
      up: async (tx) => {
        await up(tx, dialect);
        if (each !== name) return;
        const now = await countLost(tx, dialect);
        if (now > lost)
          throw new LostRows(
            `${now - lost} rows would point to nothing after the migrations up to ${name}`,
          );
      },
    };
  }
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => checked },
  }).migrateTo(name);
  if (error) throw error instanceof Error ? error : new Error(String(error));
}

/** The migrations that a database went through. */
export async function doneMigrations(db: Db, dialect: Dialect): Promise<string[]> {
  if (!(await hasMigrations(db, dialect))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Kysely's own introspection reads all columns of all tables, which takes PostgreSQL longer than the rest of a start. */
async function hasMigrations(db: Db, dialect: Dialect): Promise<boolean> {
  const found =
    dialect === 'postgres'
      ? sql<{ n: number }>`select count(to_regclass(${MIGRATION_TABLE})) as n`
      : sql<{
          n: number;
        }>`select count(*) as n from sqlite_master where type = 'table' and name = ${MIGRATION_TABLE}`;
  const { rows } = await found.execute(db);
  return rows[0]?.n === 1;
}

/** Rows point to rows that are not there. */
class LostRows extends Error {
  override name = 'LostRows';
}

/**
 * SQLite changes a table by creating another and dropping it, and the drop deletes referencing rows. So foreign keys are off
 * while the schema changes. The pragma has no effect inside a transaction.
 */
async function withoutReferences<T>(
  db: QueryExecutorProvider,
  dialect: Dialect,
  work: () => Promise<T>,
): Promise<T> {
  if (dialect === 'postgres') return work();
  const { rows } = await sql<{ foreign_keys: number }>`pragma foreign_keys`.execute(db);
  await sql`pragma foreign_keys = off`.execute(db);
  try {
    return await work();
  } finally {
    if (rows[0]?.foreign_keys === 1) await sql`pragma foreign_keys = on`.execute(db);
  }
}

/** How many rows point to rows that are not there; PostgreSQL lets none. */
async function countLost(db: QueryExecutorProvider, dialect: Dialect): Promise<number> {
  if (dialect === 'postgres') return 0;
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from pragma_foreign_key_check`.execute(db);
  return rows[0]?.n ?? 0;
}

const KNOWN: ReadonlySet<string> = new Set(MIGRATION_NAMES);

/** The newest migration that a database went through, as part of another statement: each write asks for it. */
export const newestMigration = sql<
  string | null
>`(select max(name) from ${sql.table(MIGRATION_TABLE)})`;

/** @throws DomainError server.outdated where a newer program migrated the database: what this one would write no longer fits */
export function assertKnown(migration: string | null): void {
  if (migration !== null && !KNOWN.has(migration)) throw new DomainError('server.outdated');
}

/** @returns the migration of a newer program that the database went through while this one runs; null: none */
export async function newerMigration(db: Db): Promise<string | null> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATION_TABLE)} order by name desc`.execute(db);
  return rows.find(({ name }) => !KNOWN.has(name))?.name ?? null;
}
