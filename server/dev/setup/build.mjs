/** `npm run build`: the client, if anything it is made of has changed. */

import { keepCatalogue } from './catalogue.mjs';
import { buildClient } from './client-build.mjs';
import { command, say } from './command.mjs';
import { install } from './install.mjs';

await command(async () => {
  const node = await install();
  keepCatalogue();
  if (!(await buildClient(node)))
    say('The client is built already: nothing it is made of has changed.');
  return 0;
});
