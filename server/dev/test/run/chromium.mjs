/** Finds the Chromium of the browser tests, or fetches one. Started by hand, it prints the path. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { at, command, messageOf, SetupError, say } from '../../setup/command.mjs';
import { installForDevelopment } from '../../setup/install.mjs';
import { alone } from '../../setup/lock.mjs';
import { hasApt } from './apt.mjs';
import { downloadChromium, installLibraries } from './chromium/download.mjs';
import { fontPackage, hasFont, hasPrivateFont } from './chromium/fonts.mjs';
import { installedBrowsers } from './chromium/installed.mjs';
import { whyNotLaunching } from './chromium/launches.mjs';
import { unpackedBrowser, wrap, wrapper } from './chromium/private-browser.mjs';
import { fetchPackages } from './fetch-packages.mjs';

const memory = at('node_modules/.cache/chromium.json');
/** Debian's: the shell, and the whole browser where there is no package of the shell. */
const packages = ['chromium-headless-shell', 'chromium'];

/** @param {string} node @returns {Promise<string>} a browser that was seen to start */
export async function prepareChromium(node) {
  const chosen = process.env.CHROMIUM_PATH;
  const remembered = recall();
  if (remembered && (!chosen || remembered === chosen)) return remembered;
  if (chosen) {
    const reason = await whyNotLaunching(chosen);
    if (reason) throw new SetupError(`CHROMIUM_PATH is ${chosen}, which does not start: ${reason}`);
  }
  return alone(async () => {
    const browser = chosen ?? (await find()) ?? (await fetch(node));
    const ready = await withFont(browser);
    remember(ready);
    return ready;
  }, 'browser');
}

const find = async () => (await firstThatLaunches(installedBrowsers())) ?? unpackedThatLaunches();

/** @param {string} node */
async function fetch(node) {
  say('The browser tests need Chromium, and none is installed here.');
  const downloaded = await downloadChromium(node);
  if (downloaded && (await firstThatLaunches([downloaded]))) return downloaded;
  if (downloaded && (await installLibraries(node)) && (await firstThatLaunches([downloaded])))
    return downloaded;
  for (const name of hasApt() ? packages : []) {
    const { ok, reason, machineWide } = await fetchPackages([name, fontPackage]);
    const browser = machineWide
      ? await firstThatLaunches(installedBrowsers())
      : await unpackedThatLaunches();
    if (browser) return browser;
    if (!ok) say(`Debian's package ${name} did not work: ${reason}`);
  }
  throw new SetupError(
    'The browser tests cannot run: there is no Chromium here that starts, Playwright could not download one, and ' +
      'neither could apt. Please install Chromium or Google Chrome with its libraries (`npx playwright install ' +
      '--with-deps chromium` or `apt-get install chromium`, as root), or set CHROMIUM_PATH to one that starts.',
  );
}

/** @param {string[]} browsers */
async function firstThatLaunches(browsers) {
  for (const browser of browsers) {
    const reason = await whyNotLaunching(browser);
    if (!reason) {
      say(`Chromium: ${browser}`);
      return browser;
    }
    say(`${browser} does not start: ${reason}`);
  }
  return undefined;
}

async function unpackedThatLaunches() {
  for (const name of packages) {
    const unpacked = unpackedBrowser(name);
    const browser = unpacked && (await firstThatLaunches([wrap(unpacked)]));
    if (browser) return browser;
  }
  return undefined;
}

/** @param {string} browser */
async function withFont(browser) {
  if (hasFont()) return browser;
  if (!hasPrivateFont() && hasApt()) await fetchPackages([fontPackage]);
  if (hasFont()) return browser;
  if (!hasPrivateFont()) {
    throw new SetupError(
      `The browser tests cannot run: this machine has no font, and a page without one shows no text. Please install ${fontPackage} or another.`,
    );
  }
  return browser === wrapper ? browser : wrap(browser);
}

function recall() {
  try {
    /** @type {{path: string}} */
    const { path } = JSON.parse(readFileSync(memory, 'utf8'));
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function remember(path) {
  try {
    mkdirSync(dirname(memory), { recursive: true });
    writeFileSync(memory, JSON.stringify({ path }));
  } catch (error) {
    say(`The place of Chromium cannot be kept for the next run: ${messageOf(error)}`);
  }
}

if (import.meta.main) {
  await command(async () => {
    say(await prepareChromium(await installForDevelopment()));
    return 0;
  });
}
