/**
 * `npm start`, from a bare clone to a server that runs. What it does, in this order, each step only where it is needed:
 *
 * 1. `install.mjs`: the packages, as package-lock.json has them, by the npm that started us (`lock.mjs`: one at a time).
 * 2. `runtime.mjs`: the Node to go on with. Node is itself among the packages, because the server runs TypeScript as it is and
 *    Node's newest features, and whoever starts it may have any Node from 20 on: so it is the same one for everybody, the one
 *    it is tested on, and nobody has to replace theirs for a game. (`apt.mjs`: a library that it lacks on the smallest systems.)
 * 3. `client-build.mjs`: the pages, where what they are made of has changed (`fingerprint.mjs`).
 * 4. `foreground.mjs`: the server, which shares the terminal with us and ends with us.
 *
 * So these files, alone in this repository, run on the Node that is there: no types, no packages. What checks, tests and
 * measures is started through the same steps, and has the rest of its start beside itself: `server/dev/check`, `server/dev/test/run`,
 * `server/dev/bench/start.mjs`, `server/dev/prove/start.mjs`.
 */

import { buildClient } from './client-build.mjs';
import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';
import { nodeEnvironment } from './runtime.mjs';

await command(async () => {
  const node = await install();
  await buildClient(node);
  const { code } = await foreground({ file: node, args: [at('server/main.ts')], env: nodeEnvironment(node) });
  return code;
});
