/**
 * PostgreSQL refuses to run as root, so for root it is started as another user, and that one must
 * reach its files. In a clone under /root it cannot: then the package moves to where it can.
 */

import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** @param {string} folder the package's folder in node_modules */
export function letOthersReach(folder) {
  if (process.getuid?.() !== 0 || othersReach(realpathSync(join(folder, 'native/bin/postgres'))))
    return;

  const copy = mkdtempSync(join(tmpdir(), 'claimboard-postgres-package-'));
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  for (const path of ['.', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })])
    open(join(copy, path));
  renameSync(folder, originalOf(folder));
  symlinkSync(copy, folder);
}

/** The copy goes when the machine tidies its temporary files. @param {string} folder */
export function restoreOriginal(folder) {
  const original = originalOf(folder);
  if (existsSync(folder) || !existsSync(original)) return;
  rmSync(folder, { force: true });
  renameSync(original, folder);
}

/** @param {string} folder */
const originalOf = (folder) => `${folder}-original`;

/** @param {string} path @returns {boolean} */
function othersReach(path) {
  const mayEnter = (statSync(path).mode & 0o001) !== 0;
  const parent = dirname(path);
  return mayEnter && (parent === path || othersReach(parent));
}

/** @param {string} path */
function open(path) {
  const entry = lstatSync(path);
  const { mode } = entry;
  if (!entry.isSymbolicLink()) chmodSync(path, mode | (mode & 0o100 ? 0o555 : 0o444));
}
