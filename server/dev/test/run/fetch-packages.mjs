/** Debian's packages for the browser tests: for the whole machine, or into a folder of our own where this user may not. */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../../setup/capture.mjs';
import { at, say } from '../../setup/command.mjs';
import { apt, installForAll, options, privilege } from './apt.mjs';

/** @typedef {import('./apt.mjs').Attempt} Attempt */

/** Where an ordinary user's packages are unpacked. */
export const privateRoot = at('node_modules/.cache/chromium/root');

/** @param {string[]} packages @returns {Promise<Attempt & {machineWide: boolean}>} */
export async function fetchPackages(packages) {
  const prefix = await privilege();
  if (prefix) {
    const attempt = await installForAll(prefix, packages);
    if (attempt.ok) return { ...attempt, machineWide: true };
    say(`That did not work: ${attempt.reason}`);
  }
  return { ...(await unpackPrivately(packages, privateRoot)), machineWide: false };
}

/**
 * apt asks only for what the machine lacks, checks the signatures, and keeps lists and archives in
 * our folder; dpkg unpacks them there, where nothing needs root.
 * @param {string[]} packages
 * @param {string} root the folder they are unpacked into
 * @returns {Promise<Attempt>}
 */
export async function unpackPrivately(packages, root) {
  say(`Unpacking ${packages.join(' and ')} into node_modules/.cache…`);
  const work = `${root}-apt`;
  const lists = join(work, 'lists');
  const archives = join(work, 'archives');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  mkdirSync(join(archives, 'partial'), { recursive: true });
  const own = [
    '-o',
    `Dir::State=${work}`,
    '-o',
    `Dir::State::Lists=${lists}`,
    '-o',
    'Dir::State::status=/var/lib/dpkg/status',
    '-o',
    `Dir::Cache=${work}`,
    '-o',
    `Dir::Cache::Archives=${archives}`,
    '-o',
    'Debug::NoLocking=true',
  ];
  const update = await apt(['apt-get', 'update', ...options, ...own]);
  const download = await apt([
    'apt-get',
    'install',
    '--download-only',
    ...options,
    ...own,
    ...packages,
  ]);
  if (!download.ok) return { ok: false, reason: download.reason || update.reason };

  mkdirSync(root, { recursive: true });
  // The C library must match the machine's own loader.
  const debs = readdirSync(archives).filter(
    (file) => file.endsWith('.deb') && !/^(libc6|libc-bin|locales)_/.test(file),
  );
  for (const deb of debs) {
    const { ok, output } = await capture('dpkg', ['-x', join(archives, deb), root]);
    if (!ok) return { ok: false, reason: output };
  }
  rmSync(work, { recursive: true, force: true });
  return { ok: true, reason: '' };
}
