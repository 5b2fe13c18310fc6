/** `npm run prove -- <what>`: randomized and external checks that go beyond the listed examples, for a given number of runs. */

import { at, command } from '../setup/command.mjs';
import { foreground } from '../setup/foreground.mjs';
import { installForDevelopment } from '../setup/install.mjs';
import { nodeEnvironment } from '../setup/runtime.mjs';
import { preparePostgres } from '../test/run/postgres.mjs';

await command(async () => {
  const node = await installForDevelopment();
  await preparePostgres(node);
  const args = [at('server/dev/prove/index.ts'), ...process.argv.slice(2)];
  const { code } = await foreground({ file: node, args, env: nodeEnvironment(node) });
  return code;
});
