/** Finds Firefox and WebKitGTK for the tests of the main flows, or installs them. Where neither is possible these tests are left out. */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { capture } from '../../setup/capture.mjs';
import { say } from '../../setup/command.mjs';
import { alone } from '../../setup/lock.mjs';
import { hasApt, installForAll, privilege } from './apt.mjs';

const webkitPackages = ['webkit2gtk-driver', 'xvfb'];

/** @returns {Promise<{FIREFOX_PATH?: string, WEBKIT_BROWSER?: string}>} for the environment of the browser tests */
export async function prepareOtherBrowsers() {
  return alone(async () => {
    const missing = [
      ...(firefox() ? [] : ['firefox-esr']),
      ...((await webkit()) ? [] : webkitPackages),
    ];
    const prefix = missing.length > 0 && hasApt() ? await privilege() : undefined;
    if (prefix) await installForAll(prefix, missing);
    const FIREFOX_PATH = firefox();
    const WEBKIT_BROWSER = await webkit();
    if (!FIREFOX_PATH)
      say(
        'Left out: the main flows in Firefox, which is not installed here and cannot be (`apt-get install firefox-esr`, as root).',
      );
    if (!WEBKIT_BROWSER) {
      say(
        `Left out: the main flows in WebKit, which is not installed here and cannot be (\`apt-get install ${webkitPackages.join(' ')}\`, as root).`,
      );
    }
    return {
      ...(FIREFOX_PATH ? { FIREFOX_PATH } : {}),
      ...(WEBKIT_BROWSER ? { WEBKIT_BROWSER } : {}),
    };
  }, 'browser');
}

const firefox = () => process.env.FIREFOX_PATH ?? onPath('firefox-esr') ?? onPath('firefox');

/** MiniBrowser is on no PATH: it lies where Debian's library has its programs. */
async function webkit() {
  if (process.env.WEBKIT_BROWSER) return process.env.WEBKIT_BROWSER;
  if (!onPath('WebKitWebDriver') || !onPath('Xvfb')) return undefined;
  const { stdout } = await capture('dpkg', ['--search', '*/MiniBrowser'], { timeout: 20_000 });
  return stdout
    .split('\n')
    .map((line) => line.split(': ')[1] ?? '')
    .find((file) => existsSync(file));
}

/** @param {string} name */
const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
