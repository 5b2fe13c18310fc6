/** A temporary folder for tests in memory, where no test waits for a disk. */

import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

const prefix = 'claimboard-tests-';
/** Far more than all databases and browsers of a run take at once; a container's own is often 64 MB. */
const enoughBytes = 2 * 1024 ** 3;
/** What an old run left that was killed the hard way, in milliseconds. */
const longOverMs = 6 * 3_600_000;

/**
 * @param {{memory?: string, enough?: number, chosen?: string | undefined}} [place] the system's folder in memory, how many bytes
 * must be free there, and a place chosen by the developer
 * @returns {string | undefined} a new folder; undefined if the system has none in memory, it has too little room, or a place was chosen
 */
export function memoryFolder({
  memory = '/dev/shm',
  enough = enoughBytes,
  chosen = process.env.TMPDIR,
} = {}) {
  if (chosen) return undefined;
  try {
    accessSync(memory, constants.W_OK);
    removeOld(memory);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < enough) return undefined;
    const folder = mkdtempSync(join(memory, prefix));
    // As root, PostgreSQL runs as another user, who must be able to enter.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    return undefined;
  }
}

/** @param {string} memory */
function removeOld(memory) {
  for (const name of readdirSync(memory)) {
    const folder = join(memory, name);
    if (name.startsWith(prefix) && Date.now() - statSync(folder).mtimeMs > longOverMs)
      rmSync(folder, { recursive: true, force: true });
  }
}
