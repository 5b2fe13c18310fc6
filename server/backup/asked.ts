import path from 'node:path';
import type { Logger } from 'pino';
import type { SystemBackup } from '../../shared/schemas/system.ts';
import type { Env } from '../env.ts';
import { fileNameAt } from './file-name.ts';
import { backupFolder, keepNewest } from './kept.ts';

/** Backups that somebody asks for, one at a time, beside those by the clock. */
export interface AskedBackups {
  state: () => Pick<SystemBackup, 'running' | 'failure'>;
  /** Begins one, unless one is being made. */
  start: () => void;
  /** Ends what is being made; nothing of it stays. */
  stop: () => Promise<void>;
}

interface Making {
  env: Env;
  log: Pick<Logger, 'error' | 'info'>;
  now: () => Date;
}

export function createAskedBackups({ env, log, now }: Making): AskedBackups {
  let running: SystemBackup['running'] = null;
  let failure: SystemBackup['failure'] = null;
  let making: Promise<void> | null = null;
  const stopping = new AbortController();

  const make = async (): Promise<void> => {
    const started_at = now().toISOString();
    running = { started_at, percent: null };
    failure = null;
    const file = path.join(backupFolder(env), fileNameAt(now(), 'asked'));
    try {
      const { backUpInProcess } = await import('./in-process.ts');
      await backUpInProcess(env, file, stopping.signal, (percent) => {
        running = { started_at, percent };
      });
      await keepNewest(env, now());
      log.info({ file }, 'the requested backup was made');
    } catch (error) {
      failure = { at: now().toISOString(), reason: error instanceof Error ? error.message : String(error) };
      if (!stopping.signal.aborted) log.error({ err: error }, 'the requested backup failed');
    } finally {
      running = null;
      making = null;
    }
  };

  return {
    state: () => ({ running, failure }),
    start: () => {
      if (!stopping.signal.aborted) making ??= make();
    },
    stop: async () => {
      stopping.abort();
      await making;
    },
  };
}
