import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isFullDisk } from '../../../db/storage.ts';
import type { Env } from '../../../env.ts';
import { backupFolder } from '../../backup/kept.ts';
import { check, type Found } from '../finding.ts';

/** Windows keeps such rights in another way. */
const HAS_MODES = process.platform !== 'win32';

const dataFolder = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string => path.resolve(DATA_DIR);

/** The data folder and what of ours is in it: writable, of one user, and for that user alone, since keys are in it. */
export const files = check('files', async ({ env, file }): Promise<Found<'files'>> => {
  const folder = dataFolder(env);
  // With PostgreSQL it is made for the first backup.
  if (!existsSync(folder)) return file === null ? { finding: 'ok', params: { folder } } : { finding: 'missing', params: { folder } };
  const ours = [folder, ...(file === null ? [] : [file, `${file}-wal`, `${file}-shm`]), backupFolder(env)].filter(existsSync);
  const owner = ownerOf(statSync(folder));
  for (const each of ours) {
    const found = statSync(each);
    if (HAS_MODES && found.uid !== owner) return { finding: 'foreign', params: { path: each, owner: found.uid } };
    if (!isWritable(each, found)) return { finding: 'notWritable', params: { path: each } };
  }
  const open = HAS_MODES ? ours.find((each) => (statSync(each).mode & 0o077) !== 0) : undefined;
  return open === undefined ? { finding: 'ok', params: { folder } } : { finding: 'open', params: { path: open } };
});

/** Who runs the server: this user, or, where the machine's administrator looks, whoever has the folder. */
function ownerOf({ uid }: Stats): number {
  const me = process.geteuid?.() ?? 0;
  return me === 0 ? uid : me;
}

/** The rights themselves are looked at, too: an administrator may write whatever they say. */
export function isWritable(each: string, { mode }: Pick<Stats, 'mode'>): boolean {
  if (HAS_MODES && (mode & 0o200) === 0) return false;
  try {
    accessSync(each, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Less free than this, in bytes, or than this share of a small disk, is little. */
const LITTLE_BYTES = 1_000_000_000;
const LITTLE_SHARE = 0.1;
/** A migration that rebuilds all, with the backup before it. */
const TIMES_THE_DATABASE = 2;

export const disk = check('disk', async ({ env, file, disk: spaceOf }) => {
  const { free, total } = await spaceOf(nearest(dataFolder(env)));
  const params = { free, total };
  if (isFullDisk({ free, total })) return { finding: 'full', params };
  const size = file !== null && existsSync(file) ? statSync(file).size : 0;
  const isLittle = free < Math.min(LITTLE_BYTES, total * LITTLE_SHARE) || free < size * TIMES_THE_DATABASE;
  return { finding: isLittle ? 'low' : 'ok', params };
});

/** What Linux calls the kinds of file systems that other machines serve, by which SQLite's locks do not hold. */
const OF_OTHER_MACHINES: Readonly<Record<number, string>> = {
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
  if (process.platform === 'win32' && folder.startsWith('\\\\')) return { finding: 'network', params: { folder, kind: 'SMB' } };
  if (process.platform !== 'linux') return { finding: 'unknown' };
  const { type } = await spaceOf(nearest(folder));
  // Some come with a sign.
  const kind = OF_OTHER_MACHINES[type >>> 0];
  return kind === undefined ? { finding: 'ok', params: { folder } } : { finding: 'network', params: { folder, kind } };
});

/** A folder that is not there yet will be on the disk of the one above. */
const nearest = (folder: string): string =>
  existsSync(folder) || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder));
