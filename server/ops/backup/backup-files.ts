import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { anyOtherServer } from '../../db/clock/peers.ts';
import type { Db, Tx } from '../../db/database.ts';
import { inTime } from '../../db/promises.ts';
import type { Env } from '../../env.ts';
import type { Metrics } from '../../http/metrics.ts';
import { serverName } from '../runs.ts';
import { type BackupRecord, successfulBackups } from './records.ts';

/** Automatic, requested by an owner, or before a migration. Manual backups have none. */
export type Occasion = 'timed' | 'asked' | `before-${string}`;

const NAME =
  /^claimboard-(\d{4}-\d{2}-\d{2})-(\d{2})(\d{2})(\d{2})(?:-(timed|asked|before-[\w-]+))?\.jsonl\.gz$/;

/** Names sort by time. */
export function fileNameAt(at: Date, occasion?: Occasion): string {
  const [date = '', time = ''] = at.toISOString().split('T');
  return `claimboard-${date}-${time.slice(0, 8).replaceAll(':', '')}${occasion ? `-${occasion}` : ''}.jsonl.gz`;
}

export interface Named {
  at: Date;
  occasion: 'timed' | 'asked' | 'before' | null;
  migration: string | null;
}

/** @returns null for a file that is not ours */
export function readFileName(name: string): Named | null {
  const [, date, hour, minute, second, occasion] = NAME.exec(name) ?? [];
  if (date === undefined) return null;
  const at = new Date(`${date}T${hour}:${minute}:${second}.000Z`);
  if (occasion === undefined) return { at, occasion: null, migration: null };
  if (occasion === 'timed' || occasion === 'asked') return { at, occasion, migration: null };
  return { at, occasion: 'before', migration: occasion.slice('before-'.length) };
}

/** Suffix of an unfinished file. */
export const PART = '.part';

const DAY_MS = 86_400_000;
/** Days of which one backup each is kept, today included. */
const DAYS_KEPT = 7;
const OCCASIONS = ['timed', 'asked', 'before'] as const;

export interface BackupFile extends Pick<Named, 'at' | 'occasion'> {
  name: string;
}

interface Rotation {
  now: Date;
  /** Keep this many of each occasion (BACKUPS_KEPT). */
  kept: number;
  /** The new backup: always kept. */
  made: string;
}

/**
 * The backups that rotation deletes: all but the newest of each occasion and the newest of each of the last seven days. Manual
 * backups are never deleted. Files from the future, which a clock that ran ahead made, are rotated separately: they must not
 * push out today's.
 */
export function filesToDelete(
  files: readonly BackupFile[],
  { now, kept, made }: Rotation,
): string[] {
  const ours = files
    .filter(({ occasion }) => occasion !== null)
    .sort((a, b) => b.at.getTime() - a.at.getTime());
  const isFuture = ({ at }: BackupFile): boolean => at > now;
  const future = ours.filter(isFuture);
  const past = ours.filter((file) => !isFuture(file));
  const keep = new Set([
    made,
    ...newest(past, now, kept),
    ...newest(future, future[0]?.at ?? now, kept),
  ]);
  return ours.flatMap(({ name }) => (keep.has(name) ? [] : [name]));
}

/** @param files the newest first */
function newest(files: readonly BackupFile[], until: Date, kept: number): string[] {
  const ofOccasions = OCCASIONS.flatMap((occasion) =>
    // The last requested one stays even if no automatic backups are kept.
    files
      .filter((file) => file.occasion === occasion)
      .slice(0, Math.max(kept, occasion === 'asked' ? 1 : 0)),
  );
  const today = dayOf(until);
  const days = Map.groupBy(files, ({ at }) => dayOf(at));
  const ofDays = [...days].flatMap(([day, [first]]) =>
    kept > 0 && first && day > today - DAYS_KEPT ? [first] : [],
  );
  return [...ofOccasions, ...ofDays].map(({ name }) => name);
}

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

/** Unless a command names another file. */
export const backupFolder = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string =>
  path.resolve(DATA_DIR, 'backups');

/** The process that wrote an unfinished file of this age has died. In milliseconds. */
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
  const deleted = filesToDelete(archivesIn(names), {
    now,
    kept: env.BACKUPS_KEPT,
    made: path.basename(made),
  });
  for (const name of deleted) await rm(path.join(folder, name), { force: true });
  if (deleted.length > 0)
    log.info({ folder, deleted, kept: env.BACKUPS_KEPT }, 'old backups were deleted');
  for (const name of names.filter(
    (each) => each.startsWith('claimboard-') && each.endsWith(PART),
  )) {
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
  const archives = archivesIn(await readdir(folder).catch(() => [])).sort(
    (a, b) => b.at.getTime() - a.at.getTime(),
  );
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

/** @returns null if the file was lost */
async function locate(
  record: BackupRecord,
  { env, db, now }: { env: Pick<Env, 'DATA_DIR'>; db: Db | Tx; now: Date },
): Promise<NewestBackup | null> {
  const { server, folder, file: name } = record;
  const own = backupFolder(env);
  const bytes = record.bytes ?? 0;
  const at = new Date(record.started_at);
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

/** File names have whole seconds. */
const secondOf = (at: string): number => Math.floor(Date.parse(at) / 1_000) * 1_000;

export interface Measuring {
  env: Pick<Env, 'DATA_DIR'>;
  db: Db;
  metrics: Pick<Metrics, 'measure'>;
  now: () => Date;
}

/** Don't hold up /metrics longer than this, in milliseconds. */
const MEASURE_TIMEOUT_MS = 500;

/** The metric has no value without a backup. */
export function measureBackups({ env, db, metrics, now }: Measuring): void {
  const help = 'Age of the newest backup of any server on this database; none: there is none';
  metrics.measure({ name: 'claimboard_backup_age_seconds', help }, async (gauge) => {
    const read = async (): Promise<void> => {
      const newest = await newestBackup({ env, db, now });
      gauge.remove();
      if (newest) gauge.set((now().getTime() - newest.at.getTime()) / 1_000);
    };
    await inTime(MEASURE_TIMEOUT_MS, read()).catch(() => false);
  });
}
