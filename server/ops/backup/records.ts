import path from 'node:path';
import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { BackupsTable } from '../../db/schema.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { isAlive, serverName } from '../runs.ts';

/** Rotation also deletes the records of its files. */
const RECORDS_KEPT = 200;
/** Characters kept of an error. */
const MAX_ERROR = 500;

type Recording = Pick<Writing, 'writes' | 'now'>;
type Occasion = BackupsTable['occasion'];

export type BackupRecord = Selectable<BackupsTable>;

const ofFile = (file: string) => ({
  server: serverName(),
  folder: path.dirname(file),
  file: path.basename(file),
});

/** Records the start of a backup. @returns its id; null if a requested backup is already running */
export function beginRecord(
  { writes, now }: Recording,
  occasion: Occasion,
  file: string,
): Promise<number | null> {
  return writes.transaction(async (tx) => {
    const at = now().toISOString();
    const running = await tx
      .selectFrom('backups')
      .select(['id', 'renewed_at'])
      .where('ended_at', 'is', null)
      .execute();
    const lost = running.filter((each) => !isAlive(each, now())).map(({ id }) => id);
    if (lost.length > 0)
      await tx
        .updateTable('backups')
        .set({ ended_at: at, error: 'the server that made it stopped' })
        .where('id', 'in', lost)
        .execute();
    const [begun] = await tx
      .insertInto('backups')
      .values({ ...ofFile(file), occasion, started_at: at, renewed_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    return begun?.id ?? null;
  });
}

export function endRecord(
  { writes, now }: Recording,
  id: number,
  end: { bytes: number } | { error: string },
): Promise<void> {
  return writes.transaction(async (tx) => {
    const outcome =
      'error' in end ? { error: end.error.slice(0, MAX_ERROR) } : { ...end, error: null };
    await tx
      .updateTable('backups')
      .set({ ...outcome, ended_at: now().toISOString() })
      .where('id', '=', id)
      .execute();
    const [oldest] = await tx
      .selectFrom('backups')
      .select('id')
      .orderBy('id', 'desc')
      .offset(RECORDS_KEPT)
      .limit(1)
      .execute();
    if (oldest) await tx.deleteFrom('backups').where('id', '<=', oldest.id).execute();
  });
}

/** Records a finished backup, such as the one before a migration. */
export const addRecord = (
  { writes, now }: Recording,
  occasion: Occasion,
  file: string,
  bytes: number,
  started_at: Date,
): Promise<unknown> =>
  writes.transaction((tx) => {
    const row = { ...ofFile(file), occasion, bytes, started_at: started_at.toISOString() };
    const at = now().toISOString();
    return tx
      .insertInto('backups')
      .values({ ...row, renewed_at: at, ended_at: at })
      .execute();
  });

/** For files that rotation deleted. */
export const deleteRecords = (
  { writes }: Recording,
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

/** The last backup that an owner requested. */
export async function lastRequested(db: Db): Promise<BackupRecord | null> {
  const requested = db
    .selectFrom('backups')
    .selectAll()
    .where('occasion', '=', 'asked')
    .orderBy('id', 'desc');
  return (await requested.limit(1).executeTakeFirst()) ?? null;
}
