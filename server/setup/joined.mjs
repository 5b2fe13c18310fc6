/**
 * Kysely, Zod and Express with all below it are 450 files, which is a quarter of a start: `joined-build.mjs` makes one of each, and
 * `server/index.mjs` takes those.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const packages = join(import.meta.dirname, '../../node_modules');

/** All that is imported of the three: no second copy of them may come from the packages themselves. */
const IMPORTED = ['express', 'kysely', 'kysely/migration', 'zod'];

/** @param {string} specifier */
const nameOf = (specifier) => specifier.replace('/', '-');

/** For Vite, by the names of the files it makes. */
export const entries = Object.fromEntries(IMPORTED.map((specifier) => [nameOf(specifier), specifier]));

/** Where they are kept. What is installed stands in the name, so one of other versions is never taken. @returns {string} */
export function joinedFolder() {
  const versions = IMPORTED.map((specifier) => `${nameOf(specifier)}@${versionOf(specifier.split('/')[0] ?? '')}`);
  return join(packages, '.cache/joined', versions.join('+'));
}

/** @param {string} name @returns {string} */
const versionOf = (name) => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')).version;

/** By what is imported, its file's address; none where they were not joined, and the packages serve as they are. @returns {Map<string, string>} */
export function joinedFiles() {
  const folder = joinedFolder();
  if (!existsSync(folder)) return new Map();
  return new Map(IMPORTED.map((specifier) => [specifier, pathToFileURL(join(folder, `${nameOf(specifier)}.mjs`)).href]));
}
