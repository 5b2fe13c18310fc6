import path from 'node:path';
import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { BackupsTable } from '../../db/schema.ts';
import { type BegunRun, beginRun, type RunContext, type RunKind, serverName } from '../runs.ts';

/** Rotation also deletes the records of its files. */
const RECORDS_KEPT = 200;
/** Characters kept of an error. */
const MAX_ERROR = 500;

interface BackupStart {
  occasion: BackupsTable['occasion'];
  file: string;
}

export type BackupRecord = Selectable<BackupsTable>;

const ofFile = (file: string) => ({
  folder: path.dirname(file),
  file: path.basename(file),
});

const BACKUPS: RunKind = {
  table: 'backups',
  kept: RECORDS_KEPT,
  fail: async (tx, ids, { error, ended_at }) => {
    await tx
      .updateTable('backups')
      .set({ error: error.slice(0, MAX_ERROR), ended_at })
      .where('id', 'in', ids)
      .execute();
  },
};

/** Records the start of a backup. @returns null if a requested backup is already running */
export const beginBackup = (
  ctx: RunContext,
  { occasion, file }: BackupStart,
): Promise<BegunRun | null> => beginRun(ctx, BACKUPS, { ...ofFile(file), occasion });

/** Records a finished backup, such as the one before a migration. */
export const addRecord = (
  { writes, now }: RunContext,
  { occasion, file, bytes, started_at }: BackupStart & { bytes: number; started_at: Date },
): Promise<unknown> =>
  writes.transaction((tx) => {
    const row = {
      ...ofFile(file),
      server: serverName(),
      occasion,
      bytes,
      started_at: started_at.toISOString(),
    };
    const at = now().toISOString();
    return tx
      .insertInto('backups')
      .values({ ...row, renewed_at: at, ended_at: at })
      .execute();
  });

/** For files that rotation deleted. */
export const deleteBackupRecords = (
  { writes }: RunContext,
  folder: string,
  files: readonly string[],
): Promise<unknown> =>
  writes.transaction(async (tx) => {
    if (files.length === 0) return;
    await tx
      .deleteFrom('backups')
      .where('server', '=', serverName())
      .where('folder', '=', folder)
      .where('file', 'in', files)
      .execute();
  });

const succeeded = (db: Db | Tx) =>
  db.selectFrom('backups').selectAll().where('ended_at', 'is not', null).where('error', 'is', null);

/** All successful backups, newest first; at most as many as records are kept. */
export const successfulBackups = (db: Db | Tx): Promise<BackupRecord[]> =>
  succeeded(db).orderBy('started_at', 'desc').orderBy('id', 'desc').execute();

/** Start of the last automatic backup of any server. By id, since clocks jump. */
export async function lastTimed(db: Db | Tx): Promise<Date | null> {
  const last = await succeeded(db)
    .where('occasion', '=', 'timed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? new Date(last.started_at) : null;
}

export async function lastRequested(db: Db): Promise<BackupRecord | null> {
  const requested = db
    .selectFrom('backups')
    .selectAll()
    .where('occasion', '=', 'asked')
    .orderBy('id', 'desc');
  return (await requested.limit(1).executeTakeFirst()) ?? null;
}
