import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Env } from '../env.ts';
import type { OutsideKind } from '../jobs/kind.ts';
import { fileNameAt } from './file-name.ts';
import { backupFolder, keepNewest } from './kept.ts';

const PROGRAM = path.resolve(import.meta.dirname, 'index.ts');
const HOUR_MS = 3_600_000;
/** How long one may take, in seconds. */
const WITHIN_S = 3_600;
/** It has time: whoever plays comes first. */
const PRIORITY = 10;
/** Characters that are kept of what a program says of its failure. */
const SAID_MOST = 500;

/** Makes a backup by the clock, and takes away the oldest; every so many whole hours. */
export const makeBackup: OutsideKind<null> = {
  kind: 'backup.make',
  runs: 'outside',
  payload: z.null(),
  at_once: 1,
  within_s: WITHIN_S,
  unseen: true,
  retry_after_s: [60, 600, 3_600],
  next: ({ env, now }) => {
    const step = env.BACKUPS_KEPT === 0 ? 0 : env.BACKUP_HOURS * HOUR_MS;
    return step === 0 ? null : new Date((Math.floor(now().getTime() / step) + 1) * step);
  },
  run: async ({ env, log, now }, _job, { signal }) => {
    // Switched off since it was stored.
    if (env.BACKUP_HOURS === 0 || env.BACKUPS_KEPT === 0) return undefined;
    const file = path.join(backupFolder(env), fileNameAt(now(), 'timed'));
    await inProcess(env, file, signal);
    await keepNewest(env, now());
    log.info({ file }, 'a backup was made');
    return undefined;
  },
};

/** In a process of its own, which takes its memory with it, and no time of this one's event loop. */
function inProcess({ DATA_DIR, DATABASE_URL }: Env, file: string, signal: AbortSignal): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE, SystemRoot } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, SystemRoot, DATA_DIR, DATABASE_URL };
  const child = spawn(process.execPath, [PROGRAM, 'backup', file], { env, stdio: ['ignore', 'ignore', 'pipe'], signal });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${String(chunk)}`.slice(-SAID_MOST);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('spawn', () => {
      try {
        if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
      } catch {
        // Over already, or not allowed here.
      }
    });
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(said.trim().split('\n').at(-1) || `it ended with ${code}`))));
  });
}
