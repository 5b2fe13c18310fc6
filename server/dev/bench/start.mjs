/** `npm run bench`: measures the server beside its bare parts; `screens` and `lighthouse` a page in a browser. */

import { buildClient } from '../setup/client-build.mjs';
import { at, command } from '../setup/command.mjs';
import { foreground } from '../setup/foreground.mjs';
import { installForDevelopment } from '../setup/install.mjs';
import { nodeEnvironment } from '../setup/runtime.mjs';
import { installedBrowsers } from '../test/run/chromium/installed.mjs';
import { prepareChromium } from '../test/run/chromium.mjs';

await command(async () => {
  const node = await installForDevelopment();
  await buildClient(node);
  const args = process.argv.slice(2);
  const inBrowser = args[0] === 'screens' || args[0] === 'lighthouse';
  // A whole browser where there is one, as people have: Lighthouse does not come to an end with the tests' headless shell.
  const whole = installedBrowsers().find((file) => !/headless[-_]shell/.test(file));
  const browser = async () => process.env.CHROMIUM_PATH || whole || (await prepareChromium(node));
  const env = nodeEnvironment(node, inBrowser ? { CHROMIUM_PATH: await browser() } : {});
  const { code } = await foreground({
    file: node,
    args: [at('server/dev/bench/index.ts'), ...args],
    env,
  });
  return code;
});
