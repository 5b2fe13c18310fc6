/** Packages of Debian and its descendants, for the whole machine: as root, or with sudo. */

import { existsSync } from 'node:fs';
import { capture } from '../../setup/capture.mjs';
import { say } from '../../setup/command.mjs';

/** @typedef {{ok: boolean, reason: string}} Attempt */

/** Options of every call of apt-get. */
export const options = [
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

export const hasApt = () =>
  process.platform === 'linux' && existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg');

/** Whether packages can be installed for the whole machine: [] as root, ['sudo', …] with it, else undefined. */
export async function privilege() {
  if (process.getuid?.() === 0) return [];
  const { ok } = await capture('sudo', ['-n', 'true'], { timeout: 10_000 });
  return ok ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive'] : undefined;
}

/** @param {string[]} prefix @param {string[]} packages @returns {Promise<Attempt>} */
export async function installForAll(prefix, packages) {
  say(`Installing ${packages.join(' and ')} with apt${prefix.length ? ' and sudo' : ''}…`);
  const lock = ['-o', 'DPkg::Lock::Timeout=120'];
  const update = await apt([...prefix, 'apt-get', 'update', ...options]);
  const install = await apt([...prefix, 'apt-get', 'install', ...options, ...lock, ...packages]);
  return { ok: install.ok, reason: install.reason || update.reason };
}

/** @param {string[]} commandLine @returns {Promise<Attempt>} */
export async function apt([file = '', ...args]) {
  const { ok, output, timedOut } = await capture(file, args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    timeout: limit,
  });
  const reason = output.split('\n').find((line) => line.startsWith('E: ')) ?? '';
  return {
    ok,
    reason: ok ? '' : timedOut ? 'it took more than ten minutes' : reason || output.slice(-300),
  };
}
