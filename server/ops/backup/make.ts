import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { JobContext } from '../../jobs/job-kind.ts';
import { fileNameAt } from './file-name.ts';
import { backUpInProcess } from './in-process.ts';
import { backupFolder, rotateBackups } from './kept.ts';
import { beginRecord, endRecord, forgetRecords, renewRecord } from './records.ts';
import { keepRenewing } from './renewal.ts';

export type Making = Pick<JobContext, 'env' | 'log' | 'now' | 'writes' | 'clock'>;

/** A backup that is recorded and can be made now. */
export interface BegunBackup {
  started_at: string;
  /** @throws Error where it cannot be made; nothing of it stays but its record */
  make: (signal: AbortSignal) => Promise<void>;
}

/** Records a backup in this server's folder. @returns null where one that an owner asked for is being made already */
export async function beginBackup(ctx: Making, occasion: 'timed' | 'asked'): Promise<BegunBackup | null> {
  const started = ctx.now();
  const file = path.join(backupFolder(ctx.env), fileNameAt(started, occasion));
  const id = await beginRecord(ctx, occasion, file);
  if (id === null) return null;
  return { started_at: started.toISOString(), make: (signal) => make(ctx, id, file, signal) };
}

async function make(ctx: Making, id: number, file: string, signal: AbortSignal): Promise<void> {
  const { env, log, now, clock } = ctx;
  let percent: number | null = null;
  const stopRenewing = keepRenewing(
    () => percent,
    (reached) => renewRecord(ctx, id, reached),
  );
  let bytes: number;
  try {
    await backUpInProcess(env, file, signal, (reached) => {
      percent = reached;
    });
    bytes = (await stat(file)).size;
  } catch (error) {
    await stopRenewing();
    // The reason is the caller's to tell, also where the database cannot take it.
    await endRecord(ctx, id, { error: error instanceof Error ? error.message : String(error) }).catch(() => {});
    throw error;
  }
  await stopRenewing();
  await endRecord(ctx, id, { bytes });
  log.info({ file, bytes }, 'a backup was made');
  const paused = clock.deletionPaused();
  if (paused) return log.info({ reason: paused.reason, until: paused.until }, 'no old backups are deleted while the clock is in doubt');
  const deleted = await rotateBackups({ env, log, now: now(), made: file });
  await forgetRecords(ctx, backupFolder(env), deleted);
}
