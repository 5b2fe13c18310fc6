/** Builds the client into client/dist, if anything it is made of has changed. */

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { capture } from './capture.mjs';
import { at, messageOf, SetupError, say, seconds } from './command.mjs';
import { filesUnder, fingerprint } from './fingerprint.mjs';
import { alone } from './lock.mjs';
import { nodeEnvironment } from './runtime.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

const dist = at('client/dist');
const stampName = '.fingerprint';

/** @param {string} node @returns {Promise<boolean>} whether there was anything to build */
export async function buildClient(node) {
  if (!hasSources() || isBuilt()) return false;
  return alone(async () => {
    if (isBuilt()) return false;
    await build(node);
    return true;
  });
}

/** Not in a copy that has the built pages alone. */
export const hasSources = () => existsSync(at('client/index.html'));

function isBuilt() {
  try {
    return readFileSync(join(dist, stampName), 'utf8') === inputs();
  } catch {
    return false;
  }
}

function inputs() {
  return fingerprint([
    ...filesUnder('client', notBuiltIn),
    ...filesUnder('shared', notBuiltIn),
    'vite.config.ts',
    'tsconfig.json',
    // The oldest browsers.
    'package.json',
    'package-lock.json',
  ]);
}

/** @param {string} path */
const notBuiltIn = (path) =>
  /^client\/(e2e|dist[^/]*)$/.test(path) ||
  /(^|\/)tests?$/.test(path) ||
  /\.test\.tsx?$/.test(path);

/**
 * Vite builds beside client/dist, and the finished build takes its place: a running server never
 * serves half of one, and a failed one leaves the last good one.
 * @param {string} node
 */
async function build(node) {
  say(`Building the client (${existsSync(dist) ? 'its sources changed' : 'first start'})…`);
  const since = performance.now();
  const built = inputs();
  const next = `${dist}.next`;
  const old = `${dist}.old`;
  const args = ['build', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'];
  const { ok, output } = await capture(node, [at('node_modules/vite/bin/vite.js'), ...args], {
    env: nodeEnvironment(node, { NODE_ENV: 'production' }),
  });
  if (!ok) {
    rmSync(next, { recursive: true, force: true });
    throw new SetupError(`${output}\nThe client could not be built: see above.`);
  }
  if (output) say(output);
  writeFileSync(join(next, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices());
  compressAssets(join(next, 'static'));
  try {
    rmSync(old, { recursive: true, force: true });
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(next, dist);
    writeFileSync(join(dist, stampName), built);
    rmSync(old, { recursive: true, force: true });
  } catch (error) {
    throw new SetupError(
      `The client was built but could not be put into client/dist: ${messageOf(error)}`,
    );
  }
  say(`Client built in ${seconds(since)}.`);
}

/**
 * Stores compressed copies of scripts, styles and sentences beside them, for `server/http/static-files.ts`.
 * @param {string} folder
 */
function compressAssets(folder) {
  for (const name of readdirSync(folder).filter((each) => /\.(js|css|json)$/.test(each))) {
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}
