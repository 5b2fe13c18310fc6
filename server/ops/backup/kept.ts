import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { anyOtherServer } from '../../db/clock/peers.ts';
import type { Db, Tx } from '../../db/open.ts';
import { inTime } from '../../db/promises.ts';
import type { Env } from '../../env.ts';
import { measure } from '../measure.ts';
import type { Metrics } from '../metrics.ts';
import { PART, readFileName } from './file-name.ts';
import { type BackupRecord, serverName, successfulBackups } from './records.ts';
import { type BackupFile, filesToDelete } from './rotation.ts';

/** Where backups are unless somebody names another file. */
export const backupFolder = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string => path.resolve(DATA_DIR, 'backups');

/** An unfinished file this old, in milliseconds, was left behind by a process that died. */
const STALE_PART_MS = 86_400_000;

interface Rotating {
  env: Pick<Env, 'DATA_DIR' | 'BACKUPS_KEPT'>;
  log: Pick<Logger, 'info'>;
  now: Date;
  /** The file that was just made and read back. */
  made: string;
}

/** Deletes old backups of this server's folder, and says which. @returns the deleted names */
export async function rotateBackups({ env, log, now, made }: Rotating): Promise<string[]> {
  const folder = backupFolder(env);
  const names = await readdir(folder);
  const deleted = filesToDelete(archivesIn(names), { now, kept: env.BACKUPS_KEPT, made: path.basename(made) });
  for (const name of deleted) await rm(path.join(folder, name), { force: true });
  if (deleted.length > 0) log.info({ folder, deleted, kept: env.BACKUPS_KEPT }, 'old backups were deleted');
  for (const name of names.filter((each) => each.startsWith('claimboard-') && each.endsWith(PART))) {
    const part = path.join(folder, name);
    const { mtimeMs } = await stat(part).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > STALE_PART_MS) await rm(part, { force: true });
  }
  return deleted;
}

const archivesIn = (names: readonly string[]): BackupFile[] =>
  names.flatMap((name) => {
    const read = readFileName(name);
    return read ? [{ name, at: read.at, occasion: read.occasion }] : [];
  });

export interface NewestBackup {
  name: string;
  at: Date;
  bytes: number;
  /** The other server that has the file; null: it is in this server's folder. */
  elsewhere: string | null;
}

/** The newest archive in this server's folder. */
async function newestFile(env: Pick<Env, 'DATA_DIR'>): Promise<NewestBackup | null> {
  const folder = backupFolder(env);
  const archives = archivesIn(await readdir(folder).catch(() => [])).sort((a, b) => b.at.getTime() - a.at.getTime());
  for (const { name, at } of archives) {
    // Another process may have deleted it since.
    const found = await stat(path.join(folder, name)).catch(() => null);
    if (found) return { name, at, bytes: found.size, elsewhere: null };
  }
  return null;
}

interface Searching {
  env: Pick<Env, 'DATA_DIR'>;
  /** null: the database cannot be read, so only this server's folder is searched */
  db: Db | Tx | null;
  now: () => Date;
}

/** The newest backup of any server. Records of files that were lost do not count. */
export async function newestBackup({ env, db, now }: Searching): Promise<NewestBackup | null> {
  const file = await newestFile(env);
  if (!db) return file;
  for (const record of await successfulBackups(db)) {
    if (file && file.at.getTime() >= secondOf(record.started_at)) return file;
    const found = await locate(record, { env, db, now: now() });
    if (found) return found;
  }
  return file;
}

/** @returns null where the file was lost */
async function locate(
  record: BackupRecord,
  { env, db, now }: { env: Pick<Env, 'DATA_DIR'>; db: Db | Tx; now: Date },
): Promise<NewestBackup | null> {
  const { server, folder, file: name } = record;
  const [own, bytes, at] = [backupFolder(env), record.bytes ?? 0, new Date(record.started_at)];
  // Another server may have made a different backup in the same second.
  const copy = await stat(path.join(own, name)).catch(() => null);
  if (copy?.size === bytes) return { name, at, bytes, elsewhere: null };
  // Another server on this machine may have made it, or a command.
  if (server === serverName()) {
    const found = await stat(path.join(folder, name)).catch(() => null);
    return found && { name, at, bytes: found.size, elsewhere: server };
  }
  // A container's host name changes when it is recreated: with no other server running, the same folder is this server's.
  if (folder === own && !(await anyOtherServer(db, now))) return null;
  return { name, at, bytes, elsewhere: server };
}

/** File names tell whole seconds. */
const secondOf = (at: string): number => Math.floor(Date.parse(at) / 1_000) * 1_000;

interface Measuring {
  env: Pick<Env, 'DATA_DIR'>;
  db: Db;
  metrics: Pick<Metrics, 'registry'>;
  now: () => Date;
}

/** How long /metrics waits for the database, in milliseconds. */
const MEASURED_WITHIN_MS = 500;

/** Tells at /metrics how old the newest backup of any server is; nothing where there is none. */
export function measureBackups({ env, db, metrics, now }: Measuring): void {
  const help = 'Age of the newest backup of any server on this database; none: there is none';
  measure(metrics, { name: 'claimboard_backup_age_seconds', help }, async (gauge) => {
    const read = async (): Promise<void> => {
      const newest = await newestBackup({ env, db, now });
      gauge.remove();
      if (newest) gauge.set((now().getTime() - newest.at.getTime()) / 1_000);
    };
    await inTime(MEASURED_WITHIN_MS, read()).catch(() => false);
  });
}
