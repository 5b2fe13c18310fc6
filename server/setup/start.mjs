/** `npm start`: installs and builds what is missing, then runs the server. */

import { buildClient } from './client-build.mjs';
import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';

await command(async () => {
  const node = await install();
  await buildClient(node);
  const { code } = await foreground({ file: node, args: [at('server/index.mjs')] });
  return code;
});
