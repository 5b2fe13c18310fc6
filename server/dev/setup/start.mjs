/**
 * `npm start`, from a bare clone to a running server; `npm run demo` with another program, the first argument. Each step runs only if needed:
 * 1. `install.mjs` installs the packages of package-lock.json with the npm that started us (`lock.mjs`: one process at a time), without
 * those of tests and checks.
 * 2. `runtime.mjs` chooses the Node for everything else. Node is itself one of the packages: the server runs TypeScript directly, on
 * the tested version, with any Node from 20 on as the starter.
 * 3. `client-build.mjs` builds the pages if their sources have changed (`fingerprint.mjs`).
 * 4. `catalogue.mjs` copies the catalogue, which lies in the folder of the user's data.
 * 5. `foreground.mjs` runs the server in this terminal and ends with it.
 * It never installs anything outside `node_modules`, not even as root. Only these files run on the Node of the machine, so they use
 * no types and no packages. The check, the tests, the bench and the proofs begin with the same steps, and with all packages.
 */

import { keepCatalogue } from './catalogue.mjs';
import { buildClient } from './client-build.mjs';
import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';
import { nodeEnvironment } from './runtime.mjs';

await command(async () => {
  const node = await install();
  await buildClient(node);
  keepCatalogue();
  const [program = 'server/main.ts', ...args] = process.argv.slice(2);
  const { code } = await foreground({
    file: node,
    args: [at(program), ...args],
    env: nodeEnvironment(node),
  });
  return code;
});
