/** `npm run build`: the client, if anything it is made of has changed; and what lets the server start sooner. */

import { buildClient } from './client-build.mjs';
import { command, say } from './command.mjs';
import { install } from './install.mjs';
import { joinPackages } from './joined-build.mjs';

await command(async () => {
  const node = await install();
  if (!(await buildClient(node))) say('The client is built already: nothing it is made of has changed.');
  await joinPackages(node);
  return 0;
});
