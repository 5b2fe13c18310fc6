import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Env } from '../env.ts';
import { measure } from '../measure.ts';
import type { Metrics } from '../metrics.ts';
import { PART, readFileName } from './file-name.ts';

/** Where backups are that nobody named otherwise. */
export const backupFolder = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string => path.resolve(DATA_DIR, 'backups');

/** What was begun so long ago, in milliseconds, and is not whole, nobody goes on with. */
const STALE_MS = 86_400_000;

/** Takes away the oldest of those that the server made; what was made by hand stays, and the last that was asked for. */
export async function keepNewest(env: Pick<Env, 'DATA_DIR' | 'BACKUPS_KEPT'>, now: Date): Promise<void> {
  const folder = backupFolder(env);
  const names = (await readdir(folder)).sort().reverse();
  for (const occasion of ['timed', 'asked', 'before']) {
    const most = Math.max(env.BACKUPS_KEPT, occasion === 'asked' ? 1 : 0);
    for (const name of names.filter((each) => readFileName(each)?.occasion === occasion).slice(most))
      await rm(path.join(folder, name), { force: true });
  }
  for (const name of names.filter((each) => each.startsWith('claimboard-') && each.endsWith(PART))) {
    const part = path.join(folder, name);
    const { mtimeMs } = await stat(part).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > STALE_MS) await rm(part, { force: true });
  }
}

/** When the newest was made; null: there is none. */
export async function newestBackup(env: Pick<Env, 'DATA_DIR'>): Promise<Date | null> {
  return (await newestName(env))?.at ?? null;
}

async function newestName(env: Pick<Env, 'DATA_DIR'>): Promise<{ name: string; at: Date } | null> {
  const names = await readdir(backupFolder(env)).catch(() => []);
  const archives = names.flatMap((name) => {
    const at = readFileName(name)?.at;
    return at ? [{ name, at }] : [];
  });
  return archives.sort((one, other) => other.at.getTime() - one.at.getTime())[0] ?? null;
}

/** The newest archive; null: there is none. */
export async function newestArchive(env: Pick<Env, 'DATA_DIR'>): Promise<{ name: string; at: Date; bytes: number } | null> {
  const newest = await newestName(env);
  if (!newest) return null;
  // It may be taken away just now: there is a newer one then.
  const found = await stat(path.join(backupFolder(env), newest.name)).catch(() => null);
  return found && { ...newest, bytes: found.size };
}

interface Measuring {
  env: Pick<Env, 'DATA_DIR'>;
  metrics: Pick<Metrics, 'registry'>;
  now: () => Date;
}

/** Tells at /metrics how old the newest backup in this server's folder is; where there is none, nothing is told. */
export function measureBackups({ env, metrics, now }: Measuring): void {
  const help = 'Age of the newest backup in DATA_DIR/backups; none: there is none';
  measure(metrics, { name: 'claimboard_backup_age_seconds', help }, async (gauge) => {
    const newest = await newestBackup(env);
    gauge.remove();
    if (newest) gauge.set((now().getTime() - newest.getTime()) / 1_000);
  });
}
