import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { ServerClock } from '../../db/clock/server-clock.ts';
import type { OpenDatabase } from '../../db/database.ts';
import { StartError } from '../../db/errors.ts';
import type { Env } from '../../env.ts';
import { writeVerifiedArchive } from './archive-writer.ts';
import { backupFolder, fileNameAt, readFileName, rotateBackups } from './backup-files.ts';

interface Before {
  env: Pick<Env, 'DATA_DIR' | 'BACKUPS_KEPT'>;
  log: Logger;
  now: () => Date;
  clock: Pick<ServerClock, 'deletionPaused'>;
}

/** A backup that is recorded after the migration: the table may not exist before. */
export interface UnrecordedBackup {
  file: string;
  bytes: number;
  started_at: Date;
}

/**
 * Backs up a database before a migration.
 * @returns null: automatic backups are off, or it exists
 * @throws StartError if it fails: without a way back the migration must not start
 */
export async function backUpBefore(
  database: OpenDatabase,
  migration: string,
  { env, log, now, clock }: Before,
): Promise<UnrecordedBackup | null> {
  if (env.BACKUPS_KEPT === 0) return null;
  const started_at = now();
  const file = path.join(backupFolder(env), fileNameAt(started_at, `before-${migration}`));
  // The start before this one, within the same second.
  if (existsSync(file)) return null;
  try {
    await writeVerifiedArchive(database, file, { now });
    if (!clock.deletionPaused()) await rotateBackups({ env, log, now: now(), made: file });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `this version changes the database, and the backup before it failed: ${why}. Mend that, or set BACKUPS_KEPT to 0 to go on without backups.`,
    );
  }
  log.info({ file }, 'a backup was made before the database is changed');
  return { file, bytes: (await stat(file)).size, started_at };
}

/**
 * How to return from a migration that this program does not know: the newest backup before it, or before an earlier one, is
 * readable by this program. '' if this server has none.
 */
export async function wayBackFrom(unknown: string, env: Pick<Env, 'DATA_DIR'>): Promise<string> {
  const folder = backupFolder(env);
  const names = await readdir(folder).catch(() => []);
  const [newest] = names
    .flatMap((name) => {
      const read = readFileName(name);
      return read?.migration && read.migration <= unknown ? [{ name, at: read.at }] : [];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());
  if (!newest) return '';
  const made = `${newest.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `restore the backup made at ${made} into a new DATA_DIR or database: npm run restore -- ${path.join(folder, newest.name)}`;
}
