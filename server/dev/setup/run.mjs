/** `npm run admin` and others: a program of the server's, on what `npm start` runs on. The first argument is its file. */

import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';
import { nodeEnvironment } from './runtime.mjs';

await command(async () => {
  const node = await install();
  const [program = '', ...args] = process.argv.slice(2);
  const { code } = await foreground({
    file: node,
    args: [at(program), ...args],
    env: nodeEnvironment(node),
  });
  return code;
});
