import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isFullDisk } from '../../../db/database-file.ts';
import type { Env } from '../../../env.ts';
import { backupFolder } from '../../backup/backup-files.ts';
import { check, type ResultOf } from '../check.ts';

/** Windows has no such modes. */
const HAS_MODES = process.platform !== 'win32';

const dataFolder = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string => path.resolve(DATA_DIR);

/** The data folder and our files in it: writable, of one user, and readable by that user only, since they have keys. */
export const files = check('files', async ({ env, file }): Promise<ResultOf<'files'>> => {
  const folder = dataFolder(env);
  // With PostgreSQL the first backup creates it.
  if (!existsSync(folder))
    return file === null
      ? { finding: 'ok', params: { folder } }
      : { finding: 'missing', params: { folder } };
  const ours = [
    folder,
    ...(file === null ? [] : [file, `${file}-wal`, `${file}-shm`]),
    backupFolder(env),
  ].filter(existsSync);
  const owner = ownerOf(statSync(folder));
  for (const each of ours) {
    const found = statSync(each);
    if (HAS_MODES && found.uid !== owner)
      return { finding: 'foreign', params: { path: each, owner: found.uid } };
    if (!isWritable(each, found)) return { finding: 'notWritable', params: { path: each } };
  }
  const open = HAS_MODES ? ours.find((each) => (statSync(each).mode & 0o077) !== 0) : undefined;
  return open === undefined
    ? { finding: 'ok', params: { folder } }
    : { finding: 'open', params: { path: open } };
});

/** The server's user: this one, or, if root runs the doctor, the folder's owner. */
function ownerOf({ uid }: Stats): number {
  const me = process.geteuid?.() ?? 0;
  return me === 0 ? uid : me;
}

/** Root may write in any mode, so the mode is checked too. */
export function isWritable(each: string, { mode }: Pick<Stats, 'mode'>): boolean {
  if (HAS_MODES && (mode & 0o200) === 0) return false;
  try {
    accessSync(each, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Warn below this many free bytes, or this share of a small disk. */
const LOW_BYTES = 1_000_000_000;
const LOW_SHARE = 0.1;
/** A migration that rebuilds everything needs this many times the database, with the backup before it. */
const DATABASE_COPIES = 2;

export const disk = check('disk', async ({ env, file, disk: spaceOf }) => {
  const { free, total } = await spaceOf(existingParent(dataFolder(env)));
  const params = { free, total };
  if (isFullDisk({ free, total })) return { finding: 'full', params };
  const size = file !== null && existsSync(file) ? statSync(file).size : 0;
  const isLow = free < Math.min(LOW_BYTES, total * LOW_SHARE) || free < size * DATABASE_COPIES;
  return { finding: isLow ? 'low' : 'ok', params };
});

/** Linux's numbers of network file systems: SQLite's locks don't work there. */
const NETWORK_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  1702057286: 'FUSE',
  16914839: '9P',
  1397113167: 'AFS',
  1799439955: 'AFS',
  12805120: 'Ceph',
  18225520: 'GFS2',
  198183888: 'Lustre',
  1937076805: 'Coda',
  1952539503: 'OCFS2',
  2020557398: 'VirtualBox',
};

export const network = check('network', async ({ env, file, disk: spaceOf }) => {
  const folder = dataFolder(env);
  if (file === null) return { finding: 'elsewhere' };
  if (process.platform === 'win32' && folder.startsWith('\\\\'))
    return { finding: 'network', params: { folder, kind: 'SMB' } };
  if (process.platform !== 'linux') return { finding: 'unknown' };
  const { type } = await spaceOf(existingParent(folder));
  // Some numbers are negative.
  const kind = NETWORK_FILE_SYSTEMS[type >>> 0];
  return kind === undefined
    ? { finding: 'ok', params: { folder } }
    : { finding: 'network', params: { folder, kind } };
});

/** A folder that does not exist yet will be on its parent's disk. */
const existingParent = (folder: string): string =>
  existsSync(folder) || path.dirname(folder) === folder
    ? folder
    : existingParent(path.dirname(folder));
