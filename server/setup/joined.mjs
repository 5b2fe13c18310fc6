/**
 * Kysely, Zod and Express with all below it are 450 files, which is a quarter of a start: `joined-build.mjs` makes one of each, and
 * `load.mjs` takes those.
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');

/** All that is imported of the three: no second copy of them may come from the packages themselves. */
const IMPORTED = ['express', 'kysely', 'kysely/migration', 'zod'];

/** @param {string} specifier */
const nameOf = (specifier) => specifier.replace('/', '-');

/** For Vite, by the names of the files it makes. */
export const entries = Object.fromEntries(IMPORTED.map((specifier) => [nameOf(specifier), specifier]));

/**
 * Where they are kept. What the lock file says is in the name, as far more is joined than these: what was joined of any other
 * version of any package below them is never taken.
 * @returns {string}
 */
export function joinedFolder() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return join(root, 'node_modules/.cache/joined', lock.slice(0, 16));
}

/** By what is imported, its file's address; none where they were not joined, and the packages serve as they are. @returns {Map<string, string>} */
export function joinedFiles() {
  const folder = joinedFolder();
  if (!existsSync(folder)) return new Map();
  return new Map(IMPORTED.map((specifier) => [specifier, pathToFileURL(join(folder, `${nameOf(specifier)}.mjs`)).href]));
}
