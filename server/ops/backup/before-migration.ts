import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { ServerClock } from '../../db/clock/server-clock.ts';
import { StartError } from '../../db/failures.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { fileNameAt, readFileName } from './file-name.ts';
import { backupFolder, rotateBackups } from './kept.ts';
import { writeVerifiedArchive } from './verified.ts';

interface Before {
  env: Pick<Env, 'DATA_DIR' | 'BACKUPS_KEPT'>;
  log: Logger;
  now: () => Date;
  /** Asked before old backups are deleted. */
  clock: Pick<ServerClock, 'deletionPaused'>;
}

/** A backup whose database could not take its record yet. */
export interface UnrecordedBackup {
  file: string;
  bytes: number;
  started_at: Date;
}

/**
 * Keeps a database as it was before a migration.
 * @returns the backup; null: none was made
 * @throws StartError where that fails: what cannot be gone back from is not begun
 */
export async function backUpBefore(
  database: OpenDatabase,
  migration: string,
  { env, log, now, clock }: Before,
): Promise<UnrecordedBackup | null> {
  if (env.BACKUPS_KEPT === 0) return null;
  const started_at = now();
  const file = path.join(backupFolder(env), fileNameAt(started_at, `before-${migration}`));
  // Of this very second: the start before this one came no further.
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
 * How to go back from a migration that this program does not know: the newest backup that was made before it or an earlier one,
 * which this program can read. '' where this server has none.
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
