/** Where tests write what nobody keeps: in memory, where a disk makes no test wait and no page of it is written out. */

import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'claimboard-tests-';
/** Far more than all databases and browsers of a run take at once; a container's own is often 64 MB. */
const enoughBytes = 2 * 1024 ** 3;
/** What an old run left that was killed the hard way, in milliseconds. */
const longOverMs = 6 * 3_600_000;

/** @returns {string | undefined} a new folder, or none where memory has no folder, or too little room, or somebody chose a place */
export function memoryFolder() {
  if (process.env.TMPDIR) return undefined;
  try {
    accessSync(memory, constants.W_OK);
    removeOld();
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < enoughBytes) return undefined;
    const folder = mkdtempSync(join(memory, prefix));
    // As root, PostgreSQL runs as a user of its own, who must be able to enter.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    return undefined;
  }
}

function removeOld() {
  for (const name of readdirSync(memory)) {
    const folder = join(memory, name);
    if (name.startsWith(prefix) && Date.now() - statSync(folder).mtimeMs > longOverMs) rmSync(folder, { recursive: true, force: true });
  }
}
