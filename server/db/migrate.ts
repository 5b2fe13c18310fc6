import { type Migration, Migrator } from 'kysely/migration';
import * as initial from './migrations/001-initial.ts';
import * as guildUndoEpoch from './migrations/002-guild-undo-epoch.ts';
import type { OpenDatabase } from './open.ts';

/**
 * Brings the schema up to date. Several servers starting at once wait for each other.
 * @throws Error when a migration fails; its changes are rolled back
 */
export async function migrate({ db, dialect }: Pick<OpenDatabase, 'db' | 'dialect'>): Promise<void> {
  const migrations: Record<string, Migration> = {
    '001-initial': { up: (target) => initial.up(target, dialect) },
    '002-guild-undo-epoch': guildUndoEpoch,
  };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error(String(error));
}
