import { existsSync } from 'node:fs';
import path from 'node:path';
import { capture } from '../../../dev/setup/capture.mjs';
import { at } from '../../../dev/setup/command.mjs';
import { hasApt } from '../../../dev/test/run/apt.mjs';
import { unpackPrivately } from '../../../dev/test/run/fetch-packages.mjs';

/** A program to run, or why there is none. */
export type Found = { program: string; libraries: string } | { why: string };

const ROOT = at('node_modules/.cache/proxies/root');
const PLACES = [
  '/usr/sbin',
  '/usr/bin',
  '/usr/local/sbin',
  '/usr/local/bin',
  path.join(ROOT, 'usr/sbin'),
  path.join(ROOT, 'usr/bin'),
];
const LIBRARIES = [
  'usr/lib/x86_64-linux-gnu',
  'usr/lib/aarch64-linux-gnu',
  'lib/x86_64-linux-gnu',
  'lib/aarch64-linux-gnu',
];
const libraries = LIBRARIES.map((folder) => path.join(ROOT, folder)).join(path.delimiter);

/** The machine's own, or Debian's, unpacked beside the packages: installed, it would begin to serve at once. */
export async function find(name: 'nginx' | 'caddy'): Promise<Found> {
  if (process.platform !== 'linux')
    return { why: 'only Linux has loopback addresses enough to tell callers apart' };
  const here = await theOneHere(name);
  if (here) return here;
  if (!hasApt()) return { why: `there is no ${name} on this machine, and no apt to fetch one` };
  const { ok, reason } = await unpackPrivately([name], ROOT);
  return (
    (await theOneHere(name)) ?? {
      why: `there is no ${name} on this machine, and Debian’s did not work: ${ok ? 'it does not start' : reason}`,
    }
  );
}

async function theOneHere(name: string): Promise<Found | null> {
  for (const program of PLACES.map((folder) => path.join(folder, name)).filter(existsSync)) {
    const { ok } = await capture(program, [name === 'nginx' ? '-v' : 'version'], {
      env: withLibraries(libraries),
    });
    if (ok) return { program, libraries };
  }
  return null;
}

export const withLibraries = (folders: string): NodeJS.ProcessEnv => ({
  ...process.env,
  LD_LIBRARY_PATH: folders,
});
