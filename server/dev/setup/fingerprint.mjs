/** A hash over files' names and contents, independent of their dates. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.mjs';

/**
 * @param {string[]} files relative to the repository; a missing one counts as empty
 * @param {string[]} [also] facts that matter besides
 */
export function fingerprint(files, also = []) {
  const hash = createHash('sha256');
  for (const fact of also) hash.update(`${fact}\0`);
  for (const file of files) {
    const content = read(join(root, file));
    hash.update(`${file.replaceAll('\\', '/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * All files under a folder, sorted, relative to the repository.
 * @param {string} folder
 * @param {(path: string) => boolean} leaveOut called for folders too: an excluded one is not entered
 * @returns {string[]}
 */
export function filesUnder(folder, leaveOut) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (leaveOut(path)) return [];
      return entry.isDirectory() ? filesUnder(path, leaveOut) : [path];
    })
    .sort();
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
