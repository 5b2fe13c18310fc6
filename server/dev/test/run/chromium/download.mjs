/** Playwright's own build of Chromium, where its download host can be reached. */

import { capture } from '../../../setup/capture.mjs';
import { at, say } from '../../../setup/command.mjs';
import { hasApt, privilege } from '../apt.mjs';
import { playwrightBrowsers } from './installed.mjs';

/** @param {string} node @returns {Promise<string | undefined>} the browser, if there is one now */
export async function downloadChromium(node) {
  say('Downloading Chromium with Playwright (about 110 MB)…');
  const { ok, output, timedOut } = await capture(
    node,
    [at('node_modules/playwright/cli.js'), 'install', 'chromium', '--only-shell'],
    {
      timeout: 5 * 60_000,
      // It tries five times; a network that swallows packets must not cost half a minute each.
      env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
    },
  );
  const browser = playwrightBrowsers()[0];
  if (browser) return browser;
  const reason = timedOut
    ? 'it took more than five minutes'
    : ok
      ? 'no browser in its cache'
      : firstError(output);
  say(`Playwright's download did not work: ${reason}.`);
  return undefined;
}

/** What Playwright's build needs from the machine, where this user may install it. @param {string} node */
export async function installLibraries(node) {
  const prefix = hasApt() && (await privilege());
  if (!prefix) return false;
  say('Installing the libraries it needs…');
  const [file = '', ...args] = [
    ...prefix,
    node,
    at('node_modules/playwright/cli.js'),
    'install-deps',
    'chromium',
  ];
  return (await capture(file, args, { timeout: 10 * 60_000 })).ok;
}

/** @param {string} output */
const firstError = (output) => output.match(/^Error: (.*)$/m)?.[1] ?? output.split('\n')[0];
