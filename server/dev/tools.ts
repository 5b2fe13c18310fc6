import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { at } from './setup/command.mjs';

const run = promisify(execFile);

/**
 * Installs tools that are too large, or too rarely used, to be development dependencies. They stay in node_modules/.cache.
 * @param versions exact versions, by package
 * @param withPeers false for plugins of packages that the project has: they find those from there
 * @returns the folder whose node_modules has them
 */
export async function installTools(
  name: string,
  versions: Record<string, string>,
  say: (line: string) => void,
  { withPeers = true } = {},
): Promise<string> {
  const folder = at('node_modules/.cache/tools', name);
  const wanted = JSON.stringify(versions);
  const note = path.join(folder, 'installed.json');
  if ((await readFile(note, 'utf8').catch(() => '')) === wanted) return folder;
  const packages = Object.entries(versions).map(([of, version]) => `${of}@${version}`);
  say(`installing ${packages.join(' and ')}…`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{}');
  const peers = withPeers ? [] : ['--legacy-peer-deps'];
  await run(
    'npm',
    [
      'install',
      ...peers,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      ...packages,
    ],
    { cwd: folder },
  );
  await writeFile(note, wanted);
  return folder;
}
