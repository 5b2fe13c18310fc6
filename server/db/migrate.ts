import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import * as initial from './migrations/001-initial.ts';
import * as guildUndoEpoch from './migrations/002-guild-undo-epoch.ts';
import * as namesAddresses from './migrations/003-names-addresses.ts';
import * as keptCounts from './migrations/004-kept-counts.ts';
import * as servedReads from './migrations/005-served-reads.ts';
import * as archive from './migrations/006-archive.ts';
import * as jobs from './migrations/007-jobs.ts';
import * as typedLog from './migrations/008-typed-log.ts';
import * as waits from './migrations/009-waits.ts';
import * as endings from './migrations/010-endings.ts';
import type { Db, OpenDatabase } from './open.ts';
import { StartError } from './start-error.ts';

/** Kysely's own, in which it notes what was done. */
const MIGRATION_TABLE = 'kysely_migration';

/**
 * Brings the schema up to date. Several servers starting at once wait for each other.
 * @throws StartError when the database is newer than this program
 * @throws Error when a migration fails; its changes are rolled back
 */
export async function migrate({ unhurried, dialect }: Pick<OpenDatabase, 'unhurried' | 'dialect'>): Promise<void> {
  const migrations: Record<string, Migration> = {
    '001-initial': { up: (target) => initial.up(target, dialect) },
    '002-guild-undo-epoch': guildUndoEpoch,
    '003-names-addresses': namesAddresses,
    '004-kept-counts': keptCounts,
    '005-served-reads': servedReads,
    '006-archive': archive,
    '007-jobs': { up: (target) => jobs.up(target, dialect) },
    '008-typed-log': { up: (target) => typedLog.up(target, dialect) },
    '009-waits': { up: (target) => waits.up(target, dialect) },
    '010-endings': { up: (target) => endings.up(target, dialect) },
  };
  await unhurried(async (db) => {
    const done = await migrationsOf(db);
    const unknown = done.find((name) => !(name in migrations));
    if (unknown !== undefined) {
      throw new StartError(
        `this database was changed by a newer Claimboard (${unknown}), which this one cannot read. Install that version again, or restore a backup from before.`,
      );
    }
    if (done.length === Object.keys(migrations).length) return;
    const { Migrator } = await import('kysely/migration');
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error instanceof Error ? error : new Error(String(error));
  });
}

/** The names of all that a database went through, by whichever version. */
async function migrationsOf(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
