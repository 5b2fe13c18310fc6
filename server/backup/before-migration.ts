import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { OpenDatabase } from '../db/open.ts';
import { StartError } from '../db/start-error.ts';
import type { Env } from '../env.ts';
import { fileNameAt } from './file-name.ts';
import { backupFolder, keepNewest } from './kept.ts';

interface Before {
  env: Pick<Env, 'DATA_DIR' | 'BACKUPS_KEPT'>;
  log: Logger;
  now: () => Date;
}

/**
 * Keeps a database as it was before a migration.
 * @throws StartError where that fails: what cannot be gone back from is not begun
 */
export async function backUpBefore(database: OpenDatabase, migration: string, { env, log, now }: Before): Promise<void> {
  if (env.BACKUPS_KEPT === 0) return;
  const file = path.join(backupFolder(env), fileNameAt(now(), `before-${migration}`));
  // Of this very second: the start before this one came no further.
  if (existsSync(file)) return;
  try {
    // Nearly every start has nothing to migrate.
    const { writeArchive } = await import('./write-archive.ts');
    await writeArchive(database, file, { now });
    await keepNewest(env, now());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `this version changes the database, and the backup before it failed: ${why}. Mend that, or set BACKUPS_KEPT to 0 to go on without backups.`,
    );
  }
  log.info({ file }, 'a backup was made before the database is changed');
}
