/** Debian's packages (and those of its descendants): as root, with sudo, or into a folder of our own. */

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from './capture.mjs';
import { at, say } from './command.mjs';

/** @typedef {{ok: boolean, reason: string}} Attempt */

/** Where an ordinary user's packages are unpacked. */
export const privateRoot = at('node_modules/.cache/chromium/root');

const work = at('node_modules/.cache/chromium/apt');
const options = [
  '-y',
  '--no-install-recommends',
  '-o',
  'Acquire::Retries=2',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'Acquire::https::Timeout=20',
];
const limit = 10 * 60_000;

export const hasApt = () => process.platform === 'linux' && existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg');

/** Whether packages can be installed for the whole machine: [] as root, ['sudo', …] with it, else undefined. */
export async function privilege() {
  if (process.getuid?.() === 0) return [];
  const { ok } = await capture('sudo', ['-n', 'true'], { timeout: 10_000 });
  return ok ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive'] : undefined;
}

/** @param {string[]} packages @returns {Promise<Attempt & {machineWide: boolean}>} */
export async function fetchPackages(packages) {
  const prefix = await privilege();
  if (prefix) {
    const attempt = await installForAll(prefix, packages);
    if (attempt.ok) return { ...attempt, machineWide: true };
    say(`That did not work: ${attempt.reason}`);
  }
  return { ...(await unpackPrivately(packages)), machineWide: false };
}

/** @param {string[]} prefix @param {string[]} packages @returns {Promise<Attempt>} */
async function installForAll(prefix, packages) {
  say(`Installing ${packages.join(' and ')} with apt${prefix.length ? ' and sudo' : ''}…`);
  const lock = ['-o', 'DPkg::Lock::Timeout=120'];
  const update = await apt([...prefix, 'apt-get', 'update', ...options]);
  const install = await apt([...prefix, 'apt-get', 'install', ...options, ...lock, ...packages]);
  return { ok: install.ok, reason: install.reason || update.reason };
}

/**
 * apt asks only for what the machine lacks, checks the signatures, and keeps lists and archives in
 * our folder; dpkg unpacks them there, where nothing needs root.
 * @param {string[]} packages
 * @returns {Promise<Attempt>}
 */
async function unpackPrivately(packages) {
  say(`Unpacking ${packages.join(' and ')} into node_modules/.cache (not root, and no sudo)…`);
  const lists = join(work, 'lists');
  const archives = join(work, 'archives');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  mkdirSync(join(archives, 'partial'), { recursive: true });
  const own = [
    ...['-o', `Dir::State=${work}`, '-o', `Dir::State::Lists=${lists}`, '-o', 'Dir::State::status=/var/lib/dpkg/status'],
    ...['-o', `Dir::Cache=${work}`, '-o', `Dir::Cache::Archives=${archives}`, '-o', 'Debug::NoLocking=true'],
  ];
  const update = await apt(['apt-get', 'update', ...options, ...own]);
  const download = await apt(['apt-get', 'install', '--download-only', ...options, ...own, ...packages]);
  if (!download.ok) return { ok: false, reason: download.reason || update.reason };

  mkdirSync(privateRoot, { recursive: true });
  // The C library must match the machine's own loader.
  const debs = readdirSync(archives).filter((file) => file.endsWith('.deb') && !/^(libc6|libc-bin|locales)_/.test(file));
  for (const deb of debs) {
    const { ok, output } = await capture('dpkg', ['-x', join(archives, deb), privateRoot]);
    if (!ok) return { ok: false, reason: output };
  }
  rmSync(work, { recursive: true, force: true });
  return { ok: true, reason: '' };
}

/** @param {string[]} commandLine @returns {Promise<Attempt>} */
async function apt([file = '', ...args]) {
  const { ok, output, timedOut } = await capture(file, args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    timeout: limit,
  });
  const reason = output.split('\n').find((line) => line.startsWith('E: ')) ?? '';
  return { ok, reason: ok ? '' : timedOut ? 'it took more than ten minutes' : reason || output.slice(-300) };
}
