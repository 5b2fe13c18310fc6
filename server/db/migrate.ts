import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Db, Dialect, OpenDatabase } from './open.ts';
import { countLost, LostRows, withoutReferences } from './references.ts';
import { StartError } from './start-error.ts';

/** Kysely's own, in which it notes what was done. */
export const MIGRATION_TABLE = 'kysely_migration';

type Up = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;
export type Migrations = Readonly<Record<string, () => Promise<{ up: Up }>>>;

/** In their order. Loaded where one is missing: of a thousand starts, one. */
export const MIGRATIONS: Migrations = {
  '001-initial': () => import('./migrations/001-initial.ts'),
  '002-guild-undo-epoch': () => import('./migrations/002-guild-undo-epoch.ts'),
  '003-names-addresses': () => import('./migrations/003-names-addresses.ts'),
  '004-kept-counts': () => import('./migrations/004-kept-counts.ts'),
  '005-served-reads': () => import('./migrations/005-served-reads.ts'),
  '006-archive': () => import('./migrations/006-archive.ts'),
  '007-jobs': () => import('./migrations/007-jobs.ts'),
  '008-typed-log': () => import('./migrations/008-typed-log.ts'),
  '009-waits': () => import('./migrations/009-waits.ts'),
  '010-endings': () => import('./migrations/010-endings.ts'),
  '011-outbox': () => import('./migrations/011-outbox.ts'),
  '012-push': () => import('./migrations/012-push.ts'),
  '013-calendar': () => import('./migrations/013-calendar.ts'),
  '014-wait-ends': () => import('./migrations/014-wait-ends.ts'),
  '015-undo-records': () => import('./migrations/015-undo-records.ts'),
  '016-roles': () => import('./migrations/016-roles.ts'),
  '017-event-templates': () => import('./migrations/017-event-templates.ts'),
  '018-quiet-hours': () => import('./migrations/018-quiet-hours.ts'),
  '019-late-news': () => import('./migrations/019-late-news.ts'),
  '020-heartbeats-and-servers': () => import('./migrations/020-heartbeats-and-servers.ts'),
  '021-operation-records': () => import('./migrations/021-operation-records.ts'),
  '022-sign-in-guards': () => import('./migrations/022-sign-in-guards.ts'),
  '023-waitlist-bulk-news': () => import('./migrations/023-waitlist-bulk-news.ts'),
};

/** In their order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/** What it takes beside the database to change it. */
export interface Steps {
  /** Done before one that holds something is changed; told the first migration. */
  before?: (migration: string) => Promise<void>;
  /** What this program can go back to from a migration that it does not know: a sentence, or ''. */
  wayBack?: (unknown: string) => Promise<string>;
}

const OTHERWISE = 'restore a backup from before.';

/** What the operator is told of a migration that this program does not know. */
export const changedByNewer = (migration: string): string =>
  `this database was changed by a newer Claimboard (${migration}), which this one cannot read.`;

/** @throws StartError where a database went through what this program does not know */
export async function refuseNewer(done: readonly string[], wayBack: Steps['wayBack'] = async () => ''): Promise<void> {
  const unknown = done.find((name) => !(name in MIGRATIONS));
  if (unknown === undefined) return;
  throw new StartError(`${changedByNewer(unknown)} Install that version again, or ${(await wayBack(unknown)) || OTHERWISE}`);
}

/**
 * Brings the schema up to date. Several servers starting at once wait for each other.
 * @throws StartError when the database is newer than this program
 * @throws Error when a migration fails; its changes are rolled back
 */
export async function migrate(
  { db, unhurried, dialect }: Pick<OpenDatabase, 'db' | 'unhurried' | 'dialect'>,
  { before = async () => {}, wayBack }: Steps = {},
): Promise<void> {
  const done = await doneMigrations(db, dialect);
  await refuseNewer(done, wayBack);
  const next = MIGRATION_NAMES.find((name) => !done.includes(name));
  // As at most starts: for these PostgreSQL need not open one more connection.
  if (next === undefined) return;
  if (done.length > 0) await before(next);
  await unhurried((patient) => migrateTo(patient, dialect));
}

/**
 * Goes on up to one migration, or to the last: all the way, or nowhere.
 * @throws Error when one fails, or leaves rows that point to nothing
 */
export async function migrateTo(
  db: Db,
  dialect: Dialect,
  name = MIGRATION_NAMES.at(-1) ?? '',
  migrations: Migrations = MIGRATIONS,
): Promise<void> {
  await withoutReferences(db, dialect, async () => {
    try {
      await goTo(db, dialect, { name, migrations, lost: 0 });
    } catch (error) {
      if (!(error instanceof LostRows)) throw error;
      // Somebody may have lost them before, which is no reason never to go on.
      const lost = await countLost(db, dialect);
      if (lost === 0) throw error;
      await goTo(db, dialect, { name, migrations, lost });
    }
  });
}

interface Way {
  name: string;
  migrations: Migrations;
  /** Rows that point to nothing already. */
  lost: number;
}

async function goTo(db: Db, dialect: Dialect, { name, migrations, lost }: Way): Promise<void> {
  const { Migrator } = await import('kysely/migration');
  const loaded: Record<string, Migration> = {};
  for (const [each, load] of Object.entries(migrations)) {
    const { up } = await load();
    loaded[each] = {
      up: async (tx) => {
        await up(tx, dialect);
        if (each !== name) return;
        const now = await countLost(tx, dialect);
        if (now > lost) throw new LostRows(`${now - lost} rows would point to nothing after the migrations up to ${name}`);
      },
    };
  }
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => loaded } }).migrateTo(name);
  if (error) throw error instanceof Error ? error : new Error(String(error));
}

/** The names of all that a database went through, by whichever version. */
export async function doneMigrations(db: Db, dialect: Dialect): Promise<string[]> {
  if (!(await hasBegun(db, dialect))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Kysely's own look at what tables there are reads all columns of all of them, which PostgreSQL takes longer for than for all else of a start. */
async function hasBegun(db: Db, dialect: Dialect): Promise<boolean> {
  const found =
    dialect === 'postgres'
      ? sql<{ n: number }>`select count(to_regclass(${MIGRATION_TABLE})) as n`
      : sql<{ n: number }>`select count(*) as n from sqlite_master where type = 'table' and name = ${MIGRATION_TABLE}`;
  const { rows } = await found.execute(db);
  return rows[0]?.n === 1;
}
