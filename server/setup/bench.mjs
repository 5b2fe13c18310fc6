/** `npm run bench`: measures the server beside its bare parts; `screens` and `lighthouse` a page in a browser. */

import { prepareChromium } from './chromium.mjs';
import { buildClient } from './client-build.mjs';
import { at, command } from './command.mjs';
import { foreground } from './foreground.mjs';
import { install } from './install.mjs';
import { toolEnvironment } from './runtime.mjs';

await command(async () => {
  const node = await install();
  await buildClient(node);
  const args = process.argv.slice(2);
  const inBrowser = args[0] === 'screens' || args[0] === 'lighthouse';
  const env = toolEnvironment(node, inBrowser ? { CHROMIUM_PATH: await prepareChromium(node) } : {});
  const { code } = await foreground({ file: node, args: [at('server/bench/index.ts'), ...args], env });
  return code;
});
