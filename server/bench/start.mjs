/** `npm run bench`: measures the server beside its bare parts; `screens` and `lighthouse` a page in a browser. */

import { buildClient } from '../setup/client-build.mjs';
import { at, command } from '../setup/command.mjs';
import { foreground } from '../setup/foreground.mjs';
import { install } from '../setup/install.mjs';
import { toolEnvironment } from '../setup/runtime.mjs';
import { prepareChromium } from '../test/run/chromium.mjs';

await command(async () => {
  const node = await install();
  await buildClient(node);
  const args = process.argv.slice(2);
  const inBrowser = args[0] === 'screens' || args[0] === 'lighthouse';
  const env = toolEnvironment(node, inBrowser ? { CHROMIUM_PATH: await prepareChromium(node) } : {});
  const { code } = await foreground({ file: node, args: [at('server/bench/index.ts'), ...args], env });
  return code;
});
