import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { readArchive } from '../../backup/archive-reader.ts';
import { backupFolder, newestBackup } from '../../backup/backup-files.ts';
import { type CheckContext, check } from '../check.ts';
import { isWritable } from './folder.ts';

const HOUR_MS = 3_600_000;
/** Reading an archive of a million claims takes about ten seconds. */
const WITHIN_S = 240;
/** Without automatic backups, a manual one is recent enough for this many days. */
const BY_HAND_DAYS = 7;

/** Whether there is a recent, undamaged backup. All of it is read, unless it is on another server. */
export const backup = check(
  'backup',
  async (ctx) => {
    const { env, now } = ctx;
    const folder = backupFolder(env);
    if (existsSync(folder)) {
      const found = statSync(folder);
      if (!found.isDirectory() || !isWritable(folder, found))
        return { finding: 'notWritable', params: { folder } };
    }
    const isOff = env.BACKUP_HOURS === 0 || env.BACKUPS_KEPT === 0;
    const max_age_ms = isOff
      ? BY_HAND_DAYS * 24 * HOUR_MS
      : env.BACKUP_HOURS * 2 * HOUR_MS + HOUR_MS;
    const newest = await ctx
      .read((tx) => newestBackup({ env, db: tx, now }))
      .catch(() => newestBackup({ env, db: null, now }));
    if (newest === null) {
      if (isOff) return { finding: 'off' };
      return { finding: (await isYoung(ctx, max_age_ms)) ? 'young' : 'none', params: { folder } };
    }
    const age_ms = now().getTime() - newest.at.getTime();
    const params = { at: newest.at.toISOString(), size: newest.bytes };
    if (age_ms > max_age_ms) return isOff ? { finding: 'off' } : { finding: 'old', params };
    if (newest.elsewhere !== null)
      return { finding: 'elsewhere', params: { ...params, server: newest.elsewhere } };
    const file = path.join(folder, newest.name);
    const reason = await archiveDamage(file);
    return reason === null ? { finding: 'ok', params } : { finding: 'damaged', params: { reason } };
  },
  { within_s: WITHIN_S },
);

/** Whether the guild itself is younger than that. */
async function isYoung({ read, now }: CheckContext, ms: number): Promise<boolean> {
  const first = await read((tx) =>
    tx.selectFrom('admins').select('created_at').orderBy('id').limit(1).executeTakeFirst(),
  ).catch(() => null);
  return first ? now().getTime() - Date.parse(first.created_at) < ms : false;
}

async function archiveDamage(file: string): Promise<string | null> {
  try {
    for await (const _ of readArchive(file));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
