/** Joins the packages of most files, if that was not done for what is installed. */

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { capture } from './capture.mjs';
import { hasSources } from './client-build.mjs';
import { at, complain } from './command.mjs';
import { joinedFolder } from './joined.mjs';
import { alone } from './lock.mjs';
import { toolEnvironment } from './runtime.mjs';

/** A start is longer without and no different, so a failure is told and keeps nobody from it. @param {string} node */
export async function joinPackages(node) {
  if (!hasSources() || existsSync(joinedFolder())) return;
  await alone(async () => {
    const folder = joinedFolder();
    if (existsSync(folder)) return;
    // Of other versions.
    rmSync(dirname(folder), { recursive: true, force: true });
    const next = `${dirname(folder)}.next`;
    const args = ['build', '--config', at('server/setup/joined.vite.mjs'), '--configLoader', 'native'];
    const { ok, output } = await capture(node, [at('node_modules/vite/bin/vite.js'), ...args, '--outDir', next, '--emptyOutDir'], {
      env: toolEnvironment(node, { NODE_ENV: 'production' }),
    });
    if (!ok) return complain(`${output}\nExpress, Kysely and Zod could not be joined, so the server takes a little longer to start.`);
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(next, folder);
  });
}
