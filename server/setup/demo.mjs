/** `npm run demo`: fills an empty data folder with a lively guild. */

import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';

await command(async () => {
  const node = await install();
  const { code } = await foreground({ file: node, args: [at('server/demo/index.ts')] });
  return code;
});
