/** `npm run admin`: lists, adds and removes admins and sets their passwords, also while the server runs. */

import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';

await command(async () => {
  const node = await install();
  const { code } = await foreground({ file: node, args: [at('server/admin-cli/index.ts'), ...process.argv.slice(2)] });
  return code;
});
