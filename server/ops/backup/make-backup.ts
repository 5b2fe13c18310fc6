import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { SystemBackup } from '../../../shared/schemas/system.ts';
import { childEnvironment } from '../../db/child-environment.ts';
import { defineMemory } from '../../db/memory.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { Env } from '../../env.ts';
import type { JobContext, OutsideKind, Timing } from '../../jobs/job-kind.ts';
import {
  type BegunRun,
  createRequestedRuns,
  isAlive,
  LOST_RUN,
  type RequestedRuns,
} from '../runs.ts';
import { backupFolder, fileNameAt, rotateBackups } from './backup-files.ts';
import { PROGRESS_LINE } from './progress.ts';
import { beginBackup, deleteBackupRecords, lastRequested, lastTimed } from './records.ts';

export interface BackupContext extends Writing, Pick<JobContext, 'log' | 'clock'> {}

/**
 * Records a backup in this server's folder.
 * @returns a function that makes it: if it throws, only the record remains; null: a requested one is already running
 */
async function startBackup(
  ctx: BackupContext,
  occasion: 'timed' | 'asked',
): Promise<((signal: AbortSignal) => Promise<void>) | null> {
  const file = path.join(backupFolder(ctx.env), fileNameAt(ctx.now(), occasion));
  const run = await beginBackup(ctx, { occasion, file });
  return run && ((signal) => make(ctx, run, { file, signal }));
}

async function make(
  ctx: BackupContext,
  run: BegunRun,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<void> {
  const { env, log, now, clock } = ctx;
  const { bytes } = await run(async (report) => {
    const onPercent = (percent: number): void => report({ percent });
    await backUpInChildProcess(env, { file, signal, onPercent });
    return { bytes: (await stat(file)).size, error: null };
  });
  log.info({ file, bytes }, 'a backup was made');
  const paused = clock.deletionPaused();
  if (paused)
    return log.info(
      { reason: paused.reason, until: paused.until },
      'deletion of old backups is paused: the clock may be wrong',
    );
  const deleted = await rotateBackups({ env, log, now: now(), made: file });
  await deleteBackupRecords(ctx, backupFolder(env), deleted);
}

/** Backups that owners request: one at a time on a database. */
export interface RequestedBackups extends RequestedRuns {
  /** The same on every server. */
  state: () => Promise<Pick<SystemBackup, 'running' | 'failure'>>;
}

export const requestedBackups = defineMemory(createRequestedBackups);

function createRequestedBackups(ctx: BackupContext): RequestedBackups {
  const begin = () => startBackup(ctx, 'asked');
  return {
    ...createRequestedRuns(ctx.log, begin, 'the requested backup failed'),
    state: async () => {
      const last = await lastRequested(ctx.db);
      if (last?.ended_at === null && isAlive(last, ctx.now()))
        return { running: { started_at: last.started_at, percent: last.percent }, failure: null };
      if (last?.ended_at === null)
        return {
          running: null,
          failure: { at: last.renewed_at, reason: LOST_RUN },
        };
      return {
        running: null,
        failure: last?.error ? { at: last.ended_at, reason: last.error } : null,
      };
    },
  };
}

const HOUR_MS = 3_600_000;
const TIMEOUT_S = 3_600;

/** Milliseconds between two automatic backups; 0: off. */
const stepOf = ({ BACKUP_HOURS, BACKUPS_KEPT }: JobContext['env']): number =>
  BACKUPS_KEPT === 0 ? 0 : BACKUP_HOURS * HOUR_MS;

/** The first multiple of `step` after a moment. */
const turnAfter = (at: Date, step: number): Date =>
  new Date((Math.floor(at.getTime() / step) + 1) * step);

/**
 * When the next automatic backup is due, after the last one of any server. null: there was none, or it is so far in the future
 * that a clock has jumped since.
 */
async function dueAfterLast({ env, now, db }: Timing): Promise<Date | null> {
  const step = stepOf(env);
  const last = await lastTimed(db);
  if (last === null || last.getTime() - now().getTime() > step) return null;
  return turnAfter(last, step);
}

/** Every BACKUP_HOURS, counted from midnight UTC. */
export const makeBackup: OutsideKind<null> = {
  kind: 'backup.make',
  runs: 'outside',
  payload: z.null(),
  max_running: 1,
  timeout_s: TIMEOUT_S,
  unseen: true,
  retry_after_s: [60, 600, 3_600],
  next: async (ctx) => {
    const step = stepOf(ctx.env);
    if (step === 0) return null;
    const turn = turnAfter(ctx.now(), step);
    const due = await dueAfterLast(ctx);
    // A server whose clock is ahead may have made this turn's backup.
    return due !== null && due > turn ? due : turn;
  },
  run: async (ctx, _job, { signal }) => {
    // The settings may have changed since the job was stored.
    if (stepOf(ctx.env) === 0) return undefined;
    const due = await dueAfterLast(ctx);
    if (due !== null && due > ctx.now()) return undefined;
    await (await startBackup(ctx, 'timed'))?.(signal);
    return undefined;
  },
};

const PROGRAM = path.resolve(import.meta.dirname, '../../cli/backup.ts');
/** A low priority: players come first. */
const PRIORITY = 10;
/** Characters of the child's error output to keep. */
const MAX_STDERR = 500;

/**
 * Runs the backup command in a child process: it needs memory for a while, and must not block the event loop.
 * @throws Error with the child's last line
 */
function backUpInChildProcess(
  { DATA_DIR, DATABASE_URL }: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  {
    file,
    signal,
    onPercent,
  }: { file: string; signal: AbortSignal; onPercent: (percent: number) => void },
): Promise<void> {
  // Of the settings file everything was read already.
  const env = { ...childEnvironment(), DATA_DIR, DATABASE_URL, SETTINGS_FILE: '' };
  const args = [PROGRAM, 'backup', file, '--server'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'], signal });
  let output = '';
  child.stderr.on('data', (chunk) => {
    const text = String(chunk);
    output = `${output}${text}`.slice(-MAX_STDERR);
    const percent = PROGRESS_LINE.exec(text)?.[1];
    if (percent !== undefined) onPercent(Number(percent));
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('spawn', () => {
      try {
        if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
      } catch {
        // It has ended, or this user may not.
      }
    });
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(output.trim().split('\n').at(-1) || `it ended with ${code}`)),
    );
  });
}
