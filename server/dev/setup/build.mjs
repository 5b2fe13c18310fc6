/** `npm run build`: the client, if anything it is made of has changed. */

import { buildClient } from './client-build.mjs';
import { command, say } from './command.mjs';
import { install } from './install.mjs';

await command(async () => {
  const node = await install();
  if (!(await buildClient(node))) say('The client is built already: nothing it is made of has changed.');
  return 0;
});
