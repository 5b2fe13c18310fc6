import path from 'node:path';
import { z } from 'zod';
import type { OutsideKind } from '../jobs/kind.ts';
import { fileNameAt } from './file-name.ts';
import { backUpInProcess } from './in-process.ts';
import { backupFolder, keepNewest } from './kept.ts';

const HOUR_MS = 3_600_000;
/** How long one may take, in seconds. */
const WITHIN_S = 3_600;

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
    await backUpInProcess(env, file, signal);
    await keepNewest(env, now());
    log.info({ file }, 'a backup was made');
    return undefined;
  },
};
