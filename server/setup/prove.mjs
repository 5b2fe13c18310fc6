/** `npm run prove -- <what>`: tries at random, for as long as it is told, what no list of examples covers. */

import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';
import { preparePostgres } from './postgres.mjs';
import { toolEnvironment } from './runtime.mjs';

await command(async () => {
  const node = await install();
  await preparePostgres(node);
  const args = [at('server/prove/index.ts'), ...process.argv.slice(2)];
  const { code } = await foreground({ file: node, args, env: toolEnvironment(node) });
  return code;
});
