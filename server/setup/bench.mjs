/** `npm run bench`: measures a large board against a small one, server and screen. */

import { prepareChromium } from './chromium.mjs';
import { buildClient } from './client-build.mjs';
import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';
import { toolEnvironment } from './runtime.mjs';

await command(async () => {
  const node = await install();
  await buildClient(node);
  const env = toolEnvironment(node, { CHROMIUM_PATH: await prepareChromium(node) });
  const { code } = await foreground({ file: node, args: [at('server/bench/index.ts'), ...process.argv.slice(2)], env });
  return code;
});
