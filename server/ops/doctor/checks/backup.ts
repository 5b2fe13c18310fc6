import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { backupFolder, newestBackup } from '../../backup/kept.ts';
import { readArchive } from '../../backup/read-archive.ts';
import { check } from '../finding.ts';
import type { Patient } from '../patient.ts';
import { isWritable } from './folder.ts';

const HOUR_MS = 3_600_000;
/** An archive of a million claims is read in some ten seconds. */
const WITHIN_S = 240;
/** Where none is made by the clock, one that somebody made is enough for so many days. */
const BY_HAND_DAYS = 7;

/** Whether there is a backup that is not too old, and whole: all of it is read, unless another server has it. */
export const backup = check(
  'backup',
  async (patient) => {
    const { env, now } = patient;
    const folder = backupFolder(env);
    if (existsSync(folder)) {
      const found = statSync(folder);
      if (!found.isDirectory() || !isWritable(folder, found)) return { finding: 'notWritable', params: { folder } };
    }
    const isOff = env.BACKUP_HOURS === 0 || env.BACKUPS_KEPT === 0;
    const patience_ms = isOff ? BY_HAND_DAYS * 24 * HOUR_MS : env.BACKUP_HOURS * 2 * HOUR_MS + HOUR_MS;
    const newest = await patient.read((tx) => newestBackup({ env, db: tx, now })).catch(() => newestBackup({ env, db: null, now }));
    if (newest === null) {
      if (isOff) return { finding: 'off' };
      return { finding: (await isYoung(patient, patience_ms)) ? 'young' : 'none', params: { folder } };
    }
    const age_ms = now().getTime() - newest.at.getTime();
    const params = { at: newest.at.toISOString(), size: newest.bytes };
    if (age_ms > patience_ms) return isOff ? { finding: 'off' } : { finding: 'old', params };
    if (newest.elsewhere !== null) return { finding: 'elsewhere', params: { ...params, server: newest.elsewhere } };
    const file = path.join(folder, newest.name);
    const reason = await whatIsWrong(file);
    return reason === null ? { finding: 'ok', params } : { finding: 'damaged', params: { reason } };
  },
  { within_s: WITHIN_S },
);

/** Whether the guild itself began so shortly ago. */
async function isYoung({ read, now }: Patient, ms: number): Promise<boolean> {
  const first = await read((tx) => tx.selectFrom('admins').select('created_at').orderBy('id').limit(1).executeTakeFirst()).catch(
    () => null,
  );
  return first ? now().getTime() - Date.parse(first.created_at) < ms : false;
}

async function whatIsWrong(file: string): Promise<string | null> {
  try {
    for await (const _ of readArchive(file));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
